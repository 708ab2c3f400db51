// Checks the settings and the data folder before a start. `start`, `doctor` and `upgrade-check` share these checks, so that they
// agree.
import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { clusterFolder, rejectInterruptedRestore, type DataHome } from '#/host/db/data-home.ts';
import { missingMigrations } from '#/host/db/migrate.ts';
import { checkSiteRole } from '#/host/db/site-role.ts';
import { checkSecret } from '#/host/db/stored-secret.ts';
import { checkExposure } from '#/host/gateway/exposure.ts';
import { damagedFile, JWT_SECRET, readSecret } from '#/host/lib/secret.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { StoreSettingsError, StoreUnavailableError } from '#/host/storage/blob-store.ts';
import { openBlobStore } from '#/host/storage/open-stores.ts';
import { checkMap, checkMapCoverage, type CheckResult } from '#/product/check-results.ts';
import { PUSH_KEY } from '#/product/secrets.ts';
import type { Settings } from '#/product/settings.ts';
import { checkSiteSettings } from '#/product/site-settings.ts';
import { readSiteTexts } from '#/product/site/site-texts.ts';

/** @throws StartError unless the text is JSON that `read` accepts */
function checkJson(what: string, text: string, read: (value: Record<string, unknown>) => unknown) {
  try {
    read(JSON.parse(text) as Record<string, unknown>);
  } catch (error) {
    throw new StartError(`${what}: ${(error as Error).message}.`, { cause: error });
  }
}

function requireTexts(value: Record<string, unknown>, names: string[]): void {
  const missing = names.find((name) => typeof value[name] !== 'string' || value[name] === '');
  if (missing !== undefined) throw new Error(`"${missing}" is missing`);
}

const checkPushKey = (what: string, text: string) =>
  checkJson(what, text, (jwk) => {
    requireTexts(jwk, ['x', 'y', 'd']);
    if (jwk.crv !== 'P-256') throw new Error('its curve is not P-256');
    createPrivateKey({ key: jwk, format: 'jwk' });
  });

function checkKeys({ FCM_SERVICE_ACCOUNT, VAPID_KEY, APPLE_PRIVATE_KEY }: Settings): void {
  if (FCM_SERVICE_ACCOUNT !== undefined)
    checkJson('The setting FCM_SERVICE_ACCOUNT is wrong', FCM_SERVICE_ACCOUNT, (account) => {
      requireTexts(account, ['project_id', 'client_email', 'private_key']);
      createPrivateKey(String(account.private_key));
    });
  if (VAPID_KEY !== undefined) checkPushKey('The setting VAPID_KEY is wrong', VAPID_KEY);
  if (APPLE_PRIVATE_KEY !== undefined)
    try {
      createPrivateKey(APPLE_PRIVATE_KEY);
    } catch (error) {
      throw new StartError(`The setting APPLE_PRIVATE_KEY is wrong: ${(error as Error).message}.`, {
        cause: error,
      });
    }
}

/** @throws StartError if the content is invalid, or the error of reading the file */
function checkSecretFiles({ folder }: DataHome, settings: Settings): void {
  readSecret(folder, settings.JWT_SECRET);
  const file = path.join(folder, PUSH_KEY);
  if (settings.VAPID_KEY === undefined && existsSync(file))
    checkPushKey(damagedFile(file), readFileSync(file, 'utf8').trim());
}

/**
 * Rejects a data folder that contains a secret but no database. The secret is created after the database, so the database was lost.
 * @throws StartError
 */
function checkDatabaseIsThere({ folder, database }: DataHome, { DATABASE_URL }: Settings): void {
  if (
    DATABASE_URL ||
    existsSync(clusterFolder(database)) ||
    !existsSync(path.join(folder, JWT_SECRET))
  )
    return;
  throw new StartError(
    `The data folder ${folder} has the secret of a site, but there is no database in ${clusterFolder(database)}: restore a backup, set DATABASE_URL, or choose an empty DATA_DIR for a new site.`,
  );
}

/**
 * Checks the store of photos.
 * @returns a warning if an external store is unreachable
 */
async function checkStore(settings: Settings): Promise<CheckResult[]> {
  const where = settings.S3_BUCKET
    ? `the S3 bucket "${settings.S3_BUCKET}"`
    : path.join(settings.DATA_DIR, 'storage');
  // A check must not change the data folder, and the first start creates this folder.
  if (!settings.S3_BUCKET && !existsSync(where)) return [];
  try {
    await (await openBlobStore(settings)).check();
    return [['ok', `Photos are stored in ${where}, which can be used.`]];
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const sentence = `Photos cannot be stored in ${where}: ${error.message}.`;
    const isUnreachable = settings.S3_BUCKET && !(error instanceof StoreSettingsError);
    return [[isUnreachable ? 'warn' : 'bad', sentence]];
  }
}

/** @param home null without a data folder */
export const startChecks = (
  settings: Settings,
  home: DataHome | null,
): (() => Promise<CheckResult[]>)[] => [
  () => {
    checkExposure(settings);
    checkKeys(settings);
    readSiteTexts(settings);
    if (home) {
      rejectInterruptedRestore(home);
      checkDatabaseIsThere(home, settings);
      checkSecretFiles(home, settings);
    }
    return Promise.resolve([]);
  },
  async () => (home || settings.S3_BUCKET ? checkStore(settings) : []),
  () => checkMap(settings),
];

/**
 * Checks a database that has a schema for problems that would make a start fail. Changes nothing.
 * @throws StartError
 */
export async function checkStoredData(
  client: pg.ClientBase,
  settings: Settings,
  home: DataHome | null,
): Promise<CheckResult[]> {
  await checkSiteRole(client);
  const missing = await missingMigrations(client);
  await checkSecret(client, home?.folder ?? null, settings.JWT_SECRET);
  // The stored settings can be checked only with the current schema.
  if (missing.length > 0) return [];
  await checkSiteSettings(client, settings);
  return checkMapCoverage(client, settings);
}
