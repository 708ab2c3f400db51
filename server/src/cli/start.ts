// `packpark start`: opens and migrates the database, adds the demo, starts the host, prints its progress, and stops everything in
// order.
import { setFlagsFromString } from 'node:v8';
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { removeLeftovers, RESTORE } from '#/cli/archive/scratch.ts';
import { collect } from '#/cli/report.ts';
import { rejectPublicDemo, seedDemo, storeDemoPhotos } from '#/cli/seed.ts';
import { openForHost, withClient } from '#/host/db/connect.ts';
import { makeDataHome, type DataHome } from '#/host/db/data-home.ts';
import { migrateToNewest } from '#/host/db/migrate.ts';
import { openSecret } from '#/host/db/stored-secret.ts';
import { checkMapCoverage } from '#/product/check-results.ts';
import { loadPushKey } from '#/product/secrets.ts';
import { startChecks } from '#/product/start-checks.ts';
import { readSettings, wantsDemo, type Settings } from '#/product/settings.ts';
import { applySiteSettings } from '#/product/site-settings.ts';
import { createLog } from '#/host/lib/log.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { Host } from '#/main.ts';
import { exposureNotes } from '#/host/gateway/exposure.ts';
import { checkPort } from '#/host/gateway/listen.ts';

const DAY_SECONDS = 86_400;

/** Prints a sentence as text in a terminal, and otherwise as a log line at any LOG_LEVEL. */
function print(sentence: string, level: 'info' | 'warn' | 'error' = 'info'): void {
  const stream = level === 'info' ? process.stdout : process.stderr;
  if (process.stdout.isTTY) stream.write(`${level === 'warn' ? 'Warning: ' : ''}${sentence}\n`);
  else createLog('info', stream)[level]({}, sentence);
}

interface Prepared {
  secret: string;
  isMigrated: boolean;
}

/** Migrates the database and reads the secret. */
async function prepare(
  client: pg.ClientBase,
  settings: Settings,
  home: DataHome,
): Promise<Prepared> {
  const applied = await migrateToNewest(client);
  if (applied.length > 0)
    print(`Migrated the database to the newest schema (${applied.length} migrations)`);
  const secret = await openSecret(client, home.folder, settings.JWT_SECRET);
  await applySiteSettings(client, settings);
  await rejectPublicDemo(client, settings);
  return { secret, isMigrated: applied.length > 0 };
}

/** Adds the demo. Returns true if the database had none. */
async function fill(client: pg.ClientBase, settings: Settings): Promise<boolean> {
  const isSeeded = wantsDemo(settings) && (await seedDemo(client));
  if (isSeeded) print('Added the demo parks and users');
  for (const [kind, sentence] of await checkMapCoverage(client, settings))
    if (kind === 'warn') print(sentence, 'warn');
  return isSeeded;
}

/** Opens the database and the host. For each opened part, a function that closes it is added to `closers`. */
async function open(
  settings: Settings,
  home: DataHome,
  closers: (() => Promise<void>)[],
  { appBuilt, lost }: { appBuilt: Promise<boolean>; lost: (error: Error) => void },
): Promise<Host> {
  if (settings.DATABASE_URL) print('Connecting to the database of DATABASE_URL …');
  else print(`Starting PostgreSQL (data in ${home.database}) …`);
  // The host's code is loaded while PostgreSQL starts.
  const main = import('#/main.ts');
  const database = await openForHost(settings, home, {
    onRestart: (sentence) => print(sentence, 'warn'),
    onLost: lost,
  });
  closers.push(() => database.close());
  let isChanged = false;
  const host = await withClient(database.connectionString, async (client) => {
    const { secret, isMigrated } = await prepare(client, settings, home);
    // The database adds the demo while this process creates the services.
    const filled = fill(client, settings);
    // `prepare` below throws its error.
    filled.catch(() => undefined);
    const complete = { ...settings, VAPID_KEY: loadPushKey(home.folder, settings.VAPID_KEY) };
    const { startHost } = await main;
    return startHost(complete, database.connectionString, secret, {
      async prepare(starting) {
        // This process is idle while the database adds the demo.
        if (isMigrated) starting.functions.load('publish-parks');
        const isSeeded = await filled;
        isChanged = isMigrated || isSeeded;
        await Promise.all([
          storeDemoPhotos(starting),
          // It fails only if the external object store is unreachable. A job publishes the list again later.
          isChanged &&
            starting.functions.run('publish-parks').catch((error: Error) => {
              print(`The list of parks could not be published: ${error.message}`, 'warn');
            }),
        ]);
        if (!(await appBuilt)) throw new StartError('The build failed; see its output above.');
      },
      databaseRestarts: database.restarts,
    });
  });
  closers.push(() => host.close());
  await host.startJobs();
  // Earlier changes are published after the start; until then the last published list is served.
  if (!isChanged) await host.jobs.request('publish-parks');
  const run = async () =>
    (await import('#/cli/backup.ts')).backUpAsJob(settings, database.connectionString);
  if (settings.BACKUP_KEEP !== undefined)
    await host.jobs.run('backup', { every: DAY_SECONDS, run });
  // Runs the backups that administrators request at /desk/site.
  await host.jobs.run('backup-now', { run });
  return host;
}

