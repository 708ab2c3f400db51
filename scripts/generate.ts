// Writes what is generated: the app's route tree, which is not committed, the migration made of supabase/schemas, and the
// database's types. With `routes`, the route tree alone; with `--check`, nothing, and it fails where what is committed is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';
import { isBaselineFresh, writeBaseline } from './lib/baseline.ts';
import { databaseTypes } from './lib/database-types.ts';
import { ROOT } from './lib/freshness.ts';

const TYPES = path.join(ROOT, 'shared/database.types.ts');
const [mode] = process.argv.slice(2);

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

if (mode !== '--check') await writeRoutes();
if (mode === undefined) {
  writeBaseline();
  writeFileSync(TYPES, await databaseTypes());
} else if (mode === '--check') {
  const fresh = isBaselineFresh() && readFileSync(TYPES, 'utf8') === (await databaseTypes());
  if (!fresh) console.error('Something generated is stale: run npm run generate, and commit it.');
  process.exitCode = fresh ? 0 : 1;
}
