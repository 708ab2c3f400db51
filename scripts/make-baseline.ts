// Writes the baseline of supabase/migrations: supabase/schemas in the order of config.toml. Run once, when steps are squashed.
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serverModule } from './lib/server-module.ts';

interface Schemas {
  readSchemas(): Promise<{ file: string; sql: string }[]>;
}

const MIGRATIONS = path.resolve(import.meta.dirname, '../supabase/migrations');

const [version = ''] = process.argv.slice(2);
if (!/^\d{14}$/.test(version))
  throw new Error('Say its version: npx jiti scripts/make-baseline.ts 20261122000000');
if ((await readdir(MIGRATIONS)).length > 0)
  throw new Error('Remove the steps that the baseline replaces first.');
const header =
  '-- The baseline: supabase/schemas as they were when it was made, by scripts/make-baseline.ts. Never edited again.\n';
const { readSchemas } = await serverModule<Schemas>('testing/schema-databases.ts');
const parts = (await readSchemas()).map(({ file, sql }) => `-- schemas/${file}\n${sql}`);
const target = path.join(MIGRATIONS, `${version}_baseline.sql`);
await writeFile(target, [header, ...parts].join('\n'));
console.log(`Wrote ${path.relative(process.cwd(), target)}`);
