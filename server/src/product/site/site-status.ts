// What an administrator sees of the site at /desk: whether its parts work, counts of the last 30 days, settings without secrets.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#/host/db/database.ts';
import { freeBytes } from '#/host/lib/disk.ts';
import { ROOT } from '#/host/lib/paths.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import type { ByteStore } from '#/host/storage/byte-store.ts';
import { askOutsideServices } from '#/product/outside-services.ts';
import { VERSION } from '#/product/identity.ts';
import { MAIL_JOBS } from '#/product/mail-jobs.ts';
import { settingsSchema, type Settings } from '#/product/settings.ts';

interface StatusParts {
  settings: Settings;
  database: Database;
  bytes: Pick<ByteStore, 'check'>;
}

interface Part {
  part: string;
  state: 'ok' | 'bad' | 'off';
  detail: string | null;
  /** How long ago, where it is something that happens. */
  hours: number | null;
  /** Jobs of it. */
  waiting?: number;
  failing?: number;
  /** Of the version: installed so long ago that there may be a newer one. */
  old?: boolean;
}

/** Settings whose values are no secret and open nothing; of all others only whether they are set. */
const SHOWN = new Set([
  'ADDITIONAL_REDIRECT_URLS',
  'ANDROID_PACKAGE',
  'APPLE_APP_ID',
  'AUTH_CONFIRM_EMAIL',
  'AUTH_PASSWORD_LENGTH',
  'AUTH_RATE_LIMIT',
  'BACKUP_KEEP',
  'CAPTCHA_PROVIDER',
  'CONTACT_EMAIL',
  'DEMO',
  'GEOCODER_AUTOCOMPLETE',
  'GEOCODER_PER_SECOND',
  'HOST',
  'LOG_LEVEL',
  'MAIL_FROM',
  'NODE_ENV',
  'PORT',
  'RATE_LIMITS',
  'S3_BUCKET',
  'SITE_URL',
  'TILE_KEEP',
  'TIME_ZONE',
  'TRUST_PROXY',
  'WEATHER_PER_DAY',
  'WEEKEND',
]);

/** Parts that take longer do not work either. */
const CHECK_TIMEOUT_MS = 3000;
/** After so long without a backup, something is wrong. */
const BACKUP_HOURS = 48;
/** No service outside is asked for newer releases; after half a year it is time that the operator looks. */
const RELEASE_DAYS = 180;
const GIGABYTE = 2 ** 30;

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
  backup: number | null;
  file: number | null;
  mails: number;
  mails_failing: number;
  pushes: number;
  pushes_failing: number;
}

const FACTS = `
  select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
    (select floor(extract(epoch from now() - done_at) / 3600)::integer from private.jobs where kind = 'backup' and done_at is not null) as backup,
    (select floor(extract(epoch from now() - max(updated_at)) / 3600)::integer from storage.objects
     where bucket_id = 'parks' and name like 'parks-%.json') as file,
    count(*) filter (where kind = any ($1))::integer as mails,
    count(*) filter (where kind = any ($1) and error is not null)::integer as mails_failing,
    count(*) filter (where kind = 'send-push')::integer as pushes,
    count(*) filter (where kind = 'send-push' and error is not null)::integer as pushes_failing
  from private.jobs where every is null`;

/** @param built when this release was installed, which builds it; null where that is not known */
export const describeVersion = (built: Date | null, now: Date): Part => ({
  part: 'version',
  state: 'ok',
  detail: VERSION,
  hours: null,
  old: built !== null && now.getTime() - built.getTime() > RELEASE_DAYS * 86_400_000,
});

async function readParts({ settings, database, bytes }: StatusParts): Promise<Part[]> {
  const [{ rows }, stores, free, outside, built] = await Promise.all([
    database.pool.query<Facts>(FACTS, [MAIL_JOBS]),
    works(bytes.check()),
    freeBytes(path.resolve(ROOT, settings.DATA_DIR)).catch(() => null),
    askOutsideServices(settings, CHECK_TIMEOUT_MS),
    stat(path.join(ROOT, 'app/dist/index.html')).catch(() => null),
  ]);
  const [facts] = rows;
  if (!facts) throw new Error('The database does not say how it is');
  const plain = { detail: null, hours: null };
  return [
    describeVersion(built?.mtime ?? null, new Date()),
    {
      ...plain,
      part: 'database',
      state: 'ok',
      detail: `PostgreSQL ${facts.version}, ${facts.size}`,
    },
    {
      ...plain,
      part: 'storage',
      state: stores ? 'ok' : 'bad',
      detail: settings.S3_BUCKET ? 'S3' : null,
    },
    {
      ...plain,
      part: 'mail',
      state: settings.SMTP_URL === undefined ? 'off' : facts.mails_failing > 0 ? 'bad' : 'ok',
      waiting: facts.mails,
      failing: facts.mails_failing,
    },
    {
      ...plain,
      part: 'push',
      state:
        settings.FCM_SERVICE_ACCOUNT === undefined
          ? 'off'
          : facts.pushes_failing > 0
            ? 'bad'
            : 'ok',
      waiting: facts.pushes,
      failing: facts.pushes_failing,
    },
    {
      part: 'backup',
      state: facts.backup === null ? 'off' : facts.backup > BACKUP_HOURS ? 'bad' : 'ok',
      detail: null,
      hours: facts.backup,
    },
    {
      part: 'parkFile',
      state: facts.file === null ? 'bad' : 'ok',
      detail: null,
      hours: facts.file,
    },
    {
      ...plain,
      part: 'disk',
      state: free !== null && free < GIGABYTE ? 'bad' : 'ok',
      detail: free === null ? null : `${(free / GIGABYTE).toFixed(1)} GB`,
    },
    ...outside.map(({ name, answer }): Part => ({
      ...plain,
      part: name,
      state: answer === 200 ? 'ok' : 'bad',
      detail: answer === null || answer === 200 ? null : String(answer),
    })),
  ];
}

function describeSettings(settings: Settings) {
  return Object.keys(settingsSchema.entries)
    .toSorted()
    .map((name) => {
      const value = settings[name as keyof Settings];
      const shown = SHOWN.has(name) && value !== undefined;
      return {
        name,
        value: shown ? String(value) : null,
        secret: !shown && value !== undefined,
      };
    });
}

/**
 * The status, for an administrator who gave the second factor.
 * @param claims of the caller's token
 * @throws PostgreSQL's 42501 for everybody else
 */
export async function readSiteStatus(parts: StatusParts, claims: Claims) {
  // The database decides who asks.
  const { rows } = await parts.database.asCaller(claims, (client) =>
    client.query<{ numbers: Record<string, number> }>('select public.desk_numbers() as numbers'),
  );
  return {
    numbers: rows[0]?.numbers ?? {},
    parts: await readParts(parts),
    settings: describeSettings(parts.settings),
  };
}
