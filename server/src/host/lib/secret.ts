// Secrets that no setting defines. They are created once and stored in the data folder.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '#/host/lib/start-error.ts';

export const JWT_SECRET = 'jwt-secret';

export const damagedFile = (file: string): string =>
  `The file ${file} is damaged (copy it from a backup, or remove it to have another one made)`;

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

/**
 * Returns the JWT secret, or null if there is none.
 * @throws StartError if its file is damaged
 */
export function readSecret(folder: string | null, setting: string | undefined): string | null {
  if (setting !== undefined || folder === null) return setting ?? null;
  const file = path.join(folder, JWT_SECRET);
  const secret = readSecretFile(file);
  if (secret !== null && secret.length < 32)
    throw new StartError(`${damagedFile(file)}: it has ${secret.length} characters.`);
  return secret;
}

/**
 * Returns the JWT secret, and creates it in the data folder if it does not exist.
 * @param folder must exist
 */
export const loadSecret = (folder: string, setting: string | undefined): string =>
  setting ?? loadOrMakeSecret(folder, JWT_SECRET, () => randomBytes(36).toString('base64url'));
