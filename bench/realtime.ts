// Benchmark: the time from the insertion of a notification to its receiver's socket, and of one event to a thousand sockets.
// Control: a process with only LISTEN and ws, on the same database, in the same run.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import WebSocket from 'ws';
import type { Result } from './goals.ts';
import { openPool, startBenchHost, startControl, type BenchHost } from './lib/bench-host.ts';
import { atConstantRate } from './lib/load.ts';
import { addUsers, tokenOf } from './lib/users.ts';
import { percentile, round } from './lib/statistics.ts';

const SOCKETS = 1000;
const RATE = 500;
const SECONDS = 10;
const FANOUTS = 30;
const CONNECTIONS = 8;

const opened = (socket: WebSocket) =>
  new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });

type OnChange = (record: { id: string }) => void;

/** Opens a socket on the host and joins as `user`. `onChange` receives each changed record. */
async function hostSocket(host: BenchHost, user: string, onChange: OnChange) {
  const address = `${host.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${host.anonKey}&vsn=2.0.0`;
  const socket = new WebSocket(address);
  await opened(socket);
  const joined = new Promise<void>((resolve, reject) => {
    socket.on('message', (frame) => {
      const [, , , event, payload] = JSON.parse(String(frame));
      if (event === 'postgres_changes') onChange(payload.data.record);
      if (event !== 'system') return;
      if (payload.status === 'ok') resolve();
      else reject(new Error(payload.message));
    });
  });
  const postgres_changes = [
    { event: 'UPDATE', schema: 'public', table: 'notifications', filter: `receiver_id=eq.${user}` },
    { event: 'INSERT', schema: 'public', table: 'bench_news' },
  ];
  const join = { config: { postgres_changes }, access_token: await tokenOf(user) };
  socket.send(JSON.stringify(['1', '1', 'realtime:bench', 'phx_join', join]));
  await joined;
  return socket;
}

/** Waits until clients can subscribe to the table. The host looks up unknown tables at most every 30 seconds. */
async function untilListenable(host: BenchHost, user: string) {
  for (let tries = 0; ; tries += 1) {
    try {
      (await hostSocket(host, user, () => undefined)).terminate();
      return;
    } catch (error) {
      if (tries === 40) throw error;
      await pause(1000);
    }
  }
}

async function rawSocket(port: number, user: string, onChange: OnChange) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?user=${user}`);
  await opened(socket);
  socket.on('message', (frame) => onChange(JSON.parse(String(frame))));
  return socket;
}

async function inChunks<Item, Result>(
  items: Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const all: Result[] = [];
  for (let at = 0; at < items.length; at += size)
    all.push(...(await Promise.all(items.slice(at, at + size).map(work))));
  return all;
}

/**
 * Inserts rows at a constant rate. The ID of each row identifies its change on arrival. Returns the milliseconds until the changes
 * arrived.
 */
async function steady(
  pool: pg.Pool,
  statement: string,
  users: string[],
  begun: Map<string, number>,
  latencies: number[],
) {
  const total = RATE * SECONDS;
  await atConstantRate({ perSecond: RATE, seconds: SECONDS }, (sent) => {
    const id = randomUUID();
    begun.set(id, performance.now());
    return pool.query(statement, [
      id,
      users[sent % users.length],
      users[(sent + 1) % users.length],
    ]);
  });
  for (let wait = 0; latencies.length < total && wait < 100; wait += 1) await pause(50);
  return total;
}

async function fanout(
  pool: pg.Pool,
  statement: string,
  latencies: number[],
  begun: Map<string, number>,
) {
  for (let event = 0; event < FANOUTS; event += 1) {
    const id = randomUUID();
    begun.set(id, performance.now());
    await pool.query(statement, [id]);
    for (let wait = 0; latencies.length < (event + 1) * SOCKETS && wait < 100; wait += 1)
      await pause(10);
    await pause(150);
  }
}

const SCHEMA = `
  create table public.bench_news (id uuid primary key, title text);
  alter table public.bench_news enable row level security;
  grant select on public.bench_news to authenticated;
  create policy "all" on public.bench_news for select to authenticated using (true);
  alter publication supabase_realtime add table public.bench_news;
  create table public.baseline (id uuid primary key, receiver uuid, sender uuid, title text);
  create function public.notify_baseline() returns trigger language plpgsql as $$
    begin perform pg_notify('baseline', to_jsonb(new)::text); return null; end $$;
  create trigger notify after insert on public.baseline for each row execute function public.notify_baseline();`;

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost();
  // Commits do not wait for the disk. Commits with NOTIFY run one after the other, so on a busy disk the benchmark would measure
  // only the disk.
  const options = '-c synchronous_commit=off';
  const pool = openPool(host, { max: CONNECTIONS, options });
  await pool.query(SCHEMA);
  const users = Array.from({ length: SOCKETS }, () => randomUUID());
  await addUsers(pool, users);
  const { port } = await startControl('baseline-realtime.ts', host.connectionString);

  const begun = new Map<string, number>();
  /** Returns the latencies in milliseconds, and the number of events that did not arrive. */
  async function measure(
    insertOne: string,
    insertForAll: string,
    open: (user: string, onChange: OnChange) => Promise<WebSocket>,
  ) {
    const latencies: number[] = [];
    const onChange: OnChange = ({ id }) => {
      const start = begun.get(id);
      if (start !== undefined) latencies.push(performance.now() - start);
    };
    const sockets = await inChunks(users, 50, (user) => open(user, onChange));
    // Warms up plans, caches and compiled code on each connection of the pool.
    await inChunks(users.slice(0, 400), CONNECTIONS, (user) =>
      pool.query(insertOne, [randomUUID(), user, users[500]]),
    );
    const expected = await steady(pool, insertOne, users, begun, latencies);
    const single = latencies.splice(0);
    await fanout(pool, insertForAll, latencies, begun);
    for (const socket of sockets) socket.terminate();
    return {
      lost: expected - single.length,
      single: percentile(single, 0.99),
      median: percentile(single, 0.5),
      fanout: percentile(latencies, 0.99),
      missed: FANOUTS * SOCKETS - latencies.length,
    };
  }
  // Host and control are measured one after the other, so that their sockets do not compete.
  const theirs = await measure(
    `insert into public.baseline (id, receiver, sender, title) values ($1, $2, $3, 'New friend request')`,
    `insert into public.baseline (id, title) values ($1, 'to all')`,
    (user, onChange) => rawSocket(port, user, onChange),
  );
  await untilListenable(host, users[0] ?? '');
  const ours = await measure(
    `insert into public.notifications (id, type, receiver_id, sender_id) values ($1, 'friendRequest', $2, $3)`,
    `insert into public.bench_news values ($1, 'to all')`,
    (user, onChange) => hostSocket(host, user, onChange),
  );
  return [
    {
      goal: 'notification',
      figure: ours.single,
      control: theirs.single,
      note: `medians ${round(ours.median)} and ${round(theirs.median)} ms`,
    },
    { goal: 'lost notifications', figure: ours.lost },
    { goal: 'event to all', figure: ours.fanout, control: theirs.fanout },
    { goal: 'missed events', figure: ours.missed },
  ];
}
