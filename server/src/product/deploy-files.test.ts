// Tests that the files in deploy/ match the code: settings, paths and commands exist, and systemd accepts the units.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkExposure } from '#/host/gateway/exposure.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { readSettings, settingsSchema } from '#/product/settings.ts';

const FOLDER = path.join(ROOT, 'deploy');
const read = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');
const inCheckout = (name: string) => existsSync(path.join(ROOT, name));

const UNITS = ['packpark.service', 'packpark-backup.service', 'packpark-backup.timer'];
const [unit, backup] = UNITS.map(read) as [string, string];
const image = read('Dockerfile');
const compose = read('compose.yaml');

/** Returns all values of a directive in a systemd unit. */
const valuesOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

/** Returns the block below a key of the compose file, without comments. */
function blockOf(key: string): string[] {
  const [, indent = '', block = ''] =
    new RegExp(`^( *)${key}:\\n((?:\\1 +.*\\n)+)`, 'm').exec(compose) ?? [];
  return block
    .split('\n')
    .map((line) => line.slice(indent.length).trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

const pairs = (lines: readonly string[], separator: RegExp): Record<string, string> =>
  Object.fromEntries(lines.map((line) => line.split(separator).slice(0, 2)));

/** The example settings as Podman reads them: quotes are part of a value. */
const example = pairs(read('packpark.env.example').match(/^[A-Z].*$/gm) ?? [], /=/);
/** Settings in the image and the compose file, which override the operator's settings. */
const ofImage = pairs(
  [...image.matchAll(/^(?:ENV| {3}) ([A-Z_]+=\S+)/gm)].map(([, pair = '']) => pair),
  /=/,
);
const ofCompose = pairs(blockOf('environment'), /: */);

test('the example settings, alone and with those of a container, are valid in production', () => {
  const known = Object.keys(settingsSchema.entries);
  const { PATH, ...image } = ofImage;
  expect(PATH).toBeDefined();
  for (const given of [example, image, ofCompose]) {
    expect(Object.keys(given).length).toBeGreaterThan(3);
    expect(Object.keys(given).filter((name) => !known.includes(name))).toEqual([]);
  }
  for (const settings of [example, { ...example, ...image, ...ofCompose }]) {
    const { NODE_ENV, TRUST_PROXY, SMTP_URL } = readSettings(settings);
    expect({ NODE_ENV, TRUST_PROXY, mails: SMTP_URL !== undefined }).toEqual({
      NODE_ENV: 'production',
      TRUST_PROXY: true,
      mails: true,
    });
    checkExposure(readSettings(settings));
  }
});

test('the units run existing scripts as one user with one settings file, and may write to the data folder', () => {
  for (const text of [unit, backup]) {
    const [, script = ''] =
      /^\/usr\/bin\/env node (?:--\S+ )*(\S+)/.exec(valuesOf(text, 'ExecStart')[0] ?? '') ?? [];
    expect(script).not.toBe('');
    expect(inCheckout(script)).toBe(true);
    expect(valuesOf(text, 'User')).toEqual(['packpark']);
    expect(valuesOf(text, 'EnvironmentFile')).toEqual(['/etc/packpark.env']);
    const [writable = ''] = valuesOf(text, 'ReadWritePaths');
    for (const folder of [example.DATA_DIR ?? '', ...valuesOf(text, 'WorkingDirectory')])
      expect(folder).toMatch(new RegExp(`^${writable}/`));
  }
  expect(valuesOf(backup, 'ExecStart')[0]).toMatch(/ backup --keep \d+$/);
});

test('a host whose database starts late is restarted until the database is there', () => {
  const restarts = ['Restart', 'RestartSec', 'StartLimitIntervalSec'];
  expect(restarts.map((name) => valuesOf(unit, name))).toEqual([['always'], ['3'], ['0']]);
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'systemd finds nothing wrong with the units',
  () => {
    const files = UNITS.map((name) => path.join(FOLDER, name));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], {
      encoding: 'utf8',
    });
    expect(stderr.split('\n').filter((line) => line.includes('packpark'))).toEqual([]);
    expect(status).toBe(0);
  },
);

test('the image is based only on an official Node image, contains everything it runs, and does not run as root', () => {
  const bases = [...image.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(new Set(bases)).toEqual(new Set(['${NODE_IMAGE}']));
  // The PostgreSQL binaries from npm need glibc, which Alpine does not have.
  expect(/^ARG NODE_IMAGE=(\S+)$/m.exec(image)?.[1]).toMatch(/^node:(?!.*alpine)/);
  expect(image).not.toMatch(/apt-get|apk |curl|wget|https?:\/\/(?!127)/);
  expect(image.lastIndexOf('\nUSER node\n')).toBeGreaterThan(image.lastIndexOf('\nRUN '));

  const kept = [...read('Dockerfile.dockerignore').matchAll(/^!(\S+)$/gm)].map(
    ([, name = '']) => name,
  );
  // NOTICES.txt exists only in a release (scripts/release.test.ts).
  expect(kept.filter((name) => !inCheckout(name))).toEqual(['NOTICES.txt']);
  const [, script = ''] = /^CMD \["node", .*"(.+)"\]$/m.exec(image) ?? [];
  expect(inCheckout(script)).toBe(true);
  expect(kept).toEqual(
    expect.arrayContaining([script.split('/')[0], 'package.json', 'node_modules', 'app', 'server']),
  );
});

test('container and compose file agree on port and data', () => {
  const { HOST, PORT, DATA_DIR } = ofImage;
  expect(ofCompose).toMatchObject({ HOST, PORT, DATA_DIR });
  expect(image).toContain(`\nVOLUME ${ofImage.DATA_DIR}\n`);
  expect(image).toContain(`\nEXPOSE ${ofImage.PORT}\n`);
  expect(blockOf('volumes')).toContain(`- data:${ofImage.DATA_DIR}`);
  expect(blockOf('ports')).toEqual([`- 127.0.0.1:${ofImage.PORT}:${ofImage.PORT}`]);
  const { context = '', dockerfile = '', ...more } = pairs(blockOf('build'), /: */);
  expect(more).toEqual({});
  expect(path.resolve(FOLDER, context)).toBe(path.resolve(ROOT));
  expect(path.resolve(ROOT, dockerfile)).toBe(path.join(FOLDER, 'Dockerfile'));
});

test('docs/deploy.md mentions each of these files and repeats none of them', () => {
  const page = readFileSync(path.join(ROOT, 'docs/deploy.md'), 'utf8');
  const untold = ['packpark.env', 'Dockerfile.dockerignore', 'notices.txt', 'licences'];
  const names = readdirSync(FOLDER).filter((name) => !untold.includes(name));
  expect(names.filter((name) => !page.includes(`deploy/${name}`))).toEqual([]);
  expect(page).not.toMatch(/^(ExecStart|OnCalendar|FROM)\b/m);
});
