// The key that pushes to browsers are signed with (VAPID), and which secrets a data folder has.
import { generateKeyPairSync } from 'node:crypto';
import { JWT_SECRET, loadOrMakeSecret } from '#/host/lib/secret.ts';

/** Its file. */
export const PUSH_KEY = 'push-key';
/** The secret files of a data folder, each with the setting that takes its place. */
export const SECRETS = [
  [JWT_SECRET, 'JWT_SECRET'],
  [PUSH_KEY, 'VAPID_KEY'],
] as const;

/** The private key for pushes to browsers (VAPID), as a JWK. `folder`: the host's own data folder, which exists. */
export const loadPushKey = (folder: string, setting: string | undefined): string =>
  setting ??
  loadOrMakeSecret(folder, PUSH_KEY, () =>
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
