// `packpark upgrade-check`: checks whether this release can run the existing site, before the operator switches to it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { collect, checkBuild, GIGABYTE, report, type RunCheck } from '#/cli/report.ts';
import { hoursSinceBackup, type CheckResult } from '#/product/check-results.ts';
import { settingsFile } from '#/cli/settings-file.ts';
import { postgresBinaries } from '#/host/db/binaries.ts';
import { dataVersion, runningServer } from '#/host/db/cluster-files.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { clusterFolder, existingHome, findDataHome, type DataHome } from '#/host/db/data-home.ts';
import { missingMigrations } from '#/host/db/migrate.ts';
import { freeBytes } from '#/host/lib/disk.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { currentVersion } from '#/product/identity.ts';
import { checkStoredData, startChecks } from '#/product/start-checks.ts';
import { readSettings, type Settings } from '#/product/settings.ts';

/** An older backup would lose too many changes. */
const BACKUP_HOURS = 24;

const formatBytes = (bytes: number): string =>
  bytes < GIGABYTE ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`;

/** @param version such as 22.1.0 */
export function checkNode(version: string): CheckResult {
  const { engines } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const oldest = engines.node.replace('>=', '');
  return new Intl.Collator('en', { numeric: true }).compare(version, oldest) < 0
    ? ['bad', `Packpark ${currentVersion()} needs Node ${oldest} or newer; this is ${version}.`]
    : ['ok', `Packpark ${currentVersion()} runs on this Node, ${version}.`];
}

/**
 * Checks the free space for a backup, and for a restore next to the existing data.
 * @param content bytes of the database and the stored files, which is the maximum size of an archive
 */
export function checkFreeSpace(content: number, free: number, folder: string): CheckResult {
  const sentence = `A backup may take ${formatBytes(content)}; ${formatBytes(free)} are free in ${folder}`;
  if (free < content) return ['bad', `${sentence}.`];
  // A restore needs space for the unpacked archive, the database and the files.
  return free < 3 * content
    ? ['note', `${sentence}, which is too little to restore it there as well.`]
    : ['ok', `${sentence}.`];
}

/** Checks whether this release's PostgreSQL can open the data. */
async function checkDataVersion(home: DataHome, { POSTGRES_BIN }: Settings): Promise<CheckResult> {
  const made = dataVersion(clusterFolder(home.database));
  const { major } = await postgresBinaries(home.account, home.stage, POSTGRES_BIN);
  return made === major
    ? ['ok', `The data is of PostgreSQL ${major}, which this release contains.`]
    : [
        'bad',
        `The data is of PostgreSQL ${made}, and this release contains PostgreSQL ${major}: make a backup with the running release, stop it, and restore the backup with this release (restore FILE --replace).`,
      ];
}

/** Lists the migrations that a start would apply, and whether they can be undone. */
async function checkSchema(client: pg.ClientBase): Promise<CheckResult[]> {
  const missing = await missingMigrations(client);
  const hours = await hoursSinceBackup(client);
  const schema: CheckResult =
    missing.length === 0
      ? ['ok', 'The database has the schema of this release: the earlier one can run on it again.']
      : [
          'note',
          `The start applies the migrations up to ${missing.at(-1)} (${missing.length} in all); to go back, restore a backup.`,
        ];
  if (hours !== null && hours >= 0 && hours <= BACKUP_HOURS)
    return [schema, ['ok', `The last backup is ${hours} hours old.`]];
  const last =
    hours === null
      ? 'No backup of this database was ever made'
      : `The last backup is ${hours} hours old`;
  return [schema, [missing.length > 0 ? 'bad' : 'note', `${last}: run npx packpark backup.`]];
}

async function checkSpace(client: pg.ClientBase, { DATA_DIR }: Settings): Promise<CheckResult> {
  const { rows } = await client.query<{ bytes: number }>(
    `select (pg_database_size(current_database()) + coalesce(sum((metadata->>'size')::bigint), 0))::float8 as bytes
     from storage.objects`,
  );
  let folder = path.resolve(ROOT, DATA_DIR);
  // With DATABASE_URL, the backup folder does not exist before the first backup, so its parent's disk is checked.
  while (!existsSync(folder)) folder = path.dirname(folder);
  return checkFreeSpace(rows[0]?.bytes ?? 0, await freeBytes(folder), folder);
}

async function checkDatabase(settings: Settings): Promise<CheckResult[]> {
  const checkContent = () =>
    withDatabase(settings, async (client) => [
      ...(await checkSchema(client)),
      ...(await checkStoredData(client, settings, existingHome(settings.DATA_DIR))),
      await checkSpace(client, settings),
    ]);
  if (settings.DATABASE_URL) return checkContent();
  const home = findDataHome(settings.DATA_DIR);
  const postgres = await checkDataVersion(home, settings);
  // If this release's PostgreSQL cannot open the data, the data can be read only while the earlier release's server is running.
  const closed = postgres[0] === 'bad' && !runningServer(clusterFolder(home.database));
  return [postgres, ...(closed ? [] : await collect([checkContent]))];
}

export const upgradeChecks = (settings: Settings): RunCheck[] => [
  () => Promise.resolve([checkNode(process.versions.node)]),
  checkBuild,
  ...startChecks(settings, existingHome(settings.DATA_DIR)),
  () => checkDatabase(settings),
];

export const command: Command = {
  summary: 'check whether this release can replace the running one',
  help: `
Usage: npx packpark upgrade-check

Run it in the folder of a new release, while the site runs on the earlier one. It checks whether the new release
supports this Node, is built, accepts the settings and can open the data, which migrations its start would apply,
and whether there is a recent backup and space for another one. It changes nothing and contacts no external service.
The exit code is 1 if the new release must not replace the earlier one yet.`,
  async run() {
    const settings = readSettings(process.env);
    console.log(
      `ok    Settings are read from the environment and ${settingsFile() ?? 'no file'}, and are accepted.`,
    );
    await report(upgradeChecks(settings), 'This release cannot take over yet.');
  },
};
