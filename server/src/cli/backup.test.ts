// Tests backup and restore with the built command: the data is equal, and sessions of users continue.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { pack } from 'tar-stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, inject, onTestFinished, test } from 'vitest';
import { runningServer } from '#/host/db/cluster-files.ts';
import { socketConnection } from '#/host/db/cluster.ts';
import { DATABASE } from '#/host/db/connect.ts';
import { clusterFolder, makeDataHome } from '#/host/db/data-home.ts';
import { listBackups } from '#/product/backup-places.ts';
import { readSettings } from '#/product/settings.ts';
import {
  migratedData,
  runCli,
  startCli,
  temporaryData,
  type RunningCommand,
} from '../../../testing/run-cli.ts';
import { startS3Server } from '../../../testing/s3-server.ts';
import { emptyDatabase } from '../../../testing/schema-databases.ts';
import { draw } from '../../../testing/draw.ts';
import { clientAt, connectTo, type Client } from '../../../testing/test-host.ts';

const calm = { DEMO: 'false' };
const email = 'keeper@example.test';
const password = 'a long enough password';

const clientOf = async ({ url, config }: RunningCommand) => clientAt(url, (await config()).anonKey);

/** Adds a user, a dog, a photo with a Hebrew name, and unusual text to the database of a host. */
async function furnish(host: RunningCommand) {
  const client = await clientOf(host);
  const { data } = await client.auth.signUp({
    email,
    password,
    options: { data: { full_name: 'נועה\t"\\N" 🐕', age_confirmed: true } },
  });
  const id = data.user?.id ?? '';
  const dog = await client
    .from('dogs')
    .insert({
      owner: id,
      name: 'Rex\\',
      breed: 'Mixed',
      gender: 'MALE',
      birthday: '2020-02-29',
      description: 'line\nbreak',
    })
    .select('id')
    .single();
  const picture = await draw(30, 30).webp().toBuffer();
  const photo = `${id}/dogs/${dog.data?.id as string}/other/${randomUUID()}.webp`;
  const uploaded = await client.storage
    .from('users')
    .upload(photo, picture, { contentType: 'image/webp' });
  expect(uploaded.error).toBeNull();
  return { token: data.session?.access_token ?? '', photo, bytes: await bytesOf(client, photo) };
}

async function bytesOf(client: Client, photo: string): Promise<Buffer> {
  const { data } = client.storage.from('users').getPublicUrl(photo);
  return Buffer.from(await (await fetch(data.publicUrl)).arrayBuffer());
}

/** Returns the start of an archive whose only entry declares this size. */
async function archiveOfSize(size: number): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name: 'database/public.parks.copy', size });
  const [header] = (await once(tar, 'data')) as [Buffer];
  return gzipSync(header);
}

function tablesIn(archive: string): Record<string, string> {
  const text = gunzipSync(readFileSync(archive)).toString('latin1');
  const manifest = JSON.parse(/\{"format":1.*\}/.exec(text)?.[0] ?? '') as {
    tables: { schema: string; name: string; sha256: string }[];
  };
  return Object.fromEntries(
    manifest.tables.map((table) => [`${table.schema}.${table.name}`, table.sha256]),
  );
}

test('a backup of a running host is restored elsewhere, row by row and byte by byte', async () => {
  const [here, there, keep] = [migratedData(), temporaryData(), temporaryData()];
  const host = await startCli({ DATA_DIR: here, ...calm });
  const { token, photo, bytes } = await furnish(host);
  const { pushKey } = await host.config();
  const archive = path.join(keep, 'one.tar.gz');
  const made = await runCli(['backup', archive], { DATA_DIR: here });
  expect(made.stderr.trim()).toMatch(
    /^Using the database in .*, which a running Packpark has open\.$/,
  );
  expect(made.stdout).toMatch(/^Backed up \d+ tables, \d+ rows and \d+ files to /);
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  await host.end('SIGTERM');

  const restored = await runCli(['restore', archive], { DATA_DIR: there });
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain('each was compared with the backup');
  const again = path.join(keep, 'two.tar.gz');
  await runCli(['backup', again], { DATA_DIR: there });
  // Compares the two archives without the time of the last backup, which an archive cannot contain.
  const without = (name: string) => ({ ...tablesIn(name), 'private.jobs': '' });
  expect(without(again)).toEqual(without(archive));
  const second = await startCli({ DATA_DIR: there, ...calm });
  const client = await clientOf(second);
  // The earlier token and the web push subscriptions are still valid, because the archive contains the secrets.
  expect((await second.config()).pushKey).toBe(pushKey);
  expect((await client.auth.getUser(token)).data.user?.email).toBe(email);
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  const { data: dogs } = await client.from('dogs').select('name, description');
  expect(dogs).toEqual([{ name: 'Rex\\', description: 'line\nbreak' }]);
  expect((await bytesOf(client, photo)).equals(bytes)).toBe(true);
  const { error } = await client.from('dogs').insert({
    owner: (await client.auth.getUser()).data.user?.id ?? '',
    name: 'Two',
    breed: 'Mixed',
    gender: 'FEMALE',
    birthday: '2021-01-01',
  });
  expect(error).toBeNull();
});

