// The site's status for administrators (/desk/site): parts, numbers, backups, and settings without secrets.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import type { Database } from '#/host/db/database.ts';
import { freeBytes, LOW_BYTES } from '#/host/lib/disk.ts';
import { readBody, readJson } from '#/host/lib/http.ts';
import { ROOT } from '#/host/lib/paths.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import type { BlobStore } from '#/host/storage/blob-store.ts';
import { probeExternalServices } from '#/product/external-services.ts';
import {
  checkDeadLetters,
  checkMap,
  checkMapCoverage,
  checkOrphans,
  checkSettings,
  hoursSinceBackup,
  isBackupLate,
  MAIL_JOBS,
  type CheckResult,
} from '#/product/check-results.ts';
import { currentVersion } from '#/product/identity.ts';
import { fromFile, settingsSchema, type Settings } from '#/product/settings.ts';
import { datedIn, listBackups } from '#/product/backup-places.ts';
import { encryptBackup } from '#/product/site/backup-download.ts';
import { newerPostgres, nodeEnded } from '#/product/versions.ts';
import { SITE_REASONS, type SitePart, type SiteReason } from '../../../../shared/site-part.ts';

interface StatusParts {
  settings: Settings;
  database: Database;
  blobs: Pick<BlobStore, 'check'>;
}

/** Settings whose values are not secret. For all others, the page only shows whether they are set. */
const SHOWN = `ACCESSIBILITY_EMAIL ADDITIONAL_REDIRECT_URLS ANDROID_PACKAGE APPLE_APP_ID AUTH_CONFIRM_EMAIL AUTH_MAIL_INTERVAL
   AUTH_PASSWORD_LENGTH AUTH_RATE_LIMIT AUTH_SIGNUP BACKUP_DOWNLOAD BACKUP_KEEP BACKUP_S3 CAPTCHA_PROVIDER CONTACT_EMAIL DEMO
   EMERGENCY_PHONES FIRST_DAY GEOCODER_AUTOCOMPLETE GEOCODER_PER_SECOND HOST HOUR_CYCLE JWT_LIFETIME LANGUAGES LOG_LEVEL
   MAIL_FROM MAP_FILE MINIMUM_AGE NODE_ENV OPERATOR PORT PRIVACY_EMAIL RATE_LIMITS S3_BUCKET S3_REGION SESSION_IDLE_HOURS
   SESSION_MAX_HOURS SITE_TEXTS SITE_URL STALL_SECONDS TILE_KEEP TIME_ZONE TRUST_PROXY UNITS WEATHER_PER_DAY WEEKEND`;

/** URLs, which are shown without credentials and query. */
const ADDRESSES = `APP_STORE_URL DATABASE_URL FCM_URL GEOCODER_URL PLAY_STORE_URL RELEASE_URL ROUTER_URL S3_ENDPOINT SMTP_URL
  TILE_URL WEATHER_URL`;
const isIn = (names: string, name: string) => names.split(/\s+/).includes(name);

const backupFolder = ({ DATA_DIR }: Settings) => path.resolve(ROOT, DATA_DIR, 'backups');

/** A part whose check takes longer counts as not working. */
const CHECK_TIMEOUT_MS = 3000;
/** Days after which an old release causes a warning. */
const RELEASE_DAYS = 180;

const works = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    delay(CHECK_TIMEOUT_MS, false, { ref: false }),
  ]);

interface Facts {
  version: string;
  size: string;
  backup_error: string | null;
  backing_up: number;
  file: number | null;
  mails: number;
  mails_failing: number;
  mails_error: string | null;
  pushes: number;
  pushes_failing: number;
  pushes_error: string | null;
  waiting: number;
  overdue: boolean;
  broken: string | null;
}

