// Benchmark: compares check-ins over HTTP with pgbench calling the same function, and sends concurrent check-ins of one user.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { Dispatcher } from 'undici';
import type { Result } from './goals.ts';
import { openPool, startBenchHost, type BenchHost } from './lib/bench-host.ts';
import { throughput } from './lib/load.ts';
import { signUp } from './lib/users.ts';
import { keepAlive, send } from './lib/request.ts';
import { repeat } from './lib/statistics.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';
import { WITHOUT_LIMITS } from './lib/without-limits.ts';

const CONNECTIONS = 16;
const CALLS = 4000;
const PAIRS = 10_000;
type User = Awaited<ReturnType<typeof signUp>>['session'];

function caller(host: BenchHost, agent: Dispatcher, user: User) {
  return async (name: string, body: object): Promise<{ status: string }> => {
    const { status, text } = await send(agent, `${host.url}/rest/v1/rpc/${name}`, {
      headers: { apikey: host.anonKey, authorization: `Bearer ${user.access_token}` },
      body,
    });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return JSON.parse(text);
  };
}

/** Runs pgbench, which calls the same function with the same role and claims over a socket, without HTTP or tokens. */
function pgbench(connectionString: string, users: User[], parks: number[]) {
  if (spawnSync('pgbench', ['--version']).status !== 0 && !process.env.PGBENCH_PATH) return null;
  const script = path.join(temporaryFolder(), 'check-in.sql');
  const cases = users.map(
    (user) => `'${JSON.stringify({ role: 'authenticated', sub: user.user.id })}'`,
  );
  writeFileSync(
    script,
    [
      `\\set park random(0, ${parks.length - 1})`,
      'begin;',
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', (array[${cases.join(',')}])[:client_id % ${users.length} + 1], true);`,
      `select public.check_in((array[${parks.join(',')}])[:park + 1], p_switch => true);`,
      'commit;',
    ].join('\n'),
  );
  const url = new URL(connectionString.replace('@/', '@localhost/'));
  const load = `-n -M prepared -c ${CONNECTIONS} -j 2 -t ${CALLS / CONNECTIONS} -f`.split(' ');
  const server = ['-h', url.searchParams.get('host') ?? '', '-U', 'postgres'];
  const output = execFileSync(
    process.env.PGBENCH_PATH ?? 'pgbench',
    [...load, script, ...server, url.pathname.slice(1)],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}

async function raceOfOneUser(
  { user }: User,
  call: ReturnType<typeof caller>,
  parks: number[],
  database: pg.Pool,
) {
  const responses: Record<string, number> = {};
  let lost = 0;
  let double = 0;
  await throughput(
    async (index) => {
      const park = parks[index % parks.length];
      const other = parks[(index + 1) % parks.length];
      const pair = await Promise.allSettled(
        [park, other].map((id) => call('check_in', { p_park_id: id, p_switch: true })),
      );
      for (const response of pair) {
        const status = response.status === 'rejected' ? 'failed' : response.value.status;
        responses[status] = (responses[status] ?? 0) + 1;
      }
      const { rows } = await database.query(
        'select count(*)::int as open from public.check_ins where user_id = $1 and ended_at is null',
        [user.id],
      );
      if (rows[0].open > 1) double += 1;
      if (rows[0].open < 1) lost += 1;
    },
    { calls: PAIRS, connections: 4 },
  );
  // Every acknowledged check-in must have its row.
  const { rows } = await database.query(
    'select count(*)::int as rows from public.check_ins where user_id = $1',
    [user.id],
  );
  return {
    lost: lost + Math.abs(rows[0].rows - (responses.checked_in ?? 0)),
    double,
    failed: responses.failed ?? 0,
  };
}

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost();
  // A pool, because the race needs four parallel connections and a single client runs one query at a time.
  const database = openPool(host, { max: 4 });
  const agent = keepAlive(CONNECTIONS);
  await database.query(WITHOUT_LIMITS);
  const { rows } = await database.query(
    "select id from public.parks where status = 'approved' order by id limit 20",
  );
  const parks: number[] = rows.map((row) => row.id);
  const users = await repeat(
    CONNECTIONS,
    async (index) => (await signUp(host, `bench-${index}`)).session,
  );
  const calls = users.map((user) => caller(host, agent, user));
  const overHttp = (count: number) =>
    throughput(
      async (index) =>
        calls[index % CONNECTIONS]?.('check_in', {
          p_park_id: parks[(index * 7) % parks.length],
          p_switch: true,
        }),
      { calls: count, connections: CONNECTIONS },
    );
  await overHttp(500);
  const http = await overHttp(CALLS);
  const control = pgbench(host.connectionString, users, parks);
  const { session: racer } = await signUp(host, 'racer');
  const race = await raceOfOneUser(racer, caller(host, agent, racer), parks, database);
  return [
    { goal: 'check-ins', figure: http, ...(control !== null && { control }) },
    { goal: 'racing check-ins', figure: race.lost + race.double + race.failed },
  ];
}
