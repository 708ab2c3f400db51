// Opens the database that the settings name, external or embedded, for as long as a command needs it.
import pg from 'pg';
import { startCluster, socketConnection } from '#/host/db/cluster.ts';
import { runningServer } from '#/host/db/cluster-files.ts';
import { clusterFolder, dataHome, type DataHome } from '#/host/db/data-home.ts';
import type { Settings } from '#/host/lib/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** The name of our database in the embedded cluster. */
export const DATABASE = 'packpark';
const OLDEST = 15;

export interface OpenedDatabase {
  connectionString: string;
  /** True when this process started the server and stops it again. */
  started: boolean;
  close(): Promise<void>;
}

interface Watch {
  onRestart?(sentence: string): void;
  onLost?(error: Error): void;
}

async function checkExternal(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  const place = `${client.host}:${client.port}/${client.database}`;
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>('show server_version_num');
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
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client(connectionString);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/**
 * Opens DATABASE_URL, else starts the embedded cluster for `home`.
 * @throws StartError when it cannot be had
 */
export async function openForHost(
  settings: Settings,
  home: DataHome,
  watch: Watch = {},
): Promise<OpenedDatabase> {
  if (settings.DATABASE_URL) {
    await checkExternal(settings.DATABASE_URL);
    return {
      connectionString: settings.DATABASE_URL,
      started: false,
      close: () => Promise.resolve(),
    };
  }
  const cluster = await startCluster(home, watch);
  await ensureDatabase(cluster.connectionString('postgres'));
  return {
    connectionString: cluster.connectionString(DATABASE),
    started: true,
    close: () => cluster.stop(),
  };
}

/**
 * Runs a command's work on the database: the one that a running host has open, else one opened for this command.
 * @throws StartError when it cannot be had
 */
export async function withDatabase<T>(
  settings: Settings,
  work: (client: pg.Client, connectionString: string) => Promise<T>,
): Promise<T> {
  const home = dataHome(settings.DATA_DIR);
  const running = settings.DATABASE_URL ? null : runningServer(clusterFolder(home.database));
  const opened: OpenedDatabase = running
    ? {
        connectionString: socketConnection(running.socket, DATABASE),
        started: false,
        close: () => Promise.resolve(),
      }
    : await openForHost(settings, home);
  try {
    const client = new pg.Client(opened.connectionString);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client, opened.connectionString);
    } finally {
      await client.end();
    }
  } finally {
    await opened.close();
  }
}
