// `packpark doctor`: checks this machine and its settings, and prints what is wrong.
import { existsSync, readdirSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { checkBuild, GIGABYTE, report } from '#/cli/report.ts';
import { settingsFile } from '#/cli/settings-file.ts';
import { postgresBinaries } from '#/host/db/binaries.ts';
import { runningServer } from '#/host/db/cluster-files.ts';
import { workOn } from '#/cli/with-database.ts';
import { socketConnection } from '#/host/db/cluster.ts';
import { checkSiteRole } from '#/host/db/site-role.ts';
import { DATABASE, openedElsewhere, openForHost } from '#/host/db/connect.ts';
import {
  clusterFolder,
  existingHome,
  orphanedDatabases,
  type DataHome,
} from '#/host/db/data-home.ts';
import { freeBytes } from '#/host/lib/disk.ts';
import { SECRETS } from '#/product/secrets.ts';
import {
  checkDeadLetters,
  checkOrphans,
  checkSettings,
  hoursSinceBackup,
  isBackupLate,
  MAIL_JOBS,
  type CheckResult,
} from '#/product/check-results.ts';
import { PACKPARK } from '#/product/identity.ts';
import { probeExternalServices } from '#/product/external-services.ts';
import { readSettings, type Settings } from '#/product/settings.ts';
import { startChecks, checkStoredData } from '#/product/start-checks.ts';
import { newerPostgres, nodeEnded } from '#/product/versions.ts';
import { createMailer } from '#/host/auth/mailer.ts';
import { JobError } from '#/host/jobs/job-queue.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { checkPort } from '#/host/gateway/listen.ts';

/** @param home null without a data folder, because a check does not create one */
type Check = (settings: Settings, home: DataHome | null) => Promise<CheckResult[]>;

/**
 * Checks whether this Node version still gets security fixes.
 * @param version such as 20.19.2
 */
export function checkNodeFixes(version: string, today: Date): CheckResult {
  const sentence = `Node ${version} on ${process.platform} ${process.arch}`;
  const end = nodeEnded(version, today);
  return end === null
    ? ['ok', `${sentence}.`]
    : ['note', `${sentence}, which gets no fixes since ${end}: install the current LTS.`];
}

/**
 * Returns a note if this PostgreSQL version lacks security fixes.
 * @param version such as 18.4
 */
export function checkPostgresVersion(version: string, isOwnServer = false): CheckResult[] {
  const newer = newerPostgres(version);
  if (newer === null) return [];
  const advice = isOwnServer
    ? 'upgrade the server of DATABASE_URL'
    : `set POSTGRES_BIN to the programs of a newer PostgreSQL ${newer.split('.')[0]}, or DATABASE_URL to a newer server`;
  const sentence = `PostgreSQL ${version} is older than ${newer}, which fixes published faults: ${advice}.`;
  return [['note', sentence]];
}

const machine: Check = async (settings, home) => {
  const results: CheckResult[] = [
    checkNodeFixes(process.versions.node, new Date()),
    ['ok', `Settings are read from the environment and ${settingsFile() ?? 'no file'}.`],
  ];
  if (!home) {
    const sentence = `There is no data folder yet; the first start makes it (DATA_DIR is "${settings.DATA_DIR}").`;
    return [...results, ['note', sentence]];
  }
  if (!settings.DATABASE_URL) {
    const { version } = await postgresBinaries(home.account, home.stage, settings.POSTGRES_BIN);
    const whose = settings.POSTGRES_BIN === undefined ? 'comes along' : 'is that of POSTGRES_BIN';
    results.push(['ok', `PostgreSQL ${version} ${whose} and runs here.`]);
    results.push(...checkPostgresVersion(version));
  }
  const free = (await freeBytes(home.database)) / GIGABYTE;
  results.push(
    free < 1
      ? ['bad', `Only ${free.toFixed(1)} GB are free where the data lies (${home.database}).`]
      : ['ok', `${Math.floor(free)} GB are free where the data lies (${home.database}).`],
  );
  for (const [name] of SECRETS) {
    const secret = await stat(path.join(home.folder, name)).catch(() => null);
    if (secret && (secret.mode & 0o077) !== 0)
      results.push(['bad', `Others can read ${home.folder}/${name}: run chmod 600 on it.`]);
  }
  return results;
};

const port: Check = async ({ HOST, PORT }) => {
  try {
    await checkPort(HOST, PORT);
    return [['ok', `Port ${PORT} is free.`]];
  } catch (error) {
    const response = await fetch(`http://${HOST}:${PORT}/healthz`).catch(() => null);
    if (response?.headers.has('sb-request-id'))
      return [['ok', `Packpark answers on port ${PORT}.`]];
    return [['bad', (error as Error).message]];
  }
};

async function queue(client: pg.Client): Promise<CheckResult[]> {
  const hours = await hoursSinceBackup(client);
  const { rows } = await client.query<{ late: number; since: string; error: string }>(
    `select count(*) filter (where late)::integer as late, max(error) filter (where late) as error,
       date_trunc('minute', now() - min(created_at) filter (where late))::text as since
     from (select *, failed_at is null and error is not null and type = any ($1) as late from private.jobs) jobs`,
    [MAIL_JOBS],
  );
  const { late = 0, since = '', error = '' } = rows[0] ?? {};
  const backup =
    hours === null
      ? 'No backup of this database was ever made: set BACKUP_KEEP, or run "npx packpark backup" once a day.'
      : hours < 0
        ? `The last backup was made ${Math.ceil(-hours / 24)} days after now: the clock of this machine was or is wrong. Set it, and run "npx packpark backup".`
        : `The last backup is ${Math.floor(hours / 24)} days old.`;
  const results: CheckResult[] = [
    [hours !== null && hours < 0 ? 'bad' : isBackupLate(hours) ? 'warn' : 'ok', backup],
  ];
  if (late > 0)
    results.push([
      'bad',
      `Mails that could not be sent yet: ${late}, the oldest for ${since}: ${error}.`,
    ]);
  return [...results, ...(await checkDeadLetters(client))];
}

/** Checks the moderation queue for overdue items, the number of moderators, and the integrity of the audit log. */
async function desk(client: pg.Client): Promise<CheckResult[]> {
  const { rows } = await client.query<{
    waiting: number;
    hours: number | null;
    late: boolean | null;
    moderators: number;
    broken: string | null;
  }>(
    `select count(*)::integer as waiting, floor(extract(epoch from now() - min(since)) / 3600)::integer as hours,
       bool_or(overdue) as late, (select count(*)::integer from public.user_roles where role > 'town') as moderators,
       private.first_broken_audit_row()::text as broken
     from private.waiting_items()`,
  );
  const { waiting = 0, hours = 0, late = false, moderators = 0, broken = null } = rows[0] ?? {};
  const results: CheckResult[] = [
    waiting === 0
      ? ['ok', 'No item is waiting for a moderator.']
      : [
          late ? 'note' : 'ok',
          `${waiting} items are waiting for a moderator, the oldest for ${hours} hours.`,
        ],
  ];
  if (moderators === 0)
    results.push([
      'note',
      'There is no moderator or administrator: run "npx packpark users role EMAIL administrator".',
    ]);
  if (broken !== null)
    results.push([
      'bad',
      `The audit log was changed from outside: row ${broken} is not what it was.`,
    ]);
  return results;
}

const describe =
  (settings: Settings, home: DataHome | null) =>
  async (client: pg.Client): Promise<CheckResult[]> => {
    const { rows } = await client.query<{ version: string; size: string; parks: boolean }>(
      `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
         to_regclass('public.parks') is not null as parks`,
    );
    const [found] = rows;
    if (!found?.parks) {
      await checkSiteRole(client);
      return [['note', `The database (PostgreSQL ${found?.version}) is empty; a start fills it.`]];
    }
    const counted = await client.query<{ parks: string; users: string }>(
      `select (select count(*) from public.parks) as parks, (select count(*) from auth.users) as users`,
    );
    const { parks, users } = counted.rows[0] ?? {};
    return [
      [
        'ok',
        `The database (PostgreSQL ${found.version}, ${found.size}) has ${parks} parks and ${users} users.`,
      ],
      ...(settings.DATABASE_URL ? checkPostgresVersion(found.version, true) : []),
      ...(await checkStoredData(client, settings, home)),
      ...(await queue(client)),
      ...(await desk(client)),
    ];
  };

/** Returns true if a folder contains a database or the remains of one. */
const hasDatabase = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).length > 0;

