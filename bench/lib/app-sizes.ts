// What the built app's entry and routes weigh on the wire: brotli 11, with the chunks that they need.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { ROOT } from './server-code.ts';
import { round } from './statistics.ts';

export const DIST = path.join(ROOT, 'app/dist');

/** Most chunks are needed by several routes, and this compression is slow. */
const measured = new Map();

function compressed(file) {
  const known = measured.get(file);
  if (known !== undefined) return known;
  const { length } = brotliCompressSync(readFileSync(path.join(DIST, file)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  measured.set(file, length);
  return length;
}

/** @param files below app/dist @returns their sum in KB of 1000 bytes */
export const kilobytes = (files) =>
  round([...files].reduce((sum, file) => sum + compressed(file), 0) / 1000);

/** Every file a chunk needs before it runs: itself and its static imports. */
function closure(manifest, key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) closure(manifest, imported, seen);
  return seen;
}

/**
 * @returns Vite's manifest, the entry with all that it imports (KB), the home map and each other route, the largest
 *   first: its key, its `own` chunk (KB), and the number and `size` (KB) of the scripts that it needs beside the entry
 */
export function appSizes() {
  const manifest = JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8'));
  const entryKey = Object.keys(manifest).find((key) => manifest[key].isEntry);
  const entryFiles = new Set([...closure(manifest, entryKey)].map((key) => manifest[key].file));
  const routes = Object.entries(manifest)
    .filter(([key]) => /src\/routes\//.test(key))
    .map(([key, chunk]) => {
      const needed = new Set(
        [...closure(manifest, key)]
          .map((each) => manifest[each].file)
          .filter((file) => !entryFiles.has(file)),
      );
      return { key, own: kilobytes([chunk.file]), scripts: needed.size, size: kilobytes(needed) };
    });
  const isHome = ({ key }) => /routes\/index\.tsx/.test(key);
  const others = routes.filter((route) => !isHome(route)).sort((a, b) => b.own - a.own);
  return { manifest, entrySize: kilobytes(entryFiles), home: routes.find(isHome), others };
}
