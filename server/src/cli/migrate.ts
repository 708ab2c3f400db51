// `packpark migrate`: migrates the database without starting the host.
import type { Command } from '#/cli/command.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { migrateToNewest } from '#/host/db/migrate.ts';
import { readSettings } from '#/product/settings.ts';

export const command: Command = {
  summary: 'migrate the database to the newest schema',
  help: `
Usage: npx packpark migrate

Applies the migrations in supabase/migrations that the database lacks. Does not create a database.
"npx packpark start" does the same; several processes may run it at the same time.`,
  async run() {
    const applied = await withDatabase(readSettings(process.env), migrateToNewest);
    for (const name of applied) console.log(`Applied ${name}`);
    if (applied.length === 0) console.log('The database already has the newest schema.');
  },
};
