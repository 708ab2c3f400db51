// Secrets that no setting defines. They are created once and stored in the data folder.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const JWT_SECRET = 'jwt-secret';

function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** Returns the data folder's secret with this name. The first process creates it; all others read it. */
export function loadOrMakeSecret(folder: string, name: string, make: () => string): string {
  const file = path.join(folder, name);
  const found = readSecretFile(file);
  if (found !== null) return found;
  // The secret is written to a temporary file that is then linked, so it appears completely or not at all and never replaces the
  // secret of another process.
  const half = `${file}.${process.pid}`;
  writeFileSync(half, `${make()}\n`, { mode: 0o600 });
  try {
    linkSync(half, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(half);
  }
  return readFileSync(file, 'utf8').trim();
}

export const readSecret = (folder: string | null, setting: string | undefined): string | null =>
  setting ?? (folder === null ? null : readSecretFile(path.join(folder, JWT_SECRET)));

/**
 * Returns the JWT secret, and creates it in the data folder if it does not exist.
 * @param folder must exist
 */
export const loadSecret = (folder: string, setting: string | undefined): string =>
  setting ?? loadOrMakeSecret(folder, JWT_SECRET, () => randomBytes(36).toString('base64url'));