/**
 * Calls `gone` when npx was stopped. npx forwards signals only to its shell, which ends without notifying this process. This
 * process can only detect that its parent process changes.
 */
function watchNpx(gone: () => void): void {
  if (process.env.npm_command !== 'exec') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) gone();
  }, 500).unref();
}

async function start(appBuilt: Promise<boolean>): Promise<void> {
  const settings = readSettings(process.env);
  const home = makeDataHome(settings.DATA_DIR);
  for (const folder of new Set([home.folder, home.database]))
    await removeLeftovers(folder, RESTORE);
  for (const [kind, sentence] of await collect(startChecks(settings, home))) {
    if (kind === 'bad') throw new StartError(sentence);
    if (kind === 'warn') print(sentence, 'warn');
  }
  await checkPort(settings.HOST, settings.PORT);

  const closers: (() => Promise<void>)[] = [];
  async function close(): Promise<void> {
    for (const closer of closers.reverse()) await closer();
  }
  let stopped: Promise<void> | null = null;
  // npm forwards a signal that the terminal has already sent, so a second signal is ignored.
  const stop = (code: number) =>
    (stopped ??= (async () => {
      print('Stopping …');
      // Wait for a start in progress, so that everything can be closed in order.
      await opening.catch(() => undefined);
      await close();
      process.exit(code);
    })());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0));
  watchNpx(() => void stop(0));

  const opening = open(settings, home, closers, {
    appBuilt,
    lost(error) {
      print(`The database is gone and does not come back: ${error.message}`, 'error');
      void stop(1);
    },
  });
  try {
    const { url } = await opening;
    // By default, V8 collects garbage only after the heap has grown to a multiple of its live size. During the start, collecting it
    // earlier would cost time.
    setFlagsFromString('--heap-growing-percent=30');
    print(
      `Packpark is ready after ${process.uptime().toFixed(1)} s: open ${settings.SITE_URL ?? url}${
        settings.SITE_URL ? ` (it listens on ${url})` : ''
      }`,
    );
    if (process.stdout.isTTY) print('Ctrl-C stops it.');
    for (const note of exposureNotes(settings)) print(note, 'warn');
  } catch (error) {
    if (stopped) return;
    await close();
    throw error;
  }
}

export const command: Command = {
  summary: 'run everything: database, app and API',
  help: `
Usage: npx packpark start

Starts the database (unless DATABASE_URL names one), migrates it to the newest schema, adds the demo to an empty one
(unless other machines can reach it, DATABASE_URL is set or DEMO is false), and serves the app and its API.

Settings come from the environment or the file .env in the checkout. The most important ones:
  PORT          3000
  HOST          localhost; 0.0.0.0 to accept other machines
  DATA_DIR      data
  DATABASE_URL  a PostgreSQL 15 or newer, instead of the embedded one
  SITE_URL      the public URL, such as https://parks.example
docs/settings.md lists all of them.`,
  run: ({ appBuilt }) => start(appBuilt),
};
