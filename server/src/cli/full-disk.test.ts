// Tests backup and restore on a full disk: the messages are correct, and no files are left behind.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { migratedData, temporaryData } from '../../../testing/run-cli.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { command as backup } from '#/cli/backup.ts';
import { command as restore } from '#/cli/restore.ts';
import { runningServer } from '#/host/db/cluster-files.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { readSettings } from '#/product/settings.ts';

/**
 * A small disk is a tmpfs, which only root can mount, and not in every container. File size limits work for every account on Linux.
 */
const probe = temporaryFolder();
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe]).status === 0;
if (canMount) execFileSync('umount', [probe]);
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

/** Mounts a small disk in a temporary folder. */
function smallDisk(size: string): string {
  const folder = path.join(temporaryData(), 'disk');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/** Limits the file size for this process and its children until the test ends. */
function limitFiles(bytes: number): void {
  const set = (limit: string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}:unlimited`]);
  set(String(bytes));
  onTestFinished(() => void set('unlimited'));
}

let printed: string[];
beforeEach(() => {
  printed = [];
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function run(command: typeof backup, data: string, named: string[], values = {}): Promise<void> {
  vi.stubEnv('DATA_DIR', data);
  return command.run({ values, positionals: named, appBuilt: Promise.resolve(true) });
}

/** Creates a database with incompressible bytes, so that its size equals that of its archive. */
async function filledData(megabytes: number): Promise<string> {
  const data = migratedData();
  await withDatabase(readSettings({ DATA_DIR: data }), async (client) => {
    await client.query('create table public.ballast (id serial primary key, bytes bytea)');
    for (let count = 0; count < megabytes; count += 1)
      await client.query('insert into public.ballast (bytes) values ($1)', [randomBytes(2 ** 20)]);
  });
  return data;
}

const servers = (folder: string) => runningServer(path.join(folder, 'postgres'));

test.skipIf(!canMount)(
  'a backup onto a full disk leaves nothing behind and reports the reason',
  async () => {
    const data = await filledData(6);
    const disk = smallDisk('4m');
    await expect(run(backup, data, [disk])).rejects.toThrow(
      `There is no room left in ${disk} for the backup. The incomplete archive was removed.`,
    );
    expect(readdirSync(disk)).toEqual([]);
    expect(servers(data)).toBeNull();
  },
);

test.skipIf(!canLimit)(
  'with a file size limit, backup and restore report the full disk too',
  async () => {
    const [data, keep, there] = [await filledData(24), temporaryData(), temporaryData()];
    await run(backup, data, [keep]);
    const archive = path.join(keep, readdirSync(keep)[0] ?? '');
    // PostgreSQL's own files have at most 16 MB here, so they do not reach this limit.
    limitFiles(20 * 2 ** 20);
    await expect(run(restore, there, [archive])).rejects.toThrow(
      /^There is no room left in .* to restore into \(the archive is not the cause\)/,
    );
    expect(readdirSync(there)).toEqual([]);
    await expect(run(backup, data, [keep])).rejects.toThrow(
      /^There is no room left in .* for the backup/,
    );
    expect(readdirSync(keep)).toEqual([path.basename(archive)]);
    expect(servers(data)).toBeNull();
  },
);

test.skipIf(!canMount)('a restore onto a full disk does not blame the archive', async () => {
  const [data, keep] = [await filledData(6), temporaryData()];
  await run(backup, data, [keep]);
  const archive = path.join(keep, readdirSync(keep)[0] ?? '');
  // The first disk is too small for the archive, the second for a new database, and the third for its rows.
  for (const size of ['4m', '40m', '90m']) {
    const disk = smallDisk(size);
    await expect(run(restore, disk, [archive])).rejects.toThrow(
      /^There is no room left in .* to restore into \(the archive is not the cause\)/,
    );
    expect(readdirSync(disk)).toEqual([]);
  }
});

test.skipIf(!canMount)('a start on a full disk names the reason in one sentence', async () => {
  const there = path.join(smallDisk('300m'), 'data');
  execFileSync('cp', ['-a', migratedData(), there]);
  spawnSync('dd', ['if=/dev/zero', `of=${there}/../rest`]);
  await expect(
    withDatabase(readSettings({ DATA_DIR: there }), () => Promise.resolve()),
  ).rejects.toThrow(
    /^There is no room left on the disk of [^.]*, so the database does not start: delete old archives and "\.replaced-…" folders\.$/,
  );
});

test('backups in a folder have dated names, and only the newest of them remain', async () => {
  const data = migratedData();
  const folder = path.join(data, 'backups');
  const archives = () => readdirSync(folder).sort();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-30T03:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  mkdirSync(folder);
  mkdirSync(path.join(folder, '.packpark-backup-999999-killed'));
  for (const day of ['30', '31']) {
    vi.setSystemTime(new Date(`2026-12-${day}T03:00:00Z`));
    await run(backup, data, []);
  }
  expect(archives()).toEqual([
    'packpark-20261230-030000.tar.gz',
    'packpark-20261231-030000.tar.gz',
  ]);
  execFileSync('touch', [path.join(folder, 'of-my-own.tar.gz')]);
  vi.setSystemTime(new Date('2027-01-01T03:00:00Z'));
  await run(backup, data, [folder], { keep: '2' });
  expect(archives()).toEqual([
    'of-my-own.tar.gz',
    'packpark-20261231-030000.tar.gz',
    'packpark-20270101-030000.tar.gz',
  ]);
  await expect(run(backup, data, [folder], { keep: '0' })).rejects.toThrow(
    /^--keep needs the number/,
  );
  const file = path.join(folder, 'of-my-own.tar.gz');
  await expect(run(backup, data, [file])).rejects.toThrow(/exists already: name a folder instead/);
  await run(backup, data, [file], { overwrite: true });
  expect(printed.at(-1)).toMatch(/^Backed up \d+ tables, .* to .*of-my-own\.tar\.gz\.$/);
});

test('a command creates no database, and reports a folder without one', async () => {
  const nowhere = path.join(temporaryData(), 'none');
  await expect(run(backup, nowhere, [])).rejects.toThrow(
    `There is no database in ${nowhere} (DATA_DIR is "${nowhere}"): give this command the settings that the host runs with`,
  );
  expect(existsSync(nowhere)).toBe(false);
});

test('the next restore removes what a killed restore left', async () => {
  const [data, keep] = [migratedData(), temporaryData()];
  await run(backup, data, [keep]);
  const there = temporaryData();
  mkdirSync(path.join(there, 'restore-999999-killed/archive'), { recursive: true });
  await run(restore, there, [path.join(keep, readdirSync(keep)[0] ?? '')]);
  expect(readdirSync(there).filter((name) => name.startsWith('restore-'))).toEqual([]);
  expect(existsSync(path.join(there, 'postgres/PG_VERSION'))).toBe(true);
});