test('backups are copied to a bucket; the newest one there can be tried and restored, and a damaged one is reported', async () => {
  const s3 = await startS3Server();
  const here = migratedData();
  const environment = { DATA_DIR: here, ...s3.environment, BACKUP_S3: 'true' };
  for (let count = 0; count < 2; count++) {
    const made = await runCli(['backup', '--keep', '1'], environment);
    expect(made.stderr).not.toContain('cannot');
    expect(made.stdout).toMatch(/^Copied it to the bucket "packpark": s3:packpark-/m);
  }
  const [name = '', ...others] = (await s3.keys()).filter((key) => key.includes('.tar.gz'));
  expect(others).toEqual([]);
  const settings = readSettings(environment);
  const listed = { name: path.basename(name), places: ['disk', 's3'] };
  expect(await listBackups(settings, path.join(here, 'backups'))).toMatchObject([listed]);
  const [elsewhere] = await listBackups(settings, here);
  expect(elsewhere).toMatchObject({ name: listed.name, places: ['s3'] });
  expect(elsewhere?.bytes).toBeGreaterThan(1000);
  const before = readdirSync(here).sort();
  const tried = await runCli(['restore', '--try'], environment);
  expect(tried.code).toBe(0);
  expect(tried.stdout).toMatch(
    /^s3:packpark-\S+ can be restored\. Restored temporarily: \d+ tables, .*; each was compared/,
  );
  expect(readdirSync(here).sort()).toEqual(before);

  const there = { ...environment, DATA_DIR: temporaryData() };
  const restored = await runCli(['restore', `s3:${path.basename(name)}`], there);
  expect(restored.stdout).toMatch(/^Restored /);
  const host = await startCli({ ...there, ...calm });
  expect((await runCli(['doctor'], there)).stdout).toContain('The last backup is 0 days old.');
  await host.end('SIGTERM');

  const [file = ''] = readdirSync(path.join(here, 'backups'));
  truncateSync(path.join(here, 'backups', file), 1000);
  const damaged = await runCli(['restore', '--try'], { ...environment, BACKUP_S3: '' });
  expect(damaged.stderr).toContain('is not a complete archive of "packpark backup"');
  expect(damaged.code).toBe(1);
});

test('a restore that would lose data is rejected, and --replace sets the data aside', async () => {
  const [here, keep] = [migratedData(), temporaryData()];
  const archive = path.join(keep, 'one.tar.gz');
  const host = await startCli({ DATA_DIR: here, ...calm });
  await runCli(['backup', archive], { DATA_DIR: here });
  await furnish(host);
  const errorOf = async (...args: string[]) => (await runCli(args, { DATA_DIR: here })).stderr;
  expect(await errorOf('backup', archive)).toContain(
    'exists already: name a folder instead, in which each backup gets a name with its date',
  );
  expect(await errorOf('restore', archive)).toMatch(/^Packpark already runs on the data/);
  await host.end('SIGTERM');
  expect(await errorOf('restore', archive)).toMatch(/^There is a database in .* already/);
  expect(await errorOf('restore', archive, '--replace')).toBe('');
  const aside = readdirSync(here).flatMap((name) => /^(.*)\.replaced-/.exec(name)?.[1] ?? []);
  expect(aside.sort()).toEqual(['jwt-secret', 'postgres', 'push-key', 'storage']);
  const back = await startCli({ DATA_DIR: here, ...calm });
  const { error } = await (await clientOf(back)).auth.signInWithPassword({ email, password });
  expect(error?.code).toBe('invalid_credentials');
});

