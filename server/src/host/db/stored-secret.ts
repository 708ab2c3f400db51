// Each database belongs to one secret, which signs sessions. The database stores a fingerprint of its secret, and another secret is
// rejected.
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { loadSecret, readSecret } from '#/host/lib/secret.ts';
import { StartError } from '#/host/lib/start-error.ts';

const TABLE = 'packpark_host.secret_fingerprint';

/** Returns a hash that identifies a secret without revealing it. */
const fingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('packpark').digest('base64url');

async function storedFingerprint(client: pg.ClientBase): Promise<string | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('${TABLE}') is not null as there`,
  );
  if (!found[0]?.there) return null;
  const { rows } = await client.query<{ hmac: string }>(`select hmac from ${TABLE}`);
  return rows[0]?.hmac ?? null;
}

/**
 * @param folder the folder of the file jwt-secret
 * @param setting the value of JWT_SECRET
 * @throws StartError if the database was used with another secret, or the secret is missing
 */
export async function checkSecret(
  client: pg.ClientBase,
  folder: string | null,
  setting: string | undefined,
): Promise<void> {
  const stored = await storedFingerprint(client);
  if (stored === null) return;
  const secret = readSecret(folder, setting);
  if (secret !== null && fingerprint(secret) === stored) return;
  const problem =
    secret === null
      ? `The secret that this database was used with is missing: neither JWT_SECRET is set, nor is there the file ${folder ?? 'DATA_DIR'}/jwt-secret`
      : `${setting === undefined ? `The file ${folder}/jwt-secret` : 'JWT_SECRET'} is not the secret that this database was used with`;
  throw new StartError(
    `${problem}. Take the right one from a backup or another host, or accept a new one with "npx packpark accept-secret", which logs everybody out and removes all second factors.`,
  );
}

/**
 * Stores the fingerprint of the given secret, or of a new one if none is given.
 * @returns the secret
 */
async function storeSecret(
  client: pg.ClientBase,
  folder: string,
  setting: string | undefined,
): Promise<string> {
  const secret = loadSecret(folder, setting);
  await client.query(`insert into ${TABLE} (hmac) values ($1) on conflict do nothing`, [
    fingerprint(secret),
  ]);
  return secret;
}

/**
 * Returns the secret for a start, and stores its fingerprint if the database has none.
 * @throws StartError as checkSecret
 */
export async function openSecret(
  client: pg.ClientBase,
  folder: string,
  setting: string | undefined,
): Promise<string> {
  await checkSecret(client, folder, setting);
  const secret = await storeSecret(client, folder, setting);
  // A concurrent start on the new database may have stored its secret first.
  await checkSecret(client, folder, setting);
  return secret;
}

/**
 * Replaces the database's secret. Deletes everything that the previous secret signed or encrypted, because it can no longer be
 * read.
 */
export async function acceptSecret(
  client: pg.ClientBase,
  folder: string,
  setting: string | undefined,
): Promise<void> {
  await client.query('begin');
  await client.query(
    `delete from ${TABLE}; delete from auth.sessions; delete from auth.mfa_factors; delete from auth.one_time_tokens;
     delete from auth.provider_tokens`,
  );
  await storeSecret(client, folder, setting);
  await client.query('commit');
}

/**
 * Removes the fingerprint after a backup without a secret was restored, so that the next start creates a new secret.
 * @returns true if there was a fingerprint
 */
export const clearFingerprint = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query(`delete from ${TABLE}`)).rowCount === 1;
