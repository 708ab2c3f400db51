import path from 'node:path';
import type { Database } from '#/host/db/database.ts';
import type { Functions } from '#/host/functions/service.ts';
import type { HostParts } from '#/host/host-parts.ts';
import type { Mailer } from '#/host/auth/mailer.ts';
import { freeBytes, LOW_BYTES } from '#/host/lib/disk.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { sendDeskMail } from '#/product/desk-mail.ts';
import { throttled } from '#/product/throttled.ts';
import { contactAddress, type Settings } from '#/product/settings.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Maximum number of visits that one transaction ends. */
const VISITS_AT_ONCE = 500;
/**
 * Throttles the publishing of park lists, which takes seconds for a large dataset: successive changes are merged, and publishing
 * uses only a part of the time.
 */
const PUBLISHING = { delayMs: 500, share: 0.1 };

interface JobParts extends Pick<HostParts, 'database' | 'jobs' | 'log' | 'siteUrl'> {
  functions: Functions;
  mailer: Pick<Mailer, 'write'>;
  settings: Settings;
}

async function endExpiredVisits({ pool }: Database): Promise<void> {
  const text = 'select private.end_expired_visits($1) as many';
  for (let many = VISITS_AT_ONCE; many === VISITS_AT_ONCE;)
    many = (await pool.query<{ many: number }>(text, [VISITS_AT_ONCE])).rows[0]?.many ?? 0;
}

async function watchSite({ database, settings }: JobParts): Promise<void> {
  const free = await freeBytes(path.resolve(ROOT, settings.DATA_DIR));
  await database.pool.query('select private.watch_site($1)', [free < LOW_BYTES]);
}

/**
 * Registers Packpark's jobs on this host and starts overdue jobs.
 * @returns a function that stops the work that is not in the queue
 */
export async function startJobs(parts: JobParts): Promise<() => Promise<void>> {
  const { database, functions, jobs, log, settings } = parts;
  const publishing = throttled(PUBLISHING, () => {
    jobs
      .request('publish-parks')
      .catch(() => log.warn({ job: 'publish-parks' }, 'a job could not be requested'));
  });
  // Changes are announced by NOTIFY. The regular run publishes changes whose NOTIFY no host received.
  await jobs.run('publish-parks', {
    every: 10 * MINUTE,
    run: () => publishing.measured(() => functions.run('publish-parks')),
  });
  await jobs.run('delete-user', { every: HOUR, run: () => functions.run('delete-user') });
  await jobs.run('end-visits', { every: 10 * MINUTE, run: () => endExpiredVisits(database) });
  await jobs.run('reduce-history', {
    // The trust levels of reviewers are updated only once a day, because more frequent updates would reveal whose check-in changed
    // an average.
    every: 24 * HOUR,
    run: () => database.pool.query('select private.reduce_history()'),
  });
  await jobs.drain('notify-of-hazard', () =>
    database.pool.query('select private.notify_of_hazards()'),
  );
  await jobs.drain('notify-of-arrival', () =>
    database.pool.query('select private.notify_of_arrivals()'),
  );
  await jobs.drain('notify-of-lost-dog', () =>
    database.pool.query('select private.notify_of_lost_dogs()'),
  );
  await jobs.drain('move-photo', () => functions.run('move-photos'));
  await jobs.run('notify-desk', {
    every: 15 * MINUTE,
    run: () => database.pool.query('select private.notify_desk()'),
  });
  await jobs.run('good-times', { every: 15 * MINUTE, run: () => functions.run('good-times') });
  await jobs.run('watch-site', { every: 15 * MINUTE, run: () => watchSite(parts) });
  const mailing = { ...parts, contact: contactAddress(settings) };
  await jobs.run('desk-mail', { run: (job) => sendDeskMail(mailing, job) });
  const types = [
    ...(settings.FCM_SERVICE_ACCOUNT === undefined ? [] : ['send-push']),
    ...(settings.VAPID_KEY === undefined ? [] : ['send-web-push']),
  ];
  for (const type of types) await jobs.drain(type, () => functions.run('send-push', { type }));
  await jobs.request('delete-user');

  const stop = await database.listen('park_list', publishing.changed, publishing.changed);
  return async () => {
    publishing.stop();
    await stop();
  };
}
