// Writes what is generated: the app's route tree, which is not committed, what the languages say elsewhere, and the database's types. With `routes`, the route tree alone; with `--check`, nothing, and it fails where what is committed is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';
import { isBaselineUntouched } from './lib/baseline.ts';
import { readDatabase } from './lib/database-types.ts';
import { ROOT } from './lib/freshness.ts';
import { languageSchema, languageStep } from './lib/language-schema.ts';
import { writeNativeTexts } from './lib/native-languages.ts';
import { writeMailTemplates } from './mail-templates.ts';

const TYPES = path.join(ROOT, 'shared/database.types.ts');
const LANGUAGES = path.join(ROOT, 'supabase/schemas/languages.sql');
/** What a step can be written for. */
const OF_LANGUAGES = /^function private\.texts|^type (public\.)?language$/;
/** Of this second, in 14 digits. */
const stamp = () => new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
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

/** What stands in the way, in one sentence. */
async function problem(): Promise<string | null> {
  if (mode === undefined) {
    writeFileSync(LANGUAGES, languageSchema());
    await writeMailTemplates();
    writeNativeTexts();
  }
  if (!isBaselineUntouched())
    return 'The baseline in supabase/migrations belongs to a release: put it back as it was.';
  let { types, lacking } = await readDatabase();
  if (mode === undefined && lacking.some((name) => OF_LANGUAGES.test(name))) {
    writeFileSync(path.join(ROOT, `supabase/migrations/${stamp()}_languages.sql`), languageStep());
    ({ types, lacking } = await readDatabase());
  }
  if (lacking.length > 0)
    return `supabase/schemas and the steps disagree about ${lacking.slice(0, 9).join(', ')}: write a step that changes the database of the last release so, supabase/migrations/<14 digits of the date>_<name>.sql.`;
  if (mode === undefined) writeFileSync(TYPES, types);
  return readFileSync(TYPES, 'utf8') === types &&
    readFileSync(LANGUAGES, 'utf8') === languageSchema()
    ? null
    : 'Something generated is stale: run npm run generate, and commit it.';
}

if (mode !== '--check') await writeRoutes();
if (mode !== 'routes') {
  const found = await problem();
  if (found !== null) console.error(found);
  process.exitCode = found === null ? 0 : 1;
}
