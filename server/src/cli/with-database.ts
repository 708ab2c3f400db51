// Runs a command's work on a database, and closes what was opened for it, even if a signal ends the command.
import type pg from 'pg';
import { socketConnection } from '#/host/db/cluster.ts';
import { runningServer } from '#/host/db/cluster-files.ts';
import {
  DATABASE,
  openedElsewhere,
  openForHost,
  placeOf,
  withClient,
  type OpenedDatabase,
} from '#/host/db/connect.ts';
import { clusterFolder, findDataHome } from '#/host/db/data-home.ts';
import type { Settings } from '#/host/lib/host-settings.ts';

/**
 * Closes the database when a signal ends the command, because its PostgreSQL is a separate process that would keep running.
 * @returns a function that removes the signal handlers
 */
function closeOnSignal(close: () => Promise<void>): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = () => void close().finally(() => process.exit(1));
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.removeListener(signal, end);
  };
}

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
 * Runs work on the existing database: through the server of a running host, otherwise by opening the database. Never creates a
 * database. Prints to standard error which database it uses.
 * @throws StartError if the database cannot be opened
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
  const opened = running
    ? openedElsewhere(socketConnection(running.socket, DATABASE))
    : await openForHost(settings, home);
  return workOn(opened, (client) => work(client, opened.connectionString));
}
