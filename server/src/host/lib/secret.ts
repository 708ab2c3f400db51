// The host's secrets: the setting where there is one, else created once and stored in the data folder.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const JWT_SECRET = 'jwt-secret';
/** The file of the key that signs pushes to browsers. */
export const PUSH_KEY = 'push-key';
/** The secret files of a data folder, each with the setting that takes its place. */
export const SECRETS = [
  [JWT_SECRET, 'JWT_SECRET'],
  [PUSH_KEY, 'VAPID_KEY'],
] as const;

/** What a data folder has of this name. The first process to need it makes it; all others read that one. */
function loadOrMake(folder: string, name: string, make: () => string): string {
  const file = path.join(folder, name);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // Written to a temporary file and linked: the secret appears complete or not at all, and never replaces another process's.
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

/** The JWT secret for a data folder. `folder`: the host's own data folder, which exists. */
export const loadSecret = (folder: string, setting: string | undefined): string =>
  setting ?? loadOrMake(folder, JWT_SECRET, () => randomBytes(36).toString('base64url'));

/** The private key for pushes to browsers (VAPID), as a JWK. `folder`: the host's own data folder, which exists. */
export const loadPushKey = (folder: string, setting: string | undefined): string =>
  setting ??
  loadOrMake(folder, PUSH_KEY, () =>
    JSON.stringify(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
    ),
  );

/** The public half, as browsers take it when they subscribe: base64url of the uncompressed point. */
export function publicPushKey(key: string): string {
  const { x = '', y = '' } = JSON.parse(key) as { x?: string; y?: string };
  return Buffer.concat([
    Buffer.of(4),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ]).toString('base64url');
}