test('a start after a restore that was killed between two renames is rejected, and the restore can be repeated', async () => {
  const [here, keep] = [migratedData(), temporaryData()];
  const archive = path.join(keep, 'one.tar.gz');
  await runCli(['backup', archive], { DATA_DIR: here });
  // Simulates the state after a restore was killed: the mark, the renamed database, and the temporary folder of the dead process.
  writeFileSync(path.join(here, 'restore-unfinished'), '.replaced-20261128000000');
  renameSync(path.join(here, 'postgres'), path.join(here, 'postgres.replaced-20261128000000'));
  mkdirSync(path.join(here, 'restore-999999999-abc'));
  const start = await runCli(['start'], { DATA_DIR: here, ...calm });
  expect(start).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/was interrupted while it moved .*\.replaced-20261128000000/),
  });
  expect(readdirSync(here)).not.toContain('postgres');
  expect(readdirSync(here)).not.toContain('restore-999999999-abc');
  expect((await runCli(['restore', archive, '--replace'], { DATA_DIR: here })).stderr).toBe('');
  expect(readdirSync(here)).not.toContain('restore-unfinished');
  await startCli({ DATA_DIR: here, ...calm });
});

test('with BACKUP_KEEP a host backs up once a day, keeps that many archives, and makes none at a start in between', async () => {
  const data = migratedData();
  const folder = path.join(data, 'backups');
  mkdirSync(folder);
  for (const name of ['packpark-20250101-030000.tar.gz', 'packpark-20250102-030000.tar.gz', 'mine'])
    writeFileSync(path.join(folder, name), '');
  const environment = { DATA_DIR: data, BACKUP_KEEP: '2', ...calm };
  const host = await startCli(environment);
  const archives = () => readdirSync(folder).sort();
  await expect.poll(archives).not.toContain('packpark-20250101-030000.tar.gz');
  const made = archives();
  expect(made).toEqual([
    'mine',
    'packpark-20250102-030000.tar.gz',
    expect.stringMatching(/^packpark-20[2-9]\d{5}-\d{6}\.tar\.gz$/),
  ]);
  await expect
    .poll(async () => (await fetch(`${host.url}/metrics`)).text())
    .toMatch(/^packpark_backup_age_seconds \d/m);
  await host.end('SIGTERM');
  // Renames the archive, because names contain only seconds and the next archive could get the same name.
  const first = path.join(folder, 'packpark-20250103-030000.tar.gz');
  renameSync(path.join(folder, made[2] as string), first);
  const renamed = archives();

  const again = await startCli(environment);
  // The metric shows the waiting job after all jobs that were due at the start have been claimed.
  await expect
    .poll(async () => (await fetch(`${again.url}/metrics`)).text())
    .toMatch(/^packpark_jobs\{type="backup",state="waiting"\} 1$/m);
  expect(archives()).toEqual(renamed);
  // Simulates an administrator who requests a backup at /desk/site.
  const running = runningServer(clusterFolder(makeDataHome(data).database));
  const client = await connectTo(socketConnection(running?.socket ?? '', DATABASE));
  await client.query(`select private.add_job('backup-now', '')`);
  await client.end();
  await expect.poll(archives).not.toContain('packpark-20250102-030000.tar.gz');
  await again.end('SIGTERM');
  const restored = await runCli(['restore', first], { DATA_DIR: temporaryData() });
  expect(restored.stdout).toContain('Restored ');
});

