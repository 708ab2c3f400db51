// Secure storage for small secrets: Android's Keystore or the iOS keychain. Native apps only.
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
  /** The plug-in throws if a missing key is read or removed. */
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

/** Returns null if nothing is stored or the storage cannot be read. */
export async function readSecret(key: string): Promise<string | null> {
  try {
    return await (await opened()).get(key);
  } catch (error) {
    console.warn('The secure storage cannot be read:', error);
    return null;
  }
}

/** Null removes the value. If the storage fails, nothing is stored, because plain text is not an option. */
export async function writeSecret(key: string, value: string | null): Promise<void> {
  try {
    const open = await opened();
    await (value === null ? open.remove(key) : open.set(key, value));
  } catch (error) {
    console.warn('The secure storage cannot be written:', error);
  }
}