const FACTS = `
  select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
    (select max(error) from private.jobs where type in ('backup', 'backup-now')) as backup_error,
    (select floor(extract(epoch from now() - max(updated_at)) / 3600)::integer from storage.objects
     where bucket_id = 'parks' and name like 'parks-%.json') as file,
    count(*) filter (where type = 'backup-now' and failed_at is null)::integer as backing_up,
    count(*) filter (where type = any ($1))::integer as mails,
    count(*) filter (where type = any ($1) and error is not null)::integer as mails_failing,
    max(error) filter (where type = any ($1)) as mails_error,
    count(*) filter (where type in ('send-push', 'send-web-push'))::integer as pushes,
    count(*) filter (where type in ('send-push', 'send-web-push') and error is not null)::integer as pushes_failing,
    max(error) filter (where type in ('send-push', 'send-web-push')) as pushes_error,
    (select count(*)::integer from private.waiting_items()) as waiting,
    exists (select from private.waiting_items() w where w.overdue) as overdue,
    private.first_broken_audit_row()::text as broken
  from private.jobs where every is null`;

async function fetchNewestRelease(address: string | undefined): Promise<string | null> {
  if (address === undefined) return null;
  const response = await fetch(address, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
  const text = (await readBody(response, 2 ** 20)).toString();
  return /^(?:[^]*"(?:tag_name|version)"\s*:\s*")?v?(\d+(?:\.\d+)+)/.exec(text.trim())?.[1] ?? null;
}

type Details = Partial<Omit<SitePart, 'part' | 'state' | 'reason'>>;

/** Describes a part of the site. It works if `reason` is null; otherwise the reason determines its state. */
const part = (name: string, reason: SiteReason | null, details: Details = {}): SitePart => ({
  part: name,
  state: reason === null ? 'ok' : SITE_REASONS[reason],
  reason,
  detail: null,
  hours: null,
  ...details,
});

/**
 * Describes the version of this release.
 * @param built the time of its installation; null if unknown
 * @param released the newest release, if known
 */
export function describeVersion(built: Date | null, now: Date, released: string | null): SitePart {
  const age = built && now.getTime() - built.getTime();
  const isOld = age !== null && age > RELEASE_DAYS * 86_400_000;
  const isNewer =
    released !== null && released.localeCompare(currentVersion(), 'en', { numeric: true }) > 0;
  return part('version', isNewer ? 'newer' : isOld ? 'old' : null, {
    detail: isNewer ? `${currentVersion()} < ${released}` : currentVersion(),
    hours: age && Math.floor(age / 3_600_000),
  });
}

async function readParts({ settings, database, blobs }: StatusParts): Promise<SitePart[]> {
  const [{ rows }, backup, stores, free, outside, built, released] = await Promise.all([
    database.pool.query<Facts>(FACTS, [MAIL_JOBS]),
    hoursSinceBackup(database.pool),
    works(blobs.check()),
    freeBytes(path.resolve(ROOT, settings.DATA_DIR)).catch(() => null),
    probeExternalServices(settings, CHECK_TIMEOUT_MS),
    stat(path.join(ROOT, 'app/dist/index.html')).catch(() => null),
    fetchNewestRelease(settings.RELEASE_URL).catch(() => null),
  ]);
  const [facts] = rows;
  if (!facts) throw new Error('The database does not say how it is');
  const now = new Date();
  const newer = newerPostgres(facts.version);
  const sender = (name: string, setting: string | undefined, details: Details): SitePart => ({
    ...part(name, setting !== undefined && details.failing ? 'failing' : null, details),
    ...(setting === undefined && { state: 'off' }),
  });
  const isFull = free !== null && free < LOW_BYTES;
  return [
    describeVersion(built?.mtime ?? null, now, released),
    part('node', nodeEnded(process.versions.node, now) === null ? null : 'nodeEnded', {
      detail: `Node ${process.versions.node}`,
    }),
    part('database', newer === null ? null : 'postgresOld', {
      detail: `PostgreSQL ${facts.version}${newer === null ? '' : ` < ${newer}`}, ${facts.size}`,
    }),
    part('desk', facts.overdue ? 'overdue' : null, { waiting: facts.waiting }),
    part('log', facts.broken === null ? null : 'logChanged', { detail: facts.broken }),
    part('storage', stores ? null : 'unreachable', { detail: settings.S3_BUCKET ? 'S3' : null }),
    sender('mail', settings.SMTP_URL, {
      detail: facts.mails_error,
      waiting: facts.mails,
      failing: facts.mails_failing,
    }),
    sender('push', settings.FCM_SERVICE_ACCOUNT ?? settings.VAPID_KEY, {
      detail: facts.pushes_error,
      waiting: facts.pushes,
      failing: facts.pushes_failing,
    }),
    part('backup', backupReason(facts.backup_error, backup), {
      detail: facts.backup_error,
      hours: backup,
      ...(facts.backing_up > 0 && { waiting: facts.backing_up }),
    }),
    part('parkFile', facts.file === null ? 'noParkFile' : null, { hours: facts.file }),
    part('disk', isFull ? 'diskFull' : null, {
      detail: free === null ? null : `${(free / 2 ** 30).toFixed(1)} GB`,
    }),
    ...outside.map(({ name, status }) =>
      part(name, status === 200 ? null : status === null ? 'noResponse' : 'badResponse', {
        detail: status === 200 || status === null ? null : String(status),
      }),
    ),
  ];
}

function backupReason(error: string | null, hours: number | null): SiteReason | null {
  if (error !== null) return 'backupFailed';
  if (hours === null) return 'noBackup';
  return isBackupLate(hours) ? 'backupLate' : null;
}

/** Returns check results that need attention and that no other part shows. */
async function readNotes({ settings, database }: StatusParts): Promise<string[]> {
  const checks = [
    checkMap(settings),
    checkMapCoverage(database.pool, settings),
    checkSettings(settings),
    checkOrphans(),
    checkDeadLetters(database.pool),
  ];
  const results = await Promise.all(
    checks.map((check) =>
      Promise.race([
        check.catch((error: Error): CheckResult[] => [['bad', error.message]]),
        delay<CheckResult[]>(CHECK_TIMEOUT_MS, [], { ref: false }),
      ]),
    ),
  );
  return results.flat().flatMap(([kind, sentence]) => (kind === 'ok' ? [] : [sentence]));
}

/** Returns a URL without credentials and query values. */
const withoutSecrets = (address: string): string =>
  address.replace(/\?.*$/s, '?…').replace(/\/\/.*@/s, '//…@');

const written = (value: unknown): string =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value ?? {})
        .map((entry) => entry.join('='))
        .join(', ')
    : String(value);

const describeSettings = (settings: Settings) =>
  Object.keys(settingsSchema.entries)
    .toSorted()
    .map((name) => {
      const value = settings[name as keyof Settings];
      const isAddress = isIn(ADDRESSES, name);
      const shown = (isAddress || isIn(SHOWN, name)) && value !== undefined;
      return {
        name,
        value: shown ? (isAddress ? withoutSecrets(written(value)) : written(value)) : null,
        secret: !shown && value !== undefined,
        from: fromFile.has(name) ? 'file' : process.env[name] ? 'environment' : 'default',
      };
    });

/**
 * Returns the status for administrators who have used the second factor.
 * @param claims the claims of the caller's token
 * @throws PostgreSQL's 42501 for all other callers
 */
export async function readSiteStatus(parts: StatusParts, claims: Claims) {
  // This call also checks the caller's role.
  const { rows } = await parts.database.asCaller(claims, (client) =>
    client.query<{ numbers: Record<string, number> }>('select public.desk_numbers() as numbers'),
  );
  return {
    numbers: rows[0]?.numbers ?? {},
    parts: await readParts(parts),
    notes: await readNotes(parts),
    backups: await listBackups(parts.settings, backupFolder(parts.settings)),
    download: parts.settings.BACKUP_DOWNLOAD,
    settings: describeSettings(parts.settings),
  };
}

const downloadSchema = v.object({ passphrase: v.pipe(v.string(), v.minLength(12)) });

/**
 * Returns the newest backup, encrypted; null if there is none or downloads are not allowed.
 * @throws PostgreSQL's 42501 for all but administrators, P0001 without a recent password and factor
 */
export async function downloadBackup(
  { settings, database }: Pick<StatusParts, 'settings' | 'database'>,
  claims: Claims,
  request: Request,
): Promise<Response | null> {
  const { passphrase } = await readJson(request, 4096, downloadSchema);
  const folder = backupFolder(settings);
  const newest = settings.BACKUP_DOWNLOAD && (await datedIn(folder)).at(-1);
  if (!newest) return null;
  await database.asCaller(claims, (client) => client.query('select public.desk_allow_download()'));
  return new Response(await encryptBackup(path.join(folder, newest), passphrase), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${newest}.enc"`,
      'cache-control': 'no-store',
    },
  });
}
