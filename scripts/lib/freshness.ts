// Checks whether a built part matches its sources, by a hash of their contents that is stored with the build. This file is built
// into server/dist, because commands that start the host run the check before a TypeScript runner is loaded.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Finds the root of the checkout, both from scripts/lib and from a build of the server. */
function findRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package-lock.json'))) folder = path.dirname(folder);
  return folder;
}
export const ROOT = findRoot();

export type Part = 'app' | 'server';

const SKIPPED = new Set(['node_modules', 'dist', 'builds', 'android', 'ios', '.tanstack']);

/** The inputs of each part, and the link to its newest build. */
export const PARTS: Record<Part, { inputs: string[]; output: string }> = {
  app: { inputs: ['app', 'shared', 'languages'], output: 'app/dist' },
  server: { inputs: ['server/src', 'supabase/functions', 'shared'], output: 'server/dist' },
};

const sources = (entry: string): string[] =>
  readdirSync(path.join(ROOT, entry), { withFileTypes: true })
    .filter((one) => !SKIPPED.has(one.name) && !/\.test\.tsx?$|\.gen\.ts$/.test(one.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((one) => {
      const name = path.join(entry, one.name);
      return one.isDirectory() ? sources(name) : [name];
    });

export function inputsHash(part: Part): string {
  const hash = createHash('sha256');
  const names = [
    ...PARTS[part].inputs.flatMap(sources),
    'package-lock.json',
    'scripts/build.ts',
    'scripts/lib/freshness.ts',
    'scripts/lib/precompress.ts',
  ];
  for (const name of names)
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(ROOT, name)))
      .update('\0');
  return hash.digest('hex');
}

const stamp = (part: Part) => path.join(ROOT, PARTS[part].output, '.inputs');

/** `usable`: complete enough to be served. `finished`: also compressed with the best level. */
type Stage = 'usable' | 'finished';

/** Returns true if a part was built from the current inputs, at least to this stage. */
export function isFresh(part: Part, stage: Stage = 'finished'): boolean {
  try {
    const [hash, reached = 'finished'] = readFileSync(stamp(part), 'utf8').split(' ');
    return hash === inputsHash(part) && (stage === 'usable' || reached === 'finished');
  } catch {
    return false;
  }
}

/** Records the hash of the inputs from which a part was built. The hash must be computed before the build starts. */
export function markFresh(part: Part, hash: string, stage: Stage = 'finished'): void {
  writeFileSync(stamp(part), `${hash} ${stage}`);
}
