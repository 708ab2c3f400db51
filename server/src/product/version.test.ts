// Tests that a release has its version number, and that other builds also have the commit.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readVersion } from '#/product/version.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { runCli } from '../../../testing/run-cli.ts';

test('the version contains the commit unless the commit is tagged as the release', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'package.json'), '{"version": "2.3.4"}');
  expect(readVersion(folder)).toBe('2.3.4');
  const git = (...args: string[]) => {
    const names = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test'];
    return execFileSync('git', [...names, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  };
  git('init', '-q');
  expect(readVersion(folder)).toBe('2.3.4-dev');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  expect(readVersion(folder)).toBe(`2.3.4-dev.${git('rev-parse', '--short=7', 'HEAD')}`);
  git('tag', 'v2.3.4');
  expect(readVersion(folder)).toBe('2.3.4');
  git('commit', '-q', '--allow-empty', '-m', 'two');
  expect(readVersion(folder)).toBe(`2.3.4-dev.${git('rev-parse', '--short=7', 'HEAD')}`);
});

test('packpark --version prints the version', async () => {
  const printed = await runCli(['--version']);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toMatch(/^\d+\.\d+\.\d+(-dev\.[0-9a-f]{7,})?\n$/);
});
