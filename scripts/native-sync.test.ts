// The shells are committed in step with capacitor.config.ts and the plug-ins: `cap sync` would change nothing.
import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { nodeFor } from './lib/other-node.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SHELLS = ['app/package.json', 'app/capacitor.config.ts', 'app/android', 'app/ios'];
const CLI = 'node_modules/@capacitor/cli/bin/capacitor';

const copies: string[] = [];
afterEach(async () => {
  for (const copy of copies.splice(0)) await rm(copy, { recursive: true, force: true });
});

/** The files git would commit, except those that are deleted here. */
const shellFiles = () =>
  execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...SHELLS],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
    .split('\0')
    .filter(Boolean);

/** A copy of both shells in a folder that looks like the repository, so that nothing here is touched. */
async function copyOfShells() {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'packpark-shells-'));
  copies.push(copy);
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  for (const file of shellFiles()) await cp(path.join(ROOT, file), path.join(copy, file));
  await mkdir(path.join(copy, 'app/dist'));
  await writeFile(path.join(copy, 'app/dist/index.html'), '<!doctype html>');
  return copy;
}

/** The committed files that `cap sync` makes different. */
async function changedBySync(copy: string) {
  // With symlinks preserved, the linked packages count as the copy's own, so that the same relative paths are written.
  await promisify(execFile)(
    await nodeFor(22),
    ['--preserve-symlinks', '--preserve-symlinks-main', path.join(copy, CLI), 'sync'],
    { cwd: path.join(copy, 'app') },
  );
  const changed: string[] = [];
  for (const file of shellFiles()) {
    const [before, after] = await Promise.all([
      readFile(path.join(ROOT, file)),
      readFile(path.join(copy, file)),
    ]);
    if (!before.equals(after)) changed.push(file);
  }
  return changed;
}

test('cap sync changes no committed file', async () => {
  expect(await changedBySync(await copyOfShells())).toEqual([]);
});

test('a plug-in that the shells do not have yet would be noticed', async () => {
  const copy = await copyOfShells();
  const config = path.join(copy, 'app/capacitor.config.ts');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace("  'haptics',\n", ''));
  expect(await changedBySync(copy)).toEqual(
    expect.arrayContaining([
      'app/android/capacitor.settings.gradle',
      'app/ios/App/CapApp-SPM/Package.swift',
    ]),
  );
});
