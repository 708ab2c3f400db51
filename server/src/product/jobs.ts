// What a host does by itself: publishes the park list, sends pushes, finishes deletions, and shrinks history once a day.
import type { Database } from '#/host/db/database.ts';
import type { Functions } from '#/host/functions/service.ts';
import type { Log } from '#/host/lib/log.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface ChoreParts {
  database: Database;
  functions: Functions;
  log: Log;
  /** Whether pushes can be sent at all. */
  pushes: boolean;
}

/** Runs `work` soon after it is asked for: once for many askings, never twice at a time, never failing loudly. */
function createChore(name: string, work: () => Promise<unknown>, delay: number, log: Log) {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;

  async function go(): Promise<void> {
    timer = null;
    do {
      again = false;
      await work().catch((error: unknown) =>
        log.warn({ chore: name, error: (error as Error).message }, 'a chore failed'),
      );
    } while (again);
    running = null;
  }
  return {
    ask(): void {
      if (running) again = true;
      else timer ??= setTimeout(() => (running = go()), delay);
    },
    async stop(): Promise<void> {
      if (timer) clearTimeout(timer);
      again = false;
      await running;
    },
  };
}

/**
 * Starts them; several hosts on one database may all do so, since each chore looks for what is left to do.
 * @returns a function that stops them and waits for the one under way
 */
export async function startChores(parts: ChoreParts): Promise<() => Promise<void>> {
  const { database, functions, log, pushes } = parts;
  const publish = createChore(
    'publish-parks',
    () => functions.run('publish-parks'),
    SECOND / 2,
    log,
  );
  const push = createChore('send-push', () => functions.run('send-push'), 50, log);
  const finishDeletions = createChore('delete-user', () => functions.run('delete-user'), 0, log);
  const shrink = createChore(
    'reduce-history',
    () => database.pool.query('select private.reduce_history()'),
    0,
    log,
  );

  const chores = [publish, finishDeletions, shrink, ...(pushes ? [push] : [])];
  const stops = [await database.listen('park_list', publish.ask, publish.ask)];
  if (pushes) stops.push(await database.listen('push_outbox', push.ask, push.ask));
  const timers = [
    setInterval(shrink.ask, 6 * HOUR),
    setInterval(finishDeletions.ask, HOUR),
    // A change whose NOTIFY found no host is published a little later.
    setInterval(publish.ask, 10 * MINUTE),
    // Pushes that are to be tried again announce themselves to nobody.
    ...(pushes ? [setInterval(push.ask, 15 * SECOND)] : []),
  ];
  for (const chore of chores) chore.ask();

  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(chores.map((chore) => chore.stop()));
  };
}
