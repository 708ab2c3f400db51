// Computes the transfer sizes of the built app's entry and routes (brotli 11), including the chunks that they need.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { ROOT } from './server-code.ts';
import { round } from './statistics.ts';

export type Manifest = Record<string, { file: string; imports?: string[]; isEntry?: boolean }>;

export interface RouteSize {
  key: string;
  own: number;
  /** Number and total KB of the scripts that are needed in addition to the entry. */
  scripts: number;
  size: number;
}

export const DIST = path.join(ROOT, 'app/dist');

/** A cache, because most chunks are needed by several routes and compressing is slow. */
const measured = new Map<string, number>();

function compressed(file: string) {
  const known = measured.get(file);
  if (known !== undefined) return known;
  const bytes = readFileSync(path.join(DIST, file));
  const { length } = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  measured.set(file, length);
  return length;
}

/**
 * Returns the total transfer size in KB of 1000 bytes.
 * @param files paths below app/dist
 */
export const kilobytes = (files: Iterable<string>) =>
  round([...files].reduce((sum, file) => sum + compressed(file), 0) / 1000);

/** Returns all files that a chunk needs before it runs: itself and its static imports. */
function closure(manifest: Manifest, key: string, seen = new Set<string>()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key]?.imports ?? []) closure(manifest, imported, seen);
  return seen;
}

/**
 * Returns Vite's manifest and the sizes in KB: the entry with its imports, the home map, and all other routes, the largest first.
 */
export function appSizes(): {
  manifest: Manifest;
  entrySize: number;
  home: RouteSize | undefined;
  /** The files of the home map, including the entry. */
  homeFiles: string[];
  others: RouteSize[];
} {
  const manifest: Manifest = JSON.parse(
    readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8'),
  );
  const fileOf = (key: string) => manifest[key]?.file ?? '';
  const entryKey = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? '';
  const entryFiles = new Set([...closure(manifest, entryKey)].map(fileOf));
  const routes = Object.entries(manifest)
    .filter(([key]) => /src\/routes\//.test(key))
    .map(([key, chunk]) => {
      const needed = new Set(
        [...closure(manifest, key)].map(fileOf).filter((file) => !entryFiles.has(file)),
      );
      return { key, own: kilobytes([chunk.file]), scripts: needed.size, size: kilobytes(needed) };
    });
  const isHome = ({ key }: RouteSize) => /routes\/index\.tsx/.test(key);
  const home = routes.find(isHome);
  const homeFiles = [...entryFiles, ...[...closure(manifest, home?.key ?? '')].map(fileOf)];
  const others = routes.filter((route) => !isHome(route)).sort((a, b) => b.own - a.own);
  return { manifest, entrySize: kilobytes(entryFiles), home, homeFiles, others };
}
