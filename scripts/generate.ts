// Generates the app's route tree (not committed), texts derived from languages/, the baseline and the database's types.
// Fails if supabase/migrations and supabase/schemas lead to different databases. `routes` generates the route tree only;
// `freeze` freezes the baseline for the first release.
import { writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';
import type * as clusterModule from '../server/src/host/db/cluster.ts';
import type * as dataHomeModule from '../server/src/host/db/data-home.ts';
import { differences } from '../testing/catalogue.ts';
import type * as schemaDatabases from '../testing/schema-databases.ts';
import { freezeBaseline, isBaselineIntact, writeBaseline } from './lib/baseline.ts';
import { databaseTypes } from './lib/database-types.ts';
import { ROOT } from './lib/freshness.ts';
import { languageSchema, languageMigration } from './lib/language-schema.ts';
import { writeNativeTexts } from './lib/native-languages.ts';
import { serverModule } from './lib/server-module.ts';
import { writeMailTemplates } from './mail-templates.ts';

const LANGUAGES = path.join(ROOT, 'supabase/schemas/languages.sql');
/** Objects that are generated from the languages. Only for these, a migration can be generated. */
const OF_LANGUAGES = /^function private\.messages|^type (public\.)?language$/;
/** Returns the current time as the 14 digits of a migration's version. */
const stamp = () => new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);

async function writeRoutes() {
  const root = path.join(ROOT, 'app');
  const config = getConfig(
    {
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: './src/routes',
      generatedRouteTree: './src/route-tree.gen.ts',
      quoteStyle: 'single',
      disableLogging: true,
    },
    root,
  );
  await new Generator({ config, root }).run();
}

/** Migrates an empty database. Returns its generated types, and the objects and rows that differ from supabase/schemas. */
async function readDatabase(): Promise<{ types: Record<string, string>; lacking: string[] }> {
  const { startCluster } = await serverModule<typeof clusterModule>('src/host/db/cluster.ts');
  const { makeDataHome } = await serverModule<typeof dataHomeModule>('src/host/db/data-home.ts');
  const { bothCatalogues } = await serverModule<typeof schemaDatabases>(
    '../testing/schema-databases.ts',
  );
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-types-'));
  await chmod(folder, 0o755);
  const cluster = await startCluster(makeDataHome(folder), { settings: { fsync: 'off' } });
  try {
    const { declared, stepped, found } = await bothCatalogues(
      cluster.connectionString('postgres'),
      databaseTypes,
    );
    return { types: found, lacking: Object.values(differences(declared, stepped)).flat() };
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Generates everything. Returns null, or a message about the problem that prevented it. */
async function problem(): Promise<string | null> {
  writeFileSync(LANGUAGES, languageSchema());
  writeBaseline();
  if (!isBaselineIntact())
    return 'The baseline in supabase/migrations belongs to a release: put it back as it was.';
  await writeMailTemplates();
  writeNativeTexts();
  let { types, lacking } = await readDatabase();
  if (lacking.some((name) => OF_LANGUAGES.test(name))) {
    writeFileSync(
      path.join(ROOT, `supabase/migrations/${stamp()}_languages.sql`),
      languageMigration(),
    );
    ({ types, lacking } = await readDatabase());
  }
  if (lacking.length > 0)
    return `supabase/schemas and the migrations disagree about ${lacking.slice(0, 9).join(', ')}: add a migration that changes the database of the last release accordingly, supabase/migrations/<14 digits of the date>_<name>.sql.`;
  for (const [file, source] of Object.entries(types)) writeFileSync(path.join(ROOT, file), source);
  return null;
}

await writeRoutes();
if (process.argv[2] !== 'routes') {
  const found = await problem();
  if (found !== null) console.error(found);
  else if (process.argv[2] === 'freeze') freezeBaseline();
  process.exitCode = found === null ? 0 : 1;
}
