// Opens the database that the settings name, external or embedded, for as long as a command needs it.
import pg from 'pg';
import { startCluster, socketConnection } from '#/host/db/cluster.ts';
import { runningServer } from '#/host/db/cluster-files.ts';
import { clusterFolder, findDataHome, type DataHome } from '#/host/db/data-home.ts';
import type { Settings } from '#/host/lib/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** The name of our database in the embedded cluster. */
export const DATABASE = 'packpark';
const OLDEST = 15;

interface OpenedDatabase {
  connectionString: string;
  /** True when this process started the server and stops it again. */
  started: boolean;
  /** How often its server ended by itself and was started again by this process. */
  restarts(): number;
  close(): Promise<void>;
}

interface Watch {
  onRestart?(sentence: string): void;
  onLost?(error: Error): void;
}

function placeOf(connectionString: string): string {
  const { host, port, database } = new pg.Client(connectionString);
  return `${host}:${port}/${database}`;
}

/** Runs work on a connection of its own. */
export async function withClient<T>(
  config: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // A server that goes down ends the query that runs, which says so.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkExternal(connectionString: string): Promise<void> {
  const place = placeOf(connectionString);
  try {
    const config = { connectionString, connectionTimeoutMillis: 10_000 };
    const { rows } = await withClient(config, (client) =>
      client.query<{ version: string }>('show server_version_num'),
    );
    const major = Math.floor(Number(Object.values(rows[0] ?? {})[0]) / 10_000);
    if (major < OLDEST)
      throw new StartError(
        `The database at ${place} is PostgreSQL ${major}; Packpark needs ${OLDEST} or newer.`,
      );
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      `DATABASE_URL leads to ${place}, and no connection can be made there: ${message || code}.`,
      { cause: error },
    );
  }
}

const ensureDatabase = (connectionString: string): Promise<void> =>
  withClient(connectionString, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  });

/**
 * Opens DATABASE_URL, else starts the embedded cluster for `home`.
 * @param home null where DATABASE_URL is set and nothing lies on this machine
 * @throws StartError when it cannot be had
 */
export async function openForHost(
  settings: Settings,
  home: DataHome | null,
  watch: Watch = {},
): Promise<OpenedDatabase> {
  if (home === null || settings.DATABASE_URL) {
    if (!settings.DATABASE_URL) throw new Error('There is neither a data folder nor DATABASE_URL.');
    await checkExternal(settings.DATABASE_URL);
    return {
      connectionString: settings.DATABASE_URL,
      started: false,
      restarts: () => 0,
      close: () => Promise.resolve(),
    };
  }
  const cluster = await startCluster(home, { ...watch, binaries: settings.POSTGRES_BIN });
  await ensureDatabase(cluster.connectionString('postgres'));
  return {
    connectionString: cluster.connectionString(DATABASE),
    started: true,
    restarts: cluster.restarts,
    close: () => cluster.stop(),
  };
}

/**
 * Stops what a command opened when somebody ends it early: its PostgreSQL is a process of its own and would stay.
 * @returns a function for when the command has closed it itself
 */
function closeOnSignal(close: () => Promise<void>): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = () => void close().finally(() => process.exit(1));
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.removeListener(signal, end);
  };
}

/** Runs a command's work on a database that was opened for it, and closes it, also where somebody ends the command early. */
export async function workOn<T>(
  opened: OpenedDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const release = closeOnSignal(() => opened.close());
  try {
    return await withClient(opened.connectionString, work);
  } finally {
    release();
    await opened.close();
  }
}

/**
 * Runs a command's work on the database that is there: the one that a running host has open, else one opened for this
 * command. It says on standard error which one that is, and makes none.
 * @throws StartError when it cannot be had
 */
export async function withDatabase<T>(
  settings: Settings,
  work: (client: pg.Client, connectionString: string) => Promise<T>,
): Promise<T> {
  const home = settings.DATABASE_URL ? null : findDataHome(settings.DATA_DIR);
  const running = home && runningServer(clusterFolder(home.database));
  console.error(
    home
      ? `Using the database in ${home.database}${running ? ', which a running Packpark has open' : ''}.`
      : `Using the database of DATABASE_URL, ${placeOf(settings.DATABASE_URL ?? '')}.`,
  );
  const opened: OpenedDatabase = running
    ? {
        connectionString: socketConnection(running.socket, DATABASE),
        started: false,
        restarts: () => 0,
        close: () => Promise.resolve(),
      }
    : await openForHost(settings, home);
  return workOn(opened, (client) => work(client, opened.connectionString));
}
