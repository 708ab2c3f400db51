// The host's signing secret: the setting where there is one, else created once and stored in the data folder.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The JWT secret for a data folder. The first process to need one makes it; all others read that one.
 * @param folder the host's own data folder, which exists
 */
export function loadSecret(folder: string, setting: string | undefined): string {
  if (setting !== undefined) return setting;
  const file = path.join(folder, 'jwt-secret');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // Written to a temporary file and linked: the secret appears complete or not at all, and never replaces another process's.
  const half = `${file}.${process.pid}`;
  writeFileSync(half, `${randomBytes(36).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(half, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(half);
  }
  return readFileSync(file, 'utf8').trim();
}
