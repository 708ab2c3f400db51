// Tests that the native projects match capacitor.config.ts and the plug-ins: `cap sync` must not change them.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeFor } from './lib/other-node.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SHELLS = ['app/package.json', 'app/capacitor.config.ts', 'app/android', 'app/ios'];
const CLI = 'node_modules/@capacitor/cli/bin/capacitor';

test('cap sync copies the newest build into both shells and changes no committed file', async () => {
  // Runs in a copy of the repository, so that the checkout is not changed.
  const copy = temporaryFolder();
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...SHELLS];
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  for (const file of files) await cp(path.join(ROOT, file), path.join(copy, file));
  await mkdir(path.join(copy, 'app/builds/1'), { recursive: true });
  await writeFile(path.join(copy, 'app/builds/1/index.html'), '<!doctype html>');
  await symlink('builds/1', path.join(copy, 'app/dist'));
  // Symbolic links are preserved, so linked packages resolve inside the copy, and the same relative paths are written.
  await promisify(execFile)(
    await nodeFor(22),
    ['--preserve-symlinks', '--preserve-symlinks-main', path.join(copy, CLI), 'sync'],
    { cwd: path.join(copy, 'app') },
  );
  for (const shell of ['android/app/src/main/assets', 'ios/App/App'])
    expect(existsSync(path.join(copy, 'app', shell, 'public/index.html'))).toBe(true);
  for (const file of files) {
    const synced = await readFile(path.join(copy, file));
    expect(synced.equals(await readFile(path.join(ROOT, file))), file).toBe(true);
  }
});
