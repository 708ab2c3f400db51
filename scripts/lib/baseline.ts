// The schema files in the order of config.toml, and the first migration, which was made of them for 1.0.0 and stays as it is.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './freshness.ts';

const SUPABASE = path.join(ROOT, 'supabase');
const BOOTSTRAP = path.join(ROOT, 'server/src/host/db/bootstrap');
const MIGRATIONS = path.join(SUPABASE, 'migrations');

/** Objects can be made in their order. */
export function schemaFiles(): { name: string; text: string }[] {
  const config = readFileSync(path.join(SUPABASE, 'config.toml'), 'utf8');
  const list = /^schema_paths = (\[[^\]]*\])$/m.exec(config)?.[1];
  if (list === undefined) throw new Error('supabase/config.toml has no schema_paths.');
  return (JSON.parse(list) as string[]).map((name) => ({
    name: path.basename(name),
    text: readFileSync(path.join(SUPABASE, name), 'utf8'),
  }));
}

/** The hash in its name is of all SQL that makes a database: itself, and the host's own steps that it was made beside. */
export function isBaselineUntouched(): boolean {
  const [name = ''] = readdirSync(MIGRATIONS).sort();
  const hash = createHash('sha256').update(readFileSync(path.join(MIGRATIONS, name)));
  return readdirSync(BOOTSTRAP)
    .sort()
    .some((step) => {
      hash.update(readFileSync(path.join(BOOTSTRAP, step)));
      return name.endsWith(`_baseline_${hash.copy().digest('hex').slice(0, 8)}.sql`);
    });
}
