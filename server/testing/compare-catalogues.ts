// Says how the catalogues of databases differ that were made in different ways; see scripts/compare-catalogues.ts.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { startCluster } from '#/host/db/cluster.ts';
import { dataHome } from '#/host/db/data-home.ts';
import { migrateToNewest } from '#/host/db/migrate.ts';
import { differences, readCatalogue, type Catalogue } from './catalogue.ts';
import {
  emptyDatabase,
  makeBeforeBaseline,
  makeFromMigrations,
  makeFromSchemas,
} from './schema-databases.ts';

const WAYS: Record<string, (client: pg.ClientBase) => Promise<void>> = {
  schemas: makeFromSchemas,
  migrations: makeFromMigrations,
  before: makeBeforeBaseline,
  carried: async (client) => {
    await makeBeforeBaseline(client);
    await migrateToNewest(client);
  },
};

/**
 * @returns the differences as lines to print, and how many of them are between what must be equal
 */
export async function compareCatalogues(): Promise<{ lines: string[]; unequal: number }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-catalogues-'));
  await chmod(folder, 0o755);
  const cluster = await startCluster(dataHome(folder), { settings: { fsync: 'off' } });
  const catalogues: Record<string, Catalogue> = {};
  try {
    for (const [way, make] of Object.entries(WAYS)) {
      const { client, close } = await emptyDatabase(cluster.connectionString('postgres'), way);
      await make(client);
      catalogues[way] = await readCatalogue(client);
      await close();
    }
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const lines: string[] = [];
  let unequal = 0;
  for (const [one, other] of [
    ['schemas', 'migrations'],
    ['schemas', 'carried'],
    ['before', 'schemas'],
  ] as const) {
    const [a, b] = [catalogues[one] as Catalogue, catalogues[other] as Catalogue];
    const { gone, added, changed } = differences(a, b);
    lines.push(
      `${one} (${a.size} objects) → ${other} (${b.size}): ${gone.length} gone, ${added.length} added, ${changed.length} changed`,
    );
    for (const [mark, names] of [
      ['-', gone],
      ['+', added],
      ['~', changed],
    ] as const)
      lines.push(...names.map((name) => `  ${mark} ${name}`));
    if (one !== 'before') unequal += gone.length + added.length + changed.length;
  }
  return { lines, unequal };
}
