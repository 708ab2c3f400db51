// `packpark start` in real environments: as root or not, with closed folders, taken ports and invalid settings.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { dropSiteDatabase, siteDatabase } from '../../../testing/site-database.ts';
import { migratedData, runCli, startCli, temporaryData } from '../../../testing/run-cli.ts';
import { canEnter, makeDataHome } from '#/host/db/data-home.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { connectTo } from '../../../testing/test-host.ts';

const calm = { DEMO: 'false' };
const isRoot = process.getuid?.() === 0;

/** Returns an account other than root and PostgreSQL's; null if this machine has none. */
function ordinaryAccount(): { uid: number; gid: number } | null {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'games'], { encoding: 'utf8' }).stdout),
  );
  return isRoot && uid && gid && canEnter(ROOT, { uid, gid }) ? { uid, gid } : null;
}
const ordinary = ordinaryAccount();

const readiness = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;

async function errorOf(
  environment: Record<string, string>,
  args = ['start'],
  who: Parameters<typeof runCli>[2] = {},
): Promise<string> {
  const result = await runCli(args, { DATA_DIR: temporaryData(), ...environment }, who);
  expect(result.code).toBe(1);
  return result.stderr.trim();
}

test('a port in use is reported with one sentence', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const error = await errorOf({ PORT: String(port), ...calm });
  other.close();
  expect(error).toBe(
    `Port ${port} is already in use, perhaps by Packpark itself: stop that program, or choose another port with PORT=${port + 1}.`,
  );
});

test.each([
  [{ PORT: '70000' }, 'The setting PORT is wrong: it must be a whole number from 0 to 65535.'],
  [{ SITE_URL: 'parks' }, 'The setting SITE_URL is wrong: it must be an http(s) address.'],
  [
    { SITE_URL: 'https://example.org/parks' },
    'The setting SITE_URL is wrong: it must not have a path, because a site needs a host name of its own.',
  ],
  [
    { LOG_LEVEL: 'loud' },
    'The setting LOG_LEVEL is wrong: it must be debug, info, warn, error or silent.',
  ],
  [
    { HOST: '203.0.113.1' },
    'HOST is "203.0.113.1", which is no address of this machine: use localhost, 0.0.0.0 or one of its addresses.',
  ],
  [
    { NODE_ENV: 'production' },
    'SITE_URL is not set: in production it must be the address that people use, such as https://www.example.org, or links lead to this machine’s own name.',
  ],
])('an invalid setting %j stops the start with one sentence', async (environment, sentence) => {
  expect(await errorOf(environment)).toBe(sentence);
});

test('an unreachable DATABASE_URL is reported with one sentence, without its password', async () => {
  expect(
    await errorOf({ DATABASE_URL: 'postgres://someone:secretword@127.0.0.1:9/parks' }),
  ).toMatch(
    /^DATABASE_URL leads to 127\.0\.0\.1:9\/parks, and no connection can be made there: (?!.*secretword).*ECONNREFUSED.*\.$/,
  );
});

test.skipIf(!ordinary)(
  'a data folder or settings file without access is reported with one sentence',
  async () => {
    const data = path.join(temporaryData(), 'mine');
    expect(await errorOf({ DATA_DIR: data, ...calm }, ['start'], ordinary ?? {})).toMatch(
      /^The data folder .*mine cannot be written \(EACCES\): /,
    );
    const closed = migratedData();
    chmodSync(closed, 0o700);
    expect(await errorOf({ DATA_DIR: closed, ...calm }, ['users', 'list'], ordinary ?? {})).toMatch(
      /postgres cannot be read or written \(EACCES\): run the command as the user/,
    );
    const file = path.join(closed, 'packpark.env');
    writeFileSync(file, '');
    const unreadable = { PACKPARK_SETTINGS: file, DATA_DIR: '' };
    expect(await errorOf(unreadable, ['users', 'list'], ordinary ?? {})).toMatch(
      /cannot be read \(EACCES\): run the command as a user who may read it/,
    );
  },
);

