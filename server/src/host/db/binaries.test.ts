// Tests the PostgreSQL binaries of npm: in place, copied, and on an unsupported platform.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { copyTo, postgresBinaries } from '#/host/db/binaries.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const { arch } = process;
afterEach(() => Object.defineProperty(process, 'arch', { value: arch }));

test('PostgreSQL runs where npm installed it', async () => {
  const { folder, version } = await postgresBinaries(null, '/nowhere');
  const printed = execFileSync(path.join(folder, 'bin/postgres'), ['--version'], {
    encoding: 'utf8',
  });
  expect(printed).toContain(`PostgreSQL) ${version}`);
});

test.skipIf(process.getuid?.() !== 0)(
  'another account can run a copy, regardless of the umask',
  async () => {
    const stage = temporaryFolder();
    const before = process.umask(0o077);
    try {
      const { folder: here } = await postgresBinaries(null, '/nowhere');
      const folder = await copyTo(path.join(stage, 'binaries'), here, '18');
      const printed = execFileSync(path.join(folder, 'bin/initdb'), ['--version'], {
        uid: 65534,
        gid: 65534,
        cwd: '/',
        encoding: 'utf8',
      });
      expect(printed).toContain('initdb');
    } finally {
      process.umask(before);
    }
  },
);

test('the operator’s binaries are used if configured, and must be executable', async () => {
  const { folder, version } = await postgresBinaries(null, '/nowhere');
  const named = await postgresBinaries(null, '/nowhere', path.join(folder, 'bin'));
  expect(named).toEqual({ folder, version, major: '18' });
  for (const wrong of ['/nowhere/bin', folder])
    await expect(postgresBinaries(null, '/nowhere', wrong)).rejects.toThrow(
      `POSTGRES_BIN is "${wrong}", and no PostgreSQL runs from there`,
    );
});

test('an unsupported platform is reported in one sentence', async () => {
  Object.defineProperty(process, 'arch', { value: 'mips' });
  await expect(postgresBinaries(null, '/nowhere')).rejects.toThrow(
    `No PostgreSQL comes with Packpark for this platform (${process.platform} mips): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
});