test('an archive that is truncated, not an archive, too large or of another baseline is rejected with one sentence, and nothing is restored', async () => {
  const [here, keep, empty] = [migratedData(), temporaryData(), temporaryData()];
  const archive = path.join(keep, 'one.tar.gz');
  await runCli(['backup', archive], { DATA_DIR: here });
  const bytes = readFileSync(archive);
  const text = gunzipSync(bytes).toString('latin1');
  const other = text.replaceAll('_baseline', '_basement');
  for (const [content, sentence] of [
    [bytes.subarray(0, bytes.length * 0.7), /is not a complete archive of "packpark backup"/],
    [Buffer.from('hello'), /is not a complete archive/],
    [await archiveOfSize(2 ** 30), /it unpacks to far more than a backup does/],
    [
      gzipSync(Buffer.from(other, 'latin1')),
      /^The backup has the schema \d+_basement\S*, and this Packpark's schema begins with /m,
    ],
  ] as const) {
    writeFileSync(archive, content);
    const failed = await runCli(['restore', archive], { DATA_DIR: empty });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(sentence);
  }
  expect(readdirSync(empty)).toEqual([]);
  expect((await runCli(['restore', '/nowhere'], { DATA_DIR: empty })).stderr.trim()).toBe(
    'There is no file /nowhere.',
  );
});

test('a failed restore into DATABASE_URL can be repeated; a database that is in use or has a later migration is rejected', async () => {
  const [here, keep] = [migratedData(), temporaryData()];
  const archive = path.join(keep, 'one.tar.gz');
  await runCli(['backup', archive], { DATA_DIR: here });
  const bytes = gunzipSync(readFileSync(archive));
  // One letter of one row differs from the hash in the manifest.
  bytes.write('AVIF', bytes.indexOf('image/avif') + 'image/'.length);
  const wrong = path.join(keep, 'wrong.tar.gz');
  writeFileSync(wrong, gzipSync(bytes));
  const earlier = path.join(keep, 'earlier.tar.gz');
  const migration = ',"040_realtime"';
  bytes.fill(' ', bytes.indexOf(migration), bytes.indexOf(migration) + migration.length);
  writeFileSync(earlier, gzipSync(bytes));

  const place = await emptyDatabase(inject('adminConnection'), 'restored_from_outside');
  onTestFinished(place.close);
  const environment = { DATA_DIR: temporaryData(), DATABASE_URL: place.connectionString };
  const restoreError = async (file: string) =>
    (await runCli(['restore', file], environment)).stderr;
  await place.client.query('create table public.parks ()');
  expect(await restoreError(archive)).toMatch(/is not empty/);
  await place.client.query('drop table public.parks');
  expect(await restoreError(wrong)).toMatch(
    /^storage\.buckets differs from the backup after loading it: nothing was restored/m,
  );
  expect(await restoreError(earlier)).toMatch(
    /has the migration 040_realtime, .* Nothing was changed\.$/m,
  );
  const restored = await runCli(['restore', archive], environment);
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain('each was compared with the backup');
  await place.client.query(`insert into auth.users (id) values (gen_random_uuid())`);
  expect(await restoreError(archive)).toMatch(/is not empty/);
  await startCli({ ...environment, ...calm });
  expect(await restoreError(archive)).toMatch(/^Packpark already runs on the database/m);
});

test('doctor reports the state of the machine and any problems', async () => {
  const data = path.join(temporaryData(), 'data');
  const fine = await runCli(['doctor'], { DATA_DIR: data });
  expect(fine.stdout).toContain('Settings are read from the environment and /dev/null.');
  expect(fine.stdout).toContain(`the first start makes it (DATA_DIR is "${data}").`);
  expect(fine.stdout).toContain('There is no database yet; the first start makes it.');
  expect(fine.stdout).toMatch(/^note +CONTACT_EMAIL is not set/m);
  expect(existsSync(data)).toBe(false);
  const host = await startCli({ DATA_DIR: data, ...calm });
  const { port } = new URL(host.url);
  const running = await runCli(['doctor'], { DATA_DIR: data, PORT: port });
  expect(running.stdout).toMatch(/^ok +PostgreSQL 18\.\d+ comes along and runs here\.$/m);
  expect(running.stdout).toContain(`Packpark answers on port ${port}.`);
  expect(running.stdout).toMatch(/has 0 parks and 0 users/);
  expect(running.stdout).toMatch(/^warn +No backup of this database was ever made/m);
  const broken = await runCli(['doctor'], {
    DATA_DIR: temporaryData(),
    DATABASE_URL: 'postgres://127.0.0.1:9/x',
  });
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^bad +DATABASE_URL leads to 127\.0\.0\.1:9/m);
});
