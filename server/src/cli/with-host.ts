// For commands that need more than SQL: a host of their own on a free loopback port, for as long as they work.
import type pg from 'pg';
import { withDatabase } from '#/cli/with-database.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { requireNewestSchema } from '#/host/db/migrate.ts';
import { openSecret } from '#/host/db/stored-secret.ts';
import { createLog } from '#/host/lib/log.ts';
import type { Settings } from '#/product/settings.ts';
import { startHost, type Host } from '#/main.ts';

/** Runs `work` on the database with a host beside whatever other host runs on it. Throws StartError when the database cannot be had. */
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
      // Standard output has what the command says, for scripts to read.
      { log: createLog(settings.LOG_LEVEL, process.stderr) },
    );
    try {
      return await work(host, client);
    } finally {
      await host.close();
    }
  });
