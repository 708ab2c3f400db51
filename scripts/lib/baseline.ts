// The one migration before the first release: supabase/schemas in the order of config.toml, under a name that changes with it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The schema files by their paths in config.toml, in the order in which their objects can be made. */
function schemaFiles(): File[] {
  const config = readFileSync(path.join(SUPABASE, 'config.toml'), 'utf8');
  const list = /^schema_paths = (\[[^\]]*\])$/m.exec(config)?.[1];
  if (list === undefined) throw new Error('supabase/config.toml has no schema_paths.');
  return (JSON.parse(list) as string[]).map((name) => ({
    name,
    text: readFileSync(path.join(SUPABASE, name), 'utf8'),
  }));
}

/** What the migration must be now. Its name holds a hash of all SQL that makes a database, the host's own included. */
function makeBaseline(): File {
  const text = [
    '-- The whole schema, written by `npm run generate` from supabase/schemas.\n',
    ...schemaFiles().map((file) => `-- ${path.basename(file.name)}\n${file.text}`),
  ].join('\n');
  const hash = createHash('sha256').update(text);
  for (const name of readdirSync(BOOTSTRAP).sort())
    hash.update(readFileSync(path.join(BOOTSTRAP, name)));
  return { name: `${VERSION}_baseline_${hash.digest('hex').slice(0, 8)}.sql`, text };
}

/** Puts it in the place of the former one. */
export function writeBaseline(): void {
  const { name, text } = makeBaseline();
  for (const old of readdirSync(MIGRATIONS))
    if (old.startsWith(VERSION) && old !== name) rmSync(path.join(MIGRATIONS, old));
  writeFileSync(path.join(MIGRATIONS, name), text);
}

/** Whether the committed one is what it must be. */
export function isBaselineFresh(): boolean {
  const { name, text } = makeBaseline();
  const found = readdirSync(MIGRATIONS).filter((file) => file.startsWith(VERSION));
  return found.join() === name && readFileSync(path.join(MIGRATIONS, name), 'utf8') === text;
}