const database: Check = async (settings, home) => {
  const data = home && clusterFolder(home.database);
  if (!settings.DATABASE_URL && !(data && hasDatabase(data)))
    return [['note', 'There is no database yet; the first start makes it.']];
  const running = settings.DATABASE_URL ? null : data && runningServer(data);
  const opened = running
    ? openedElsewhere(socketConnection(running.socket, DATABASE))
    : await openForHost(settings, home);
  return workOn(opened, describe(settings, home));
};

/** Sends one request to each configured external service. Runs only if the operator requests it. */
const external: Check = async (settings) =>
  (await probeExternalServices(settings, 5000)).map(({ name, status }): CheckResult => {
    if (status === null)
      return ['note', `The service for ${name} cannot be reached; Packpark works without it.`];
    return status < 300
      ? ['ok', `The service for ${name} answers.`]
      : ['note', `The service for ${name} returned status ${status}.`];
  });

export async function testMail(settings: Settings, to: string): Promise<CheckResult[]> {
  if (settings.SMTP_URL === undefined)
    return [['bad', 'No test mail was sent: SMTP_URL is not set.']];
  const mailer = await createMailer({
    settings,
    product: PACKPARK,
    siteUrl: settings.SITE_URL ?? 'http://localhost',
  });
  try {
    await mailer.write({
      to,
      language: 'en',
      subject: 'Packpark: a test mail',
      lines: ['The mail server takes mails of this site.'],
      link: null,
    });
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    return [['bad', `No test mail was sent: ${error.message}. Check SMTP_URL and MAIL_FROM.`]];
  } finally {
    mailer.close();
  }
  return [['ok', `The mail server took a test mail to ${to}: see that it arrives.`]];
}

