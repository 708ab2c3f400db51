// `packpark start`: database, schema, demo, host; says what it does while it does it, and stops in order.
import pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { seedDemo } from '#/cli/seed.ts';
import { openForHost } from '#/db/connect.ts';
import { dataHome } from '#/db/data-home.ts';
import { migrateToNewest } from '#/db/migrate.ts';
import { keptSecret } from '#/lib/secret.ts';
import { readSettings, wantsDemo, type Settings } from '#/lib/settings.ts';
import { startHost } from '#/main.ts';
import { checkPort } from '#/web/listen.ts';

async function prepare(connectionString: string, settings: Settings): Promise<void> {
  const client = new pg.Client(connectionString);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const applied = await migrateToNewest(client);
    if (applied.length > 0)
      console.log(`Brought the database to the newest schema (${applied.length} steps)`);
    if (wantsDemo(settings) && (await seedDemo(client)))
      console.log('Put the demo parks and people in');
  } finally {
    await client.end();
  }
}

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const home = dataHome(settings.DATA_DIR);
  await checkPort(settings.HOST, settings.PORT);

  let stop: (code: number) => Promise<void> = async (code) => process.exit(code);
  if (settings.DATABASE_URL) console.log('Connecting to the database of DATABASE_URL …');
  else console.log(`Starting PostgreSQL (data in ${home.database}) …`);
  const database = await openForHost(settings, home, {
    onRestart: (sentence) => console.error(sentence),
    onLost(error) {
      console.error(`The database is gone and does not come back: ${error.message}`);
      void stop(1);
    },
  });

  let stopped: Promise<void> | null = null;
  let closeHost = (): Promise<void> => Promise.resolve();
  // npm hands a signal on that the terminal sent to us as well: the second one changes nothing.
  stop = (code) =>
    (stopped ??= (async () => {
      console.log('Stopping …');
      await closeHost();
      await database.close();
      process.exit(code);
    })());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0));

  try {
    await prepare(database.connectionString, settings);
    const host = await startHost(
      settings,
      database.connectionString,
      keptSecret(home.folder, settings.JWT_SECRET),
    );
    closeHost = () => host.close();
    await host.functions.run('publish-parks');
    await host.startChores();
    const seconds = process.uptime().toFixed(1);
    console.log(
      `\nPackpark is ready after ${seconds} s: open ${settings.SITE_URL ?? host.url}\nCtrl-C stops it.`,
    );
  } catch (error) {
    await database.close();
    throw error;
  }
}

export const command: Command = {
  summary: 'run everything: database, app and API',
  help: `
Usage: npx packpark start

Starts the database (unless DATABASE_URL names one), brings it to the newest schema, fills an empty one
with the demo (unless NODE_ENV is production or DEMO is false), and serves the app and its API.

Settings come from the environment or a file .env in the checkout; the first ones to know:
  PORT          3000
  HOST          localhost; 0.0.0.0 lets other machines in
  DATA_DIR      data
  DATABASE_URL  a PostgreSQL 15 or newer, instead of the embedded one
  SITE_URL      the address people use, such as https://parks.example
docs/deploy.md lists all of them.`,
  run: start,
};
