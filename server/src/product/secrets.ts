// The key that signs web pushes (VAPID), and the list of secret files in a data folder.
import { generateKeyPairSync } from 'node:crypto';
import { JWT_SECRET, loadOrMakeSecret } from '#/host/lib/secret.ts';

export const PUSH_KEY = 'push-key';
/** The secret files of a data folder, each with the setting that replaces it. */
export const SECRETS = [
  [JWT_SECRET, 'JWT_SECRET'],
  [PUSH_KEY, 'VAPID_KEY'],
] as const;

/**
 * Returns the private key for web pushes (VAPID) as a JWK.
 * @param folder the host's data folder, which must exist
 */
export const loadPushKey = (folder: string, setting: string | undefined): string =>
  setting ??
  loadOrMakeSecret(folder, PUSH_KEY, () =>
    JSON.stringify(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
    ),
  );

/** Returns the public key in the format that browsers need to subscribe: base64url of the uncompressed point. */
export function publicPushKey(key: string): string {
  const { x = '', y = '' } = JSON.parse(key) as { x?: string; y?: string };
  return Buffer.concat([
    Buffer.of(4),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ]).toString('base64url');
}
