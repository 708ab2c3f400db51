// The first migration: supabase/schemas in the order of config.toml, under a name that changes with it. From 1.0.0 on it stays as it is.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './freshness.ts';

const SUPABASE = path.join(ROOT, 'supabase');
const BOOTSTRAP = path.join(ROOT, 'server/src/host/db/bootstrap');
const MIGRATIONS = path.join(SUPABASE, 'migrations');
const VERSION = '20261124000000';

const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
/** From then on there are databases that only steps bring further. */
export const isReleased = !version.startsWith('0.');

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

const declared = () =>
  [
    '-- The whole schema, written by `npm run generate` from supabase/schemas.\n',
    ...schemaFiles().map(({ name, text }) => `-- ${name}\n${text}`),
  ].join('\n');

/** The hash in its name is of all SQL that makes a database: one name for each step of the host's own that it may have been made beside. */
function namesOf(text: string): string[] {
  const hash = createHash('sha256').update(text);
  const bootstrap = readdirSync(BOOTSTRAP).sort();
  return bootstrap.map((name) => {
    hash.update(readFileSync(path.join(BOOTSTRAP, name)));
    return `${VERSION}_baseline_${hash.copy().digest('hex').slice(0, 8)}.sql`;
  });
}

const found = () => readdirSync(MIGRATIONS).filter((file) => file.startsWith(VERSION));

/** Puts it in the place of the former one. */
export function writeBaseline(): void {
  const text = declared();
  for (const old of found()) rmSync(path.join(MIGRATIONS, old));
  writeFileSync(path.join(MIGRATIONS, namesOf(text).at(-1) ?? ''), text);
}

/** Whether the committed one is what it must be. */
export function isBaselineFresh(): boolean {
  const [name = '', ...others] = found();
  if (name === '' || others.length > 0) return false;
  const text = readFileSync(path.join(MIGRATIONS, name), 'utf8');
  return isReleased
    ? namesOf(text).includes(name)
    : namesOf(text).at(-1) === name && text === declared();
}
