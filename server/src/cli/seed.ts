// `packpark seed`, and what a first start does: the demo parks and people, once and only into an empty database.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { withDatabase } from '#/db/connect.ts';
import { migrateToNewest } from '#/db/migrate.ts';
import { ROOT } from '#/lib/paths.ts';
import { readSettings } from '#/lib/settings.ts';
import { StartError } from '#/lib/start-error.ts';

const SEED = path.join(ROOT, 'supabase/seed.sql');

/**
 * Runs supabase/seed.sql in one transaction where there is no park yet.
 * @returns whether it did
 */
export async function seedDemo(client: pg.ClientBase): Promise<boolean> {
  if (!existsSync(SEED)) return false;
  await client.query('begin');
  try {
    // Two processes may start at once: the second one waits, and finds the parks.
    await client.query('lock table public.parks in share row exclusive mode');
    const { rowCount } = await client.query('select from public.parks limit 1');
    if (rowCount === 0) await client.query(await readFile(SEED, 'utf8'));
    await client.query('commit');
    return rowCount === 0;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

export const command: Command = {
  summary: 'put the demo parks and people into an empty database',
  help: `
Usage: npx packpark seed

Fills a database that has no park yet with about 40 invented parks and a few invented people.
Their passwords are public: it refuses to do so where NODE_ENV is production.`,
  async run() {
    const settings = readSettings(process.env);
    if (settings.NODE_ENV === 'production')
      throw new StartError(
        'The demo is never put into a production database (NODE_ENV is production).',
      );
    const seeded = await withDatabase(settings, async (client) => {
      await migrateToNewest(client);
      return seedDemo(client);
    });
    console.log(seeded ? 'The demo is in.' : 'There are parks already: nothing was changed.');
  },
};
