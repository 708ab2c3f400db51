// supabase/schemas in the order of config.toml, and the first migration, which 1.0.0 made of them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './freshness.ts';

const SUPABASE = path.join(ROOT, 'supabase');
const BOOTSTRAP = path.join(ROOT, 'server/src/host/db/bootstrap');
const MIGRATIONS = path.join(SUPABASE, 'migrations');
const VERSION = '20261124000000';

interface File {
  name: string;
  text: string;
}

/** The schema files in the order of config.toml, in which their objects can be made. */
export function schemaFiles(): File[] {
  const config = readFileSync(path.join(SUPABASE, 'config.toml'), 'utf8');
  const list = /^schema_paths = (\[[^\]]*\])$/m.exec(config)?.[1];
  if (list === undefined) throw new Error('supabase/config.toml has no schema_paths.');
  return (JSON.parse(list) as string[]).map((name) => ({
    name: path.basename(name),
    text: readFileSync(path.join(SUPABASE, name), 'utf8'),
  }));
}

/** Whether the one of the release is as it was: the hash in its name is of it and of the steps of the host's own that there were then. */
export function isBaselineWhole(): boolean {
  const [name = '', ...others] = readdirSync(MIGRATIONS).filter((file) => file.startsWith(VERSION));
  if (name === '' || others.length > 0) return false;
  const hash = createHash('sha256').update(readFileSync(path.join(MIGRATIONS, name)));
  return readdirSync(BOOTSTRAP)
    .sort()
    .some((step) => {
      hash.update(readFileSync(path.join(BOOTSTRAP, step)));
      return name === `${VERSION}_baseline_${hash.copy().digest('hex').slice(0, 8)}.sql`;
    });
}
