// Each build has a separate folder, and the link `dist` points to the newest one. So a running host keeps the build with which it
// started.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { isAlive } from './build-lock.ts';
import { PARTS, ROOT, type Part } from './freshness.ts';

const linkOf = (part: Part) => path.join(ROOT, PARTS[part].output);
const folderOf = (part: Part) => path.join(path.dirname(linkOf(part)), 'builds');

export function newBuild(part: Part): string {
  const folder = path.join(folderOf(part), `${Date.now()}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const presentBuild = (part: Part): string => realpathSync(linkOf(part));

/** A host writes a file with its process ID into the build that it uses (server/src/host/lib/builds.ts). */
const isUsed = (build: string): boolean =>
  readdirSync(build).some((name) => name.startsWith('.used-') && isAlive(Number(name.slice(6))));

/** Links `dist` to a build and removes unused builds. The previous build stays, because a command may be loading it. */
export function present(part: Part, build: string): void {
  const link = linkOf(part);
  const half = `${link}.${process.pid}`;
  symlinkSync(path.relative(path.dirname(link), build), half);
  if (existsSync(link) && !lstatSync(link).isSymbolicLink()) rmSync(link, { recursive: true });
  renameSync(half, link);
  for (const name of readdirSync(folderOf(part)).sort().slice(0, -2)) {
    const old = path.join(folderOf(part), name);
    if (!isUsed(old)) rmSync(old, { recursive: true, force: true });
  }
}
