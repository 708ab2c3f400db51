// Session storage for the official client in native apps: the device's secure storage, with a copy in memory.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { stored } from '#/platform/session-copy.ts';
import { newUuid } from '#/core/uuid.ts';
import { readSecret, writeSecret } from '#/platform/secure-storage.ts';

/** The keychain survives uninstalling the app, so discard a session of an earlier installation. */
const isFirstStart = readLocal('device_id') === null;
if (isFirstStart) writeLocal('device_id', newUuid());

/** An asynchronous storage for supabase-js. */
export const deviceStorage = {
  async getItem(key: string): Promise<string | null> {
    const known = stored.get(key);
    if (known !== undefined) return known;
    if (isFirstStart) await writeSecret(key, null);
    const value = isFirstStart ? null : await readSecret(key);
    // A value that was set while the storage was being read is newer, so keep it.
    const newer = stored.get(key);
    if (newer !== undefined) return newer;
    stored.set(key, value);
    return value;
  },
  async setItem(key: string, value: string): Promise<void> {
    stored.set(key, value);
    await writeSecret(key, value);
  },
  async removeItem(key: string): Promise<void> {
    stored.set(key, null);
    await writeSecret(key, null);
  },
};
