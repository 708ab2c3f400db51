// Check results for operators, used by `packpark doctor` and /desk/site.
import path from 'node:path';
import type pg from 'pg';
import { orphanedDatabases } from '#/host/db/data-home.ts';
import { exposureNotes, isLocalSite } from '#/host/gateway/exposure.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { StoreUnavailableError } from '#/host/storage/blob-store.ts';
import { openRangeFile } from '#/host/storage/open-stores.ts';
import { examineMapFile } from '#/product/map/map-file.ts';
import { contactAddress, fromFile, settingsSchema, type Settings } from '#/product/settings.ts';

/** `bad` prevents Packpark from working, `warn` should be corrected, `note` is information. */
export type CheckResult = ['ok' | 'note' | 'warn' | 'bad', sentence: string];

/**
 * Reports databases whose data folder was deleted but which still contain user data. If root runs the host, the database may be
 * outside the data folder.
 */
export const checkOrphans = (): Promise<CheckResult[]> =>
  Promise.resolve(
    orphanedDatabases().map(({ database, folder }): CheckResult => [
      'note',
      `The database in ${database} belongs to ${folder}, which is gone: "npx packpark doctor --remove-orphans" removes it.`,
    ]),
  );

/** Hours without a backup after which operators are warned. private.watch_site has the same value. */
const LATE_HOURS = 48;

export async function secondsSinceBackup(client: Pick<pg.Pool, 'query'>): Promise<number | null> {
  const { rows } = await client.query<{ seconds: number }>(
    `select extract(epoch from now() - done_at)::float8 as seconds from private.jobs
     where type = 'backup' and done_at is not null`,
  );
  return rows[0]?.seconds ?? null;
}

export async function hoursSinceBackup(client: Pick<pg.Pool, 'query'>): Promise<number | null> {
  const seconds = await secondsSinceBackup(client);
  return seconds === null ? null : Math.floor(seconds / 3600);
}

/** A backup with a future date also counts as late, because its age is unknown. */
export const isBackupLate = (hours: number | null): boolean =>
  hours === null || hours < 0 || hours >= LATE_HOURS;

/** Job types that count as queued mails. Requests for a mail are not counted, because they may not lead to one. */
export const MAIL_JOBS = ['send-mail', 'send-change-mail', 'desk-mail'];

export async function checkDeadLetters(client: Pick<pg.Pool, 'query'>): Promise<CheckResult[]> {
  const { rows } = await client.query<{ dead: number }>(
    'select count(*)::integer as dead from private.jobs where failed_at is not null',
  );
  const { dead = 0 } = rows[0] ?? {};
  return dead === 0
    ? []
    : [['note', `${dead} jobs were given up: "npx packpark jobs list" says which.`]];
}

export async function checkMap(settings: Settings): Promise<CheckResult[]> {
  const name = settings.MAP_FILE;
  if (name === undefined) return [];
  let examined;
  try {
    examined = await examineMapFile(await openRangeFile(settings, name));
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return [['warn', `MAP_FILE is "${name}", which cannot be read now: ${error.message}.`]];
  }
  const where =
    settings.S3_BUCKET && !path.isAbsolute(name)
      ? `the S3 bucket "${settings.S3_BUCKET}"`
      : path.dirname(path.resolve(ROOT, settings.DATA_DIR, name));
  if (!examined) return [['bad', `MAP_FILE is "${name}", and there is no such file in ${where}.`]];
  const { problems, notes, summary } = examined.report;
  if (problems.length > 0)
    return problems.map((problem): CheckResult => [
      'bad',
      `The map (${name}) cannot be used: ${problem}.`,
    ]);
  return [
    ['ok', `The map (${name}) can be drawn: ${summary}.`],
    ...notes.map((note): CheckResult => ['note', `The map (${name}): ${note}.`]),
  ];
}

/**
 * Checks that the map file covers the parks.
 * @param client a connection to a database with this release's schema
 */
export async function checkMapCoverage(
  client: Pick<pg.Pool, 'query'>,
  settings: Settings,
): Promise<CheckResult[]> {
  const name = settings.MAP_FILE;
  if (name === undefined) return [];
  const examined = await openRangeFile(settings, name)
    .then(examineMapFile)
    .catch(() => null);
  const bounds = examined?.report.bounds;
  if (!bounds) return [];
  const { rows } = await client.query<{ parks: number; outside: number }>(
    `select count(*)::integer as parks,
       count(*) filter (where lat not between $1 and $3 or long not between $2 and $4)::integer as outside
     from public.parks where status = 'approved'`,
    [bounds.south, bounds.west, bounds.north, bounds.east],
  );
  const { parks = 0, outside = 0 } = rows[0] ?? {};
  if (outside === 0) return [];
  return [
    outside === parks
      ? [
          'warn',
          `The map (${name}) shows none of the ${parks} parks: it is the map of another area.`,
        ]
      : ['note', `The map (${name}) shows ${parks - outside} of the ${parks} parks.`],
  ];
}

/** Environment variables that Node and its libraries read. */
const OF_THE_SYSTEM = /^(NODE_\w+|TZ|\w+_PROXY)$/i;

/** Notes about conflicting, missing and unknown settings. */
export const checkSettings = async (settings: Settings): Promise<CheckResult[]> => {
  const unknown = [...fromFile].filter(
    (name) => !(name in settingsSchema.entries || OF_THE_SYSTEM.test(name)),
  );
  const notes = [
    ...unknown.map((name) => `The settings file sets ${name}, which is no setting of Packpark.`),
    ...exposureNotes(settings),
  ];
  if (settings.SITE_URL?.startsWith('http:') && !settings.SITE_URL.includes('//localhost'))
    notes.push(
      'SITE_URL is not https: browsers give no location, camera or installation to such a page.',
    );
  if (settings.AUTH_EMAILS_ALLOWED?.some((one) => !one.includes('@')))
    notes.push(
      'AUTH_EMAILS_ALLOWED names something that is no email and no @domain: it lets nobody in.',
    );
  if (!settings.SMTP_URL)
    notes.push(
      isLocalSite(settings)
        ? 'SMTP_URL is not set: mails land in the local inbox, /inbox.'
        : 'SMTP_URL is not set: nobody gets mails.',
    );
  if (!settings.CONTACT_EMAIL) {
    const sender = contactAddress(settings);
    notes.push(
      sender
        ? `CONTACT_EMAIL is not set: the info pages ask people to write to the sender of the mails, ${sender}.`
        : 'CONTACT_EMAIL is not set: privacy policy and accessibility statement name the site, but nobody to write to.',
    );
  }
  if (!settings.FCM_SERVICE_ACCOUNT)
    notes.push('FCM_SERVICE_ACCOUNT is not set: no pushes to phones.');
  if (!settings.ROUTER_URL)
    notes.push('ROUTER_URL is not set: no routes are drawn, only handed to other apps.');
  return notes.map((note): CheckResult => ['note', note]);
};
