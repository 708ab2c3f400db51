// `npm run test:by-hand -- crash-recovery`: sends SIGKILL to the host, its database or a command 200 times while they work.
// Acknowledged work must not be lost, and nothing may be left incomplete. KILLS sets the number of kills, and KILLS_SEED the seed
// of their random times.
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startHostProcess, type HostProcess } from '../../testing/host-process.ts';
import { seeded, type Seeded } from '../../testing/seeded.ts';
import { atEnd, closeAll } from '../lib/at-end.ts';
import { QUIET } from '../lib/bench-host.ts';
import { SECRET, tokenOf } from '../lib/users.ts';
import { importServerCode, ROOT } from '../lib/server-code.ts';
import { repeat } from '../lib/statistics.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import type * as clusterModule from '../../server/src/host/db/cluster.ts';
import type * as clusterFilesModule from '../../server/src/host/db/cluster-files.ts';
import type * as dataHomeModule from '../../server/src/host/db/data-home.ts';

const KILLS = Number(process.env.KILLS ?? 200);
const KILLS_SEED = Number(process.env.KILLS_SEED ?? 1);
/** One of this many kills hits a restore. All others hit a running host or its database. */
const RESTORE_SHARE = 6;
const PARKS_PER_IMPORT = 60;
const READY_MS = 60_000;

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface TestUser {
  id: string;
  token: string;
}

/** Descriptions of the damage that the kills caused. */
interface Findings {
  lost: string[];
  halfDone: string[];
}

/** How often each type of work was acknowledged, and how often a kill interrupted it. */
type Counts = Record<string, { acknowledged: number; interrupted: number }>;

