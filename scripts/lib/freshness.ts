// Checks whether a built part matches its sources, by hashes that are stored with the build. This file is built into server/dist,
// because commands that start the host run the check before a TypeScript runner is loaded.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

function hashInputs(part: Part, read: (file: string) => string | Buffer): string {
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
      .update(read(path.join(ROOT, name)))
      .update('\0');
  return hash.digest('hex');
}

/** The operating system updates ctime at each change of a file, and programs cannot set it. */
function statusOf(file: string): string {
  const { size, ctimeMs } = statSync(file);
  return `${size} ${ctimeMs}`;
}

/** Two hashes of a part's inputs. Equal statuses mean equal contents, and reading statuses takes a fraction of the time. */
interface Inputs {
  contents: string;
  statuses: string;
}

export function readInputs(part: Part): Inputs {
  // The statuses are read first, so that a file that changes in between does not count as built.
  const statuses = hashInputs(part, statusOf);
  return { statuses, contents: hashInputs(part, readFileSync) };
}

const stamp = (part: Part) => path.join(ROOT, PARTS[part].output, '.inputs');

/** `usable`: complete enough to be served. `finished`: also compressed with the best level. */
type Stage = 'usable' | 'finished';

/** Returns true if a part was built from the current inputs, at least to this stage. */
export function isFresh(part: Part, stage: Stage = 'finished'): boolean {
  try {
    const [contents, reached, statuses] = readFileSync(stamp(part), 'utf8').split(' ');
    const isReached = stage === 'usable' || reached === 'finished';
    return (
      isReached &&
      // A copied checkout has other statuses.
      (statuses === hashInputs(part, statusOf) || contents === hashInputs(part, readFileSync))
    );
  } catch {
    return false;
  }
}

/** Records the inputs from which a part was built. They must be read before the build starts. */
export function markFresh(
  part: Part,
  { contents, statuses }: Inputs,
  stage: Stage = 'finished',
): void {
  writeFileSync(stamp(part), `${contents} ${stage} ${statuses}`);
}
