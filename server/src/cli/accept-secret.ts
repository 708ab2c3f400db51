// `packpark accept-secret`: accepts a new secret for a database after the earlier one was lost or stolen.
import type { Command } from '#/cli/command.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { rejectRunningHost } from '#/host/db/listener.ts';
import { requireNewestSchema } from '#/host/db/migrate.ts';
import { acceptSecret } from '#/host/db/stored-secret.ts';
import { readSettings } from '#/product/settings.ts';

export const command: Command = {
  summary: 'accept another secret (JWT_SECRET) for the database',
  help: `
Usage: npx packpark accept-secret

Accepts the secret in JWT_SECRET, or in the file jwt-secret of the data folder, as the secret of this database. If
there is none, a new one is created. A start rejects every secret except the last accepted one.
Everybody is logged out, links in mails stop working, and all second factors are removed, because the earlier
secret encrypted them. Stop the host before, and start it afterwards.`,
  async run() {
    const settings = readSettings(process.env);
    await withDatabase(settings, async (client) => {
      await rejectRunningHost(client);
      await requireNewestSchema(client);
      await acceptSecret(client, makeDataHome(settings.DATA_DIR).folder, settings.JWT_SECRET);
    });
    console.log(
      'The secret is accepted. Everybody has to log in again, and to set up a second factor again.',
    );
  },
};
