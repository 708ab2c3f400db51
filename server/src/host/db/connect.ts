// Opens the external or embedded database according to the settings.
import pg from 'pg';
import { startCluster, type ClusterOptions } from '#/host/db/cluster.ts';
import { rejectInterruptedRestore, type DataHome } from '#/host/db/data-home.ts';
import type { Settings } from '#/host/lib/host-settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** The name of our database in the embedded cluster. */
export const DATABASE = 'packpark';
const OLDEST = 15;

export interface OpenedDatabase {
  connectionString: string;
  restarts(): number;
  close(): Promise<void>;
}

/** Returns a database whose server this process does not manage. */
export const openedElsewhere = (connectionString: string): OpenedDatabase => ({
  connectionString,
  restarts: () => 0,
  close: () => Promise.resolve(),
});

/** Describes a connection string without its password. */
export function placeOf(connectionString: string): string {
  const { host, port, database } = new pg.Client(connectionString);
  return `${host}:${port}/${database}`;
}

export async function withClient<T>(
  config: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // If the server stops, the running query rejects, so the event needs no handling.
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

/**
 * Opens DATABASE_URL, or starts the embedded cluster of `home`.
 * @param home null if DATABASE_URL is set and this machine has no data folder
 * @throws StartError if it cannot be opened
 */
export async function openForHost(
  settings: Settings,
  home: DataHome | null,
  watch: Pick<ClusterOptions, 'onRestart' | 'onLost'> = {},
): Promise<OpenedDatabase> {
  if (home === null || settings.DATABASE_URL) {
    if (!settings.DATABASE_URL) throw new Error('There is neither a data folder nor DATABASE_URL.');
    await checkExternal(settings.DATABASE_URL);
    return openedElsewhere(settings.DATABASE_URL);
  }
  rejectInterruptedRestore(home);
  const cluster = await startCluster(home, { ...watch, binaries: settings.POSTGRES_BIN });
  await cluster.ensureDatabase(DATABASE);
  return {
    connectionString: cluster.connectionString(DATABASE),
    restarts: cluster.restarts,
    close: cluster.stop,
  };
}
