// `packpark seed`, which the first start also runs: adds the demo parks and users to an empty database.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { isOwnMachine } from '#/host/gateway/exposure.ts';
import { readSettings, type Settings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { Host } from '#/main.ts';

const SEED = path.join(ROOT, 'supabase/seed.sql');
/** Contains one folder per bucket, with the photos at their paths. */
const PHOTOS = path.join(ROOT, 'supabase/seed/photos');
/** Stored in packpark_host.unfinished until all photos have been uploaded, so that the next start resumes an interrupted upload. */
const UNFINISHED = 'demo photos';

/**
 * Runs supabase/seed.sql in one transaction if there are no parks. storeDemoPhotos uploads the photos.
 * @returns true if the seed was run
 */
export async function seedDemo(client: pg.ClientBase): Promise<boolean> {
  await client.query('begin');
  try {
    // If two processes start at the same time, the lock makes the second wait until the first has added the parks.
    await client.query('lock table public.parks in share row exclusive mode');
    const { rowCount } = await client.query('select from public.parks limit 1');
    if (rowCount === 0) {
      await client.query(await readFile(SEED, 'utf8'));
      await client.query('insert into packpark_host.unfinished values ($1)', [UNFINISHED]);
    }
    await client.query('commit');
    return rowCount === 0;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** @throws StartError if other machines can reach the host and its database contains demo users */
export async function rejectPublicDemo(client: pg.ClientBase, settings: Settings): Promise<void> {
  if (isOwnMachine(settings)) return;
  const { rowCount } = await client.query(
    `select from auth.users where email like '%@demo.packpark.example' limit 1`,
  );
  if (rowCount)
    throw new StartError(
      'This database has the demo users, whose passwords are public, and other machines can reach the host (NODE_ENV, SITE_URL, HOST, TRUST_PROXY): use another DATA_DIR or database.',
    );
}

/** Uploads the demo photos if seedDemo recorded that they are missing. */
export async function storeDemoPhotos({ database, store }: Host): Promise<void> {
  const noted = 'from packpark_host.unfinished where work = $1';
  const { rowCount } = await database.pool.query(`select ${noted}`, [UNFINISHED]);
  if (!rowCount || !existsSync(PHOTOS)) return;
  const entries = await readdir(PHOTOS, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.webp'));
  const photos = files.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const [bucket = '', ...name] = path.relative(PHOTOS, file).split(path.sep);
    return {
      bucket,
      name: name.join('/'),
      content: await readFile(file),
      mimetype: 'image/webp',
      cacheControl: 'max-age=2592000',
    };
  });
  await store(await Promise.all(photos));
  await database.pool.query(`delete ${noted}`, [UNFINISHED]);
}

export const command: Command = {
  summary: 'add the demo parks and users to an empty database',
  help: `
Usage: npx packpark seed

Adds about 40 invented parks and a few invented users to a database without parks.
Their passwords are public, so the command fails if other machines can reach the host.`,
  async run() {
    const settings = readSettings(process.env);
    if (!isOwnMachine(settings))
      throw new StartError(
        'The demo users have public passwords, and other machines can reach this host (NODE_ENV, SITE_URL, HOST, TRUST_PROXY).',
      );
    // Imported here, because `start` imports this file and loads the host's code while PostgreSQL starts.
    const { withHost } = await import('#/cli/with-host.ts');
    const seeded = await withHost(settings, async (host, client) => {
      const done = await seedDemo(client);
      await storeDemoPhotos(host);
      await host.functions.run('publish-parks');
      return done;
    });
    console.log(seeded ? 'The demo was added.' : 'There are parks already: nothing was changed.');
  },
};
