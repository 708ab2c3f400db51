// Starts a temporary host on a free loopback port, for commands that need more than SQL.
import type pg from 'pg';
import { withDatabase } from '#/cli/with-database.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { requireNewestSchema } from '#/host/db/migrate.ts';
import { openSecret } from '#/host/db/stored-secret.ts';
import { createLog } from '#/host/lib/log.ts';
import type { Settings } from '#/product/settings.ts';
import { startHost, type Host } from '#/main.ts';

/**
 * Runs `work` with a temporary host on the database, even if another host uses the database.
 * @throws StartError if the database cannot be opened
 */
export const withHost = <T>(
  settings: Settings,
  work: (host: Host, client: pg.Client) => Promise<T>,
): Promise<T> =>
  withDatabase(settings, async (client, connectionString) => {
    await requireNewestSchema(client);
    const host = await startHost(
      { ...settings, PORT: 0, HOST: '127.0.0.1' },
      connectionString,
      await openSecret(client, makeDataHome(settings.DATA_DIR).folder, settings.JWT_SECRET),
      // The log goes to standard error, because scripts parse the standard output.
      { log: createLog(settings.LOG_LEVEL, process.stderr) },
    );
    try {
      return await work(host, client);
    } finally {
      await host.close();
    }
  });
