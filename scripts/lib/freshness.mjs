// Tells whether a built part still matches its sources, by a hash of their contents kept beside what was built.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

const SKIPPED = new Set(['node_modules', 'dist', 'android', 'ios', '.tanstack']);

/** What each part is made from, and where it lands. */
export const PARTS = {
  app: { inputs: ['app', 'shared'], output: 'app/dist' },
  server: { inputs: ['server/src', 'supabase/functions', 'shared'], output: 'server/dist' },
};

function sources(entry) {
  return readdirSync(path.join(ROOT, entry), { withFileTypes: true })
    .filter((one) => !SKIPPED.has(one.name) && !/\.test\.tsx?$|\.gen\.ts$/.test(one.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((one) => {
      const name = path.join(entry, one.name);
      return one.isDirectory() ? sources(name) : [name];
    });
}

/** The hash of everything that a part is made from. */
export function inputsHash(part) {
  const hash = createHash('sha256');
  const names = [
    ...PARTS[part].inputs.flatMap(sources),
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/lib/precompress.mjs',
  ];
  for (const name of names)
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(ROOT, name)))
      .update('\0');
  return hash.digest('hex');
}

const stamp = (part) => path.join(ROOT, PARTS[part].output, '.inputs');

/** Whether a part was built from what is there now. */
export function isFresh(part) {
  try {
    return readFileSync(stamp(part), 'utf8') === inputsHash(part);
  } catch {
    return false;
  }
}

/** Notes that a part was built from the inputs with this hash (taken before the build began). */
export function markFresh(part, hash) {
  writeFileSync(stamp(part), hash);
}