export const command: Command = {
  summary: 'check this machine, its settings and the database',
  help: `
Usage: npx packpark doctor [--external [--mail ADDRESS]]
       npx packpark doctor --remove-orphans

Checks Node, PostgreSQL, the data folder, the port, the database, the map and the settings without changing
anything. The exit code is 1 if Packpark cannot work.

Options:
  --external         also send one request to each external service (tiles, weather, addresses)
  --mail ADDRESS     with --external: send a test mail to this address
  --remove-orphans   only remove databases whose data folder was deleted`,
  options: {
    external: { type: 'boolean' },
    mail: { type: 'string' },
    'remove-orphans': { type: 'boolean' },
  },
  async run({ values }) {
    if (values['remove-orphans'] === true) {
      for (const { database, folder } of orphanedDatabases()) {
        await rm(database, { recursive: true });
        console.log(`Removed ${database}, the database of ${folder}.`);
      }
      return;
    }
    const settings = readSettings(process.env);
    const home = existingHome(settings.DATA_DIR);
    const checks: Check[] = [
      machine,
      checkOrphans,
      checkBuild,
      port,
      ...startChecks(settings, home),
      database,
      checkSettings,
    ];
    const { mail } = values;
    if (mail !== undefined && values.external !== true)
      throw new StartError('--mail goes with --external.');
    if (values.external === true) checks.push(external);
    if (typeof mail === 'string') checks.push((_settings) => testMail(settings, mail));
    await report(
      checks.map((check) => () => check(settings, home)),
      'Something keeps Packpark from working.',
    );
  },
};
