// Where the official client keeps a session inside a shell: the device's secure storage, with a copy in memory while the app runs.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { stored } from '#/platform/session-copy.ts';
import { newUuid } from '#/core/uuid.ts';
import { readSecret, writeSecret } from '#/platform/secure-storage.ts';

/** The keychain outlives the app: what an earlier installation left is not this person's. */
const isFirstStart = readLocal('device_id') === null;
if (isFirstStart) writeLocal('device_id', newUuid());

/** An asynchronous storage, as supabase-js takes it. */
export const deviceStorage = {
  async getItem(key: string): Promise<string | null> {
    const known = stored.get(key);
    if (known !== undefined) return known;
    if (isFirstStart) await writeSecret(key, null);
    const value = isFirstStart ? null : await readSecret(key);
    // What was set while the device was asked is newer than its answer.
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