test.skipIf(process.platform !== 'linux')(
  'a data folder that cannot be created is reported with one sentence, and the process exits',
  async () => {
    expect(await errorOf({ DATA_DIR: '/proc/x/y', ...calm })).toMatch(
      /^The data folder \/proc\/x\/y cannot be written \(ENOENT\): /,
    );
  },
);

test('a start that fails after it has begun to listen exits with one sentence', async () => {
  const data = migratedData();
  writeFileSync(path.join(data, 'texts.json'), '{"terms": {},}');
  expect(await errorOf({ DATA_DIR: data, SITE_TEXTS: 'texts.json', ...calm })).toMatch(
    /^The setting SITE_TEXTS is wrong: .*texts\.json: Expected double-quoted property name/,
  );
  rmSync(path.join(data, 'storage'), { recursive: true, force: true });
  writeFileSync(path.join(data, 'storage'), '');
  expect(await errorOf({ DATA_DIR: data, ...calm })).toMatch(/storage/);
});

test('a lost or replaced secret is rejected, and a new one can be accepted', async () => {
  const data = migratedData();
  const environment = { DATA_DIR: data, ...calm };
  const file = path.join(data, 'jwt-secret');
  await (await startCli(environment)).end('SIGTERM');
  rmSync(file);
  const missing = /^The secret that this database was used with is missing/;
  expect(await errorOf(environment)).toMatch(missing);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'another secret with at least 32 characters');
  const other = /jwt-secret is not the secret that this database was used with/;
  expect(await errorOf(environment)).toMatch(other);
  expect((await runCli(['doctor'], environment)).stdout).toMatch(other);
  const accepted = await runCli(['accept-secret'], environment);
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('is accepted') });
  const host = await startCli(environment);
  expect(await readiness(host.url)).toBe(200);
  expect(await errorOf(environment, ['accept-secret'])).toMatch(
    /^Packpark already runs on the database/m,
  );
  expect(await host.end('SIGTERM')).toBe(0);
  expect(await errorOf({ ...environment, JWT_SECRET: 'j'.repeat(32) })).toMatch(
    /^JWT_SECRET is not the secret/,
  );
});

test('a key for web pushes is replaced, but one from the settings is not', async () => {
  const data = temporaryData();
  const key = async (settings = {}) => {
    const { code, stdout } = await runCli(['push-key'], { DATA_DIR: data, ...settings });
    return { code, stdout, key: readFileSync(path.join(data, 'push-key'), 'utf8') };
  };
  const [first, second] = [await key(), await key()];
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('subscribes again') });
  expect(second.key).not.toBe(first.key);
  expect(await key({ VAPID_KEY: second.key.trim() })).toMatchObject({ code: 1, key: second.key });
});

test('the start prints where it listens besides the public URL', async () => {
  const host = await startCli({
    DATA_DIR: migratedData(),
    SITE_URL: 'https://parks.example.org',
    ...calm,
  });
  expect(host.output()).toContain(`open https://parks.example.org (it listens on ${host.url})`);
  expect(await host.end('SIGTERM')).toBe(0);
});

test.skipIf(!ordinary)('as an ordinary user it starts and stops', async () => {
  const data = temporaryData();
  chownSync(data, ordinary?.uid ?? 0, ordinary?.gid ?? 0);
  const host = await startCli({ DATA_DIR: data, ...calm }, ordinary ?? {});
  expect(await readiness(host.url)).toBe(200);
  expect(statSync(path.join(data, 'postgres')).uid).toBe(ordinary?.uid);
  expect(await host.end('SIGTERM')).toBe(0);
});