interface Site {
  folder: string;
  environment: Record<string, string>;
  host: HostProcess;
  /** Returns the process ID of the PostgreSQL of a data folder, or null. */
  databasePid(folder?: string): number | null;
  /** The last request that got no response or a 5xx. */
  failure: string;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

async function openSite(): Promise<Site> {
  const { runningServer } = await importServerCode<typeof clusterFilesModule>(
    'server/src/host/db/cluster-files.ts',
  );
  const { socketConnection } = await importServerCode<typeof clusterModule>(
    'server/src/host/db/cluster.ts',
  );
  const { clusterFolder, makeDataHome } = await importServerCode<typeof dataHomeModule>(
    'server/src/host/db/data-home.ts',
  );
  const folder = temporaryFolder();
  const environment = { DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'error', ...QUIET };
  const dataOf = (one: string) => clusterFolder(makeDataHome(one).database);
  const site: Site = {
    folder,
    environment,
    host: await startHostProcess(environment),
    failure: '',
    databasePid: (one = environment.DATA_DIR) => runningServer(dataOf(one))?.pid ?? null,
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const running = runningServer(dataOf(environment.DATA_DIR));
      if (!running) throw new Error('The database does not run');
      const client = new pg.Client(socketConnection(running.socket, 'packpark'));
      // The database may be killed during the query, which then also fails.
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
  atEnd(async () => {
    await site.host.stop();
    const left = site.databasePid();
    if (left) process.kill(left, 'SIGQUIT');
  });
  return site;
}

/** Creates an account with a dog and a file, without the auth service. */
async function createUser(site: Site): Promise<TestUser> {
  const id = randomUUID();
  await site.sql(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
     values ($1, $2, now(), '{"full_name": "Dana", "age_confirmed": true}')`,
    [id, `${id}@example.test`],
  );
  await site.sql('update private.user_consents set terms_accepted_at = now() where user_id = $1', [
    id,
  ]);
  const amr = [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }];
  return { id, token: await tokenOf(id, { amr }) };
}

/** Returns the response to a request; null without a response or for a server error. */
async function ask(
  site: Site,
  user: TestUser | null,
  target: string,
  body: object | Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown } | null> {
  const key = user?.token ?? (await serviceKey());
  try {
    const response = await fetch(`${site.host.url}${target}`, {
      method: 'POST',
      headers: {
        apikey: await serviceKey(),
        authorization: `Bearer ${key}`,
        'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
      signal: AbortSignal.timeout(READY_MS),
    });
    const text = await response.text();
    if (response.status < 500)
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    site.failure = `${response.status} ${text}`;
  } catch (error) {
    site.failure = String(error);
  }
  return null;
}

/** The service key, signed exactly as the host signs its own, because functions compare the two. */
let signed: Promise<string> | undefined;
const serviceKey = () =>
  (signed ??= new SignJWT({ role: 'service_role', iss: 'packpark' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SECRET)));

/** One type of work. It sends requests until one gets no response. After the restart it reports lost work. */
interface Work {
  name: string;
  /** @returns the number of acknowledged requests; all others count as interrupted */
  go(running: () => boolean): Promise<number>;
  verify(findings: Findings): Promise<void>;
}

/** Check-ins and check-outs of one user, each with an idempotency key. A request that a kill interrupted is sent again. */
function checkIns(site: Site, user: TestUser, parks: number[]): Work {
  const acknowledged = new Set<string>();
  let pending: { name: string; body: object } | null = null;
  let visit = '';
  const send = async ({ name, body }: { name: string; body: object }) => {
    const response = await ask(site, user, `/rest/v1/rpc/${name}`, body);
    const result = response?.body as { status?: string; check_in_id?: string } | null | undefined;
    if (response && name === 'check_in' && result?.status === 'checked_in' && result.check_in_id)
      acknowledged.add(result.check_in_id);
    return response;
  };
  return {
    name: 'check-in',
    async go(running) {
      let done = 0;
      for (let index = 0; running(); index += 1) {
        const p_key = randomUUID();
        pending =
          index % 3 === 2
            ? { name: 'check_out', body: { p_visit_id: visit, p_key } }
            : {
                name: 'check_in',
                body: { p_park_id: parks[index % parks.length], p_switch: true, p_key },
              };
        if (pending.name === 'check_in') visit = p_key;
        const response = await send(pending);
        if (!response) return done;
        pending = null;
        // The user has reached a rate limit.
        if (response.status !== 200) return done;
        done += 1;
      }
      return done;
    },
    async verify({ lost, halfDone }) {
      if (pending && !(await send(pending)))
        halfDone.push(`${pending.name} could not be sent again`);
      const rows = await site.sql<{ id: string; open: boolean }>(
        'select id, ended_at is null as open from public.check_ins where user_id = $1',
        [user.id],
      );
      const stored = new Set(rows.map(({ id }) => id));
      for (const id of acknowledged) if (!stored.has(id)) lost.push(`check-in ${id}`);
      for (const id of stored) if (!acknowledged.has(id)) halfDone.push(`check-in ${id} is double`);
      if (rows.filter(({ open }) => open).length > 1) halfDone.push('two open check-ins');
    },
  };
}

/** Uploads the same file repeatedly. */
function uploads(site: Site, user: TestUser): Work {
  const name = `${user.id}/file.bin`;
  let last: string | null = null;
  let pending: string | null = null;
  return {
    name: 'upload',
    async go(running) {
      let done = 0;
      while (running()) {
        const bytes = randomBytes(200_000);
        pending = sum(bytes);
        const response = await ask(site, user, `/storage/v1/object/kills/${name}`, bytes, {
          'x-upsert': 'true',
        });
        if (!response) return done;
        if (response.status !== 200) throw new Error(`An upload answered ${response.status}`);
        last = pending;
        pending = null;
        done += 1;
      }
      return done;
    },
    async verify({ lost, halfDone }) {
      const read = () =>
        fetch(`${site.host.url}/storage/v1/object/kills/${name}`, {
          headers: { authorization: `Bearer ${user.token}` },
        });
      // The host closes a connection if it rejects an upload that it has not read completely, so the next request on the connection
      // may fail. It is retried once, as a browser would.
      const response = await read().catch(read);
      const bytes = Buffer.from(await response.arrayBuffer());
      const found = response.ok ? sum(bytes) : null;
      if (!response.ok && response.status >= 500) halfDone.push('a listed file cannot be read');
      if (found !== last && found !== pending)
        lost.push(`file ${name}: ${response.ok ? 'another one' : String(bytes)}`);
    },
  };
}

/** Users with a dog, a check-in, a review and a file who delete their accounts, one after the other. */
function deletions(site: Site, users: TestUser[], park: number): Work {
  const deleted: TestUser[] = [];
  /** Returns false if the kill happened first. */
  const prepare = async (user: TestUser) => {
    const made = await site
      .sql(
        `with dog as (insert into public.dogs (owner, name, breed, gender, birthday) values ($1, 'Rex', 'Mixed', 'MALE', '2020-01-01')),
         visit as (insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at)
           values ($1, $2, 1, now(), now() + interval '1 hour'))
       insert into public.reviews (park_id, author, title, content, rank) values ($2, $1, 'Kills', 'Text', 3)`,
        [user.id, park],
      )
      .catch(() => null);
    if (!made) return false;
    return ask(site, null, `/storage/v1/object/users/${user.id}/note.bin`, randomBytes(1000));
  };
  return {
    name: 'deletion',
    async go(running) {
      for (const user of users) {
        if (!(await prepare(user)) || !running()) return deleted.length;
        const response = await ask(site, user, '/functions/v1/delete-user', { id: user.id });
        if (!response) return deleted.length;
        if (response.status !== 200) throw new Error(`A deletion answered ${response.status}`);
        deleted.push(user);
      }
      return deleted.length;
    },
    async verify({ lost, halfDone }) {
      // Finishes interrupted deletions, as an hourly job of the host does.
      const finished = await ask(site, null, '/functions/v1/delete-user', {});
      if (finished?.status !== 200)
        halfDone.push(
          `interrupted deletions could not be finished: ${finished?.status ?? site.failure}; the host said: ${site.host.output().slice(-1000)}`,
        );
      for (const user of users) {
        const [row] = await site.sql<{ account: number; left: number; whole: boolean }>(
          `with left_over as (
             select from public.users u where u.id = $1 union all select from public.dogs where owner = $1
             union all select from public.check_ins where user_id = $1 union all select from public.reviews where author = $1
             union all select from private.user_deletions where user_id = $1
             union all select from storage.objects where bucket_id = 'users' and starts_with(name, $2))
           select (select count(*)::int from auth.users where id = $1) as account,
             (select count(*)::int from left_over) as left,
             exists (select from public.users where id = $1) as whole`,
          [user.id, `${user.id}/`],
        );
        const gone = row?.account === 0 && row.left === 0;
        if (deleted.includes(user) && !gone) lost.push(`deletion of ${user.id}`);
        else if (!gone && !(row?.account === 1 && row.whole))
          halfDone.push(`account ${user.id}: ${JSON.stringify(row)}`);
      }
    },
  };
}

const command = (args: string[], environment: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [path.join(ROOT, 'server/bin/packpark.mjs'), ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const codeOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve(child.exitCode)
      : child.once('close', resolve),
  );

/** Imports new parks with the command-line tool while the host is running. */
function imports(site: Site, round: number, started: (child: ChildProcess) => void): Work {
  const source = `kills ${round}`;
  let code: number | null = null;
  return {
    name: 'import',
    async go(running) {
      const file = path.join(site.folder, `parks-${round}.csv`);
      const rows = Array.from(
        { length: PARKS_PER_IMPORT },
        (_, index) =>
          `${round}-${index},Park ${round} ${index},Haifa,Street ${index},${(29.6 + (round % 300) * 0.01).toFixed(4)},${(34.3 + index * 0.02).toFixed(4)}`,
      );
      await writeFile(file, ['source_ref,name,city,address,lat,long', ...rows, ''].join('\n'));
      if (!running()) return 0;
      const child = command(
        ['import-parks', file, '--source', source, '--licence', 'ODbL', '--yes'],
        site.environment,
      );
      started(child);
      code = await codeOf(child);
      return code === 0 ? 1 : 0;
    },
    async verify({ lost, halfDone }) {
      const [row] = await site.sql<{ parks: number; texts: number }>(
        `select count(*)::int as parks, count(t.park_id)::int as texts
         from public.parks p left join public.park_translations t on t.park_id = p.id where p.source = $1`,
        [source],
      );
      const { parks = 0, texts = 0 } = row ?? {};
      if (code === 0 && parks !== PARKS_PER_IMPORT) lost.push(`import ${round}: ${parks} parks`);
      if (![0, PARKS_PER_IMPORT].includes(parks) || texts !== parks)
        halfDone.push(`import ${round}: ${parks} parks, ${texts} texts`);
    },
  };
}

/** Undoes the import of an earlier round. It is retried, because it is rejected while another import is running. */
function undos(site: Site, round: number, started: (child: ChildProcess) => void): Work {
  let code: number | null = null;
  const file = `parks-${round}.csv`;
  const stored = () =>
    site.sql<{ id: string; undone: boolean; parks: number; texts: number }>(
      `select i.id, i.undone_at is not null as undone, (select count(*)::int from public.parks p where p.source = $2) as parks,
         (select count(*)::int from public.park_translations t join public.parks p on p.id = t.park_id where p.source = $2) as texts
       from private.imports i where i.file = $1`,
      [file, `kills ${round}`],
    );
  return {
    name: 'undo',
    async go(running) {
      const [found] = await stored().catch(() => []);
      while (found && !found.undone && running() && code !== 0) {
        const child = command(['imports', 'undo', found.id], site.environment);
        started(child);
        code = await codeOf(child);
      }
      return code === 0 ? 1 : 0;
    },
    async verify({ lost, halfDone }) {
      const [found] = await stored();
      if (!found) return;
      const { undone, parks, texts } = found;
      if (code === 0 && !undone) lost.push(`undo of import ${round}`);
      if (parks !== (undone ? 0 : PARKS_PER_IMPORT) || texts !== parks)
        halfDone.push(`undo of import ${round}: ${parks} parks, ${texts} texts, undone ${undone}`);
    },
  };
}

const isReady = async (url: string) =>
  (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => null))
    ?.status === 200;

/** Waits until the site responds again, and starts the host if it has ended. */
async function recover(site: Site, killed: 'host' | 'database'): Promise<void> {
  if (killed === 'host') site.host = await startHostProcess(site.environment);
  const end = Date.now() + READY_MS;
  while (!(await isReady(site.host.url))) {
    if (Date.now() > end) throw new Error(`Not ready after a kill:\n${site.host.output()}`);
    if (site.host.hasEnded()) site.host = await startHostProcess(site.environment);
    await delay(50);
  }
}

interface Outcome {
  findings: Findings;
  counts: Counts;
  kills: Record<string, number>;
}

/** Runs one round on a running site: all types of work in parallel, a kill at a random time, and a check of the result. */
async function workRound(site: Site, random: Seeded, round: number, outcome: Outcome) {
  const parks = await site
    .sql<{ id: number }>(
      "select id from public.parks where status = 'approved' order by id limit 12",
    )
    .then((rows) => rows.map(({ id }) => Number(id)));
  const users = await repeat(7, () => createUser(site));
  const [visitor, contributor, ...leaving] = users as [TestUser, TestUser, ...TestUser[]];
  const commands: { import?: ChildProcess; undo?: ChildProcess } = {};
  const work = [
    checkIns(site, visitor, parks),
    uploads(site, contributor),
    deletions(site, leaving, parks[1] ?? 0),
    imports(site, round, (child) => (commands.import = child)),
    undos(site, round - 1, (child) => (commands.undo = child)),
  ];
  let going = true;
  const done = work.map((one) => one.go(() => going));
  // Prevents unhandled rejections. Failures are reported below, after all work has ended.
  for (const one of done) one.catch(() => undefined);
  const target = random.pick(['host', 'database', 'import', 'host', 'database', 'undo'] as const);
  const isCommand = target === 'import' || target === 'undo';
  // A command needs a moment to start, so it is killed later.
  await delay((isCommand ? 400 : 40) + random.upTo(1200));
  const database = site.databasePid();
  if (target === 'host') await site.host.stop('SIGKILL');
  else if (target === 'database' && database) process.kill(database, 'SIGKILL');
  else if (isCommand) commands[target]?.kill('SIGKILL');
  outcome.kills[target] = (outcome.kills[target] ?? 0) + 1;
  if (isCommand) {
    // Only the command was killed and the site is still running, so the other work ends normally.
    await delay(100);
    going = false;
  }
  const acknowledged = await Promise.all(done);
  going = false;
  if (!isCommand) await recover(site, target);
  for (const [index, one] of work.entries()) {
    const count = (outcome.counts[one.name] ??= { acknowledged: 0, interrupted: 0 });
    count.acknowledged += acknowledged[index] ?? 0;
    if (!isCommand || one.name === target) count.interrupted += 1;
    await one.verify(outcome.findings);
  }
}

/** Restores into an empty folder, kills the restore at a random time, and repeats it. */
async function restoreRound(site: Site, random: Seeded, archive: string, outcome: Outcome) {
  const folder = await mkdtemp(path.join(site.folder, 'restore-'));
  await chmod(folder, 0o755);
  const environment = { ...site.environment, DATA_DIR: path.join(folder, 'data') };
  const restore = (replace: boolean) => {
    const child = command(['restore', archive, ...(replace ? ['--replace'] : [])], environment);
    let output = '';
    child.stdout?.on('data', (chunk) => (output += String(chunk)));
    child.stderr?.on('data', (chunk) => (output += String(chunk)));
    return { child, output: () => output };
  };
  const target = random.pick(['restore', "restore's database"] as const);
  const first = restore(false);
  await delay(100 + random.upTo(5000));
  if (target === 'restore') first.child.kill('SIGKILL');
  else {
    const database = site.databasePid(environment.DATA_DIR);
    if (database) process.kill(database, 'SIGKILL');
    else first.child.kill('SIGKILL');
  }
  outcome.kills[target] = (outcome.kills[target] ?? 0) + 1;
  const code = await codeOf(first.child);
  const count = (outcome.counts.restore ??= { acknowledged: 0, interrupted: 0 });
  if (code === 0) count.acknowledged += 1;
  else count.interrupted += 1;
  // A restore compares every table and file with the archive before it succeeds, so the second restore verifies the first.
  const again = restore(true);
  if ((await codeOf(again.child)) !== 0)
    outcome.findings.halfDone.push(`a restore after a killed one failed: ${again.output()}`);
  else count.acknowledged += 1;
  const left = site.databasePid(environment.DATA_DIR);
  if (left) process.kill(left, 'SIGQUIT');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}

afterAll(closeAll);

test(
  `after ${KILLS} kills no acknowledged work is lost or half-done`,
  async () => {
    const random = seeded(KILLS_SEED);
    const site = await openSite();
    const outcome: Outcome = { findings: { lost: [], halfDone: [] }, counts: {}, kills: {} };
    await site.sql(`
    insert into storage.buckets (id, name, file_size_limit) values ('kills', 'kills', 5242880);
    create policy "all of kills" on storage.objects to authenticated
      using (bucket_id = 'kills') with check (bucket_id = 'kills')`);
    const archive = path.join(site.folder, 'archive.tar.gz');
    if ((await codeOf(command(['backup', archive], site.environment))) !== 0)
      throw new Error('The backup failed');
    for (let round = 0; round < KILLS; round += 1) {
      if (round % RESTORE_SHARE === RESTORE_SHARE - 1)
        await restoreRound(site, random, archive, outcome);
      else await workRound(site, random, round, outcome);
      if (round % 10 === 9) console.log(`${round + 1} kills:`, JSON.stringify(outcome));
    }
    console.log(`seed ${KILLS_SEED}:`, JSON.stringify(outcome));
    expect(outcome.findings).toEqual({ lost: [], halfDone: [] });
  },
  KILLS * 120_000,
);
