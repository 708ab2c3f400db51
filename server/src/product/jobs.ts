// What a host does by itself: publishes the park list, sends pushes, finishes deletions, and shrinks history once a day.
import type { Database } from '#/host/db/database.ts';
import type { Functions } from '#/host/functions/service.ts';
import type { Log } from '#/host/lib/log.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface JobParts {
  database: Database;
  functions: Functions;
  log: Log;
  /** Whether pushes can be sent at all. */
  pushes: boolean;
}

/** Runs `work` soon after it is requested: once for many requests, never twice at a time; failures are logged. */
function createJob(name: string, work: () => Promise<unknown>, delay: number, log: Log) {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    timer = null;
    do {
      again = false;
      await work().catch((error: unknown) =>
        log.warn({ job: name, error: (error as Error).message }, 'a job failed'),
      );
    } while (again);
    running = null;
  }
  return {
    request(): void {
      if (running) again = true;
      else timer ??= setTimeout(() => (running = run()), delay);
    },
    async stop(): Promise<void> {
      if (timer) clearTimeout(timer);
      again = false;
      await running;
    },
  };
}

/**
 * Starts the jobs; several hosts on one database may all do so, because each job looks for what is left to do.
 * @returns a function that stops them and waits for those under way
 */
export async function startJobs(parts: JobParts): Promise<() => Promise<void>> {
  const { database, functions, log, pushes } = parts;
  const publish = createJob('publish-parks', () => functions.run('publish-parks'), SECOND / 2, log);
  const push = createJob('send-push', () => functions.run('send-push'), 50, log);
  const finishDeletions = createJob('delete-user', () => functions.run('delete-user'), 0, log);
  const shrink = createJob(
    'reduce-history',
    () => database.pool.query('select private.reduce_history()'),
    0,
    log,
  );

  const jobs = [publish, finishDeletions, shrink, ...(pushes ? [push] : [])];
  const stops = [await database.listen('park_list', publish.request, publish.request)];
  if (pushes) stops.push(await database.listen('push_outbox', push.request, push.request));
  const timers = [
    setInterval(shrink.request, 6 * HOUR),
    setInterval(finishDeletions.request, HOUR),
    // A change whose NOTIFY found no host is published a little later.
    setInterval(publish.request, 10 * MINUTE),
    // Pushes that are due for a retry send no NOTIFY.
    ...(pushes ? [setInterval(push.request, 15 * SECOND)] : []),
  ];
  for (const job of jobs) job.request();

  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(jobs.map((job) => job.stop()));
  };
}