test.skipIf(!isRoot)(
  'as root with a private data folder, the database is stored in a separate folder elsewhere until it is removed',
  async () => {
    const home = temporaryData();
    const folders = ['one', 'two'].map((name) => path.join(home, name));
    for (const folder of folders) mkdirSync(folder);
    chmodSync(home, 0o700);
    const hosts = await Promise.all(
      folders.map((folder) => startCli({ DATA_DIR: folder, ...calm })),
    );
    const places = folders.map((folder) => makeDataHome(folder).database);
    expect(new Set(places).size).toBe(2);
    for (const [index, host] of hosts.entries()) {
      expect(places[index]).toMatch(/^\/var\/lib\/packpark\/[0-9a-f]{12}$/);
      expect(host.output()).toContain(`data in ${places[index]}`);
      expect(await readiness(host.url)).toBe(200);
    }
    await Promise.all(hosts.map((host) => host.end('SIGTERM')));
    const [one = '', two = ''] = places;
    expect(
      readFileSync(path.join(folders[0] ?? '', 'where-the-database-is.txt'), 'utf8'),
    ).toContain(one);
    const doctor = async (...options: string[]) =>
      (await runCli(['doctor', ...options], { DATA_DIR: temporaryData() })).stdout;
    rmSync(folders[0] ?? '', { recursive: true });
    expect(await doctor()).toContain(
      `The database in ${one} belongs to ${folders[0]}, which is gone`,
    );
    await doctor('--remove-orphans');
    expect([one, two].map((place) => existsSync(place))).toEqual([false, true]);
    rmSync(two, { recursive: true });
  },
);

test('three processes migrate one empty database concurrently: each migration is applied once', async () => {
  const admin = await connectTo(inject('adminConnection'));
  await admin.query('create database raced');
  const connection = inject('adminConnection').replace('/postgres?', '/raced?');
  const results = await Promise.all(
    [1, 2, 3].map(() =>
      runCli(['migrate'], { DATABASE_URL: connection, DATA_DIR: temporaryData() }),
    ),
  );
  await admin.query('drop database raced with (force)');
  await admin.end();
  expect(results.map((result) => result.code)).toEqual([0, 0, 0]);
  const applied = results.flatMap((result) => result.stdout.match(/^Applied .*$/gm) ?? []);
  expect(applied.length).toBeGreaterThan(2);
  expect(new Set(applied).size).toBe(applied.length);
});

test('a role with createrole and bypassrls that owns the database needs no superuser right', async () => {
  const admin = await connectTo(inject('adminConnection'));
  const connection = await siteDatabase(admin, inject('adminConnection'), 'owned');
  onTestFinished(() => dropSiteDatabase(admin, 'owned'));
  expect(await errorOf({ DATABASE_URL: connection })).toContain(
    'grant anon, authenticated, service_role to "owned" with admin option',
  );
  await admin.query('grant anon, authenticated, service_role to owned with admin option');
  const host = await startCli({
    DATABASE_URL: connection,
    DATA_DIR: temporaryData(),
    DEMO: 'true',
  });
  expect(await readiness(host.url)).toBe(200);
  // Since the demo was added during this start, the map is that of its town.
  const { anonKey, map } = await host.config();
  expect(map).toMatchObject({ invented: true });
  const parks = await fetch(`${host.url}/rest/v1/parks?select=id&limit=3`, {
    headers: { apikey: anonKey },
  });
  expect(await parks.json()).toHaveLength(3);
  expect(await host.end('SIGTERM')).toBe(0);
});

test('the output of a host is JSON lines unless a terminal reads it', async () => {
  const host = await startCli({ DATA_DIR: migratedData(), ...calm });
  const { anonKey: apikey } = await host.config();
  await fetch(`${host.url}/rest/v1/none`, { headers: { apikey } });
  expect(await host.end('SIGTERM')).toBe(0);
  const lines = host
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const request = expect.objectContaining({ level: 40, status: 404, id: expect.any(String) });
  expect(lines).toEqual(expect.arrayContaining([request]));
  expect(lines.length).toBeGreaterThan(3);
});

test('an unknown command or option is reported with one sentence', async () => {
  expect(await errorOf({}, ['fetch'])).toBe(
    'There is no command "fetch": npx packpark --help lists what there is.',
  );
  expect(await errorOf({}, ['start', '--quickly'])).toBe("Unknown option '--quickly'.");
});
