// Small secrets where the device keeps its own: Android's Keystore, the iOS keychain. Only in the shells.
import { once } from '#/core/once.ts';
import { nativePlatform } from '#/platform/native.ts';

interface Vault {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
}

async function openVault(): Promise<Vault> {
  if (nativePlatform() === 'android') {
    const { SecureStorage } = await import('@aparajita/capacitor-secure-storage');
    return {
      get: (key) => SecureStorage.getItem(key),
      set: (key, value) => SecureStorage.setItem(key, value),
      remove: (key) => SecureStorage.removeItem(key),
    };
  }
  const { SecureStoragePlugin: keychain } = await import('capacitor-secure-storage-plugin');
  /** The plug-in throws when a key that is missing is read or removed. */
  const has = async (key: string) => (await keychain.keys()).value.includes(key);
  return {
    get: async (key) => ((await has(key)) ? (await keychain.get({ key })).value : null),
    set: async (key, value) => {
      await keychain.set({ key, value });
    },
    remove: async (key) => {
      if (await has(key)) await keychain.remove({ key });
    },
  };
}

const opened = once(openVault);

/** Null where there is nothing, or where the device cannot say. */
export async function readSecret(key: string): Promise<string | null> {
  try {
    return await (await opened()).get(key);
  } catch (error) {
    console.warn('The secure storage cannot be read:', error);
    return null;
  }
}

/** Null removes it. Where the device refuses, nothing is stored: never in plain text. */
export async function writeSecret(key: string, value: string | null): Promise<void> {
  try {
    const open = await opened();
    await (value === null ? open.remove(key) : open.set(key, value));
  } catch (error) {
    console.warn('The secure storage cannot be written:', error);
  }
}
