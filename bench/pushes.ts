// Benchmark: the time from the insertion of a notification to the request at a browser's push service, with 10,000 subscriptions
// and 100 events a second, while another push service does not respond. Control: the same with all services responding.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import { startWebPushService } from '../testing/web-push-service.ts';
import type { Result } from './goals.ts';
import { atEnd } from './lib/at-end.ts';
import { openPool, startBenchHost, type BenchHost } from './lib/bench-host.ts';
import { atConstantRate } from './lib/load.ts';
import { addUsers } from './lib/users.ts';
import { residentMegabytes } from './lib/processor-time.ts';
import { percentile, round } from './lib/statistics.ts';

const SUBSCRIPTIONS = 10_000;
const RATE = 100;
const SECONDS = 10;
/** One of this many browsers belongs to the push service that does not respond. */
const DEAD_EVERY = 10;
const DEAD = 'dead.example.org';

/** Returns the host's memory after a garbage collection, because V8 otherwise keeps a varying amount. */
async function heapMegabytes({ output, pid }: BenchHost): Promise<number> {
  const socket = new WebSocket(/ws:\S+/.exec(output())?.[0] ?? '');
  await once(socket, 'open');
  socket.send('{"id":1,"method":"HeapProfiler.collectGarbage"}');
  await once(socket, 'message');
  socket.close();
  return residentMegabytes(pid);
}

const pathOf = (token: string) =>
  new URL((JSON.parse(token) as { endpoint: string }).endpoint).pathname;

export async function run(): Promise<Result | Result[]> {
  const service = await startWebPushService();
  atEnd(service.close);
  const host = await startBenchHost({ ...service.settings, NODE_OPTIONS: '--inspect=127.0.0.1:0' });
  const pool = openPool(host, { max: 8 });
  const users = Array.from({ length: SUBSCRIPTIONS }, (_, index) => {
    const isDead = index % DEAD_EVERY === 0;
    return { id: randomUUID(), isDead, token: service.browser(isDead ? DEAD : undefined).token };
  });
  const ids = users.map(({ id }) => id);
  await addUsers(pool, ids);
  await pool.query(
    `insert into private.push_subscriptions (user_id, endpoint, p256dh, auth)
     select u, t ->> 'endpoint', t #>> '{keys,p256dh}', t #>> '{keys,auth}' from unnest($1::uuid[], $2::jsonb[]) of (u, t)`,
    [ids, users.map(({ token }) => token)],
  );
  const arrived = new Map<string, number>();
  service.respond = ({ url }) => {
    if (url.pathname.startsWith(`/${DEAD}`)) return new Promise(() => undefined);
    const path = url.pathname.replace(/^\/[^/]*/, '');
    arrived.set(path, arrived.get(path) ?? performance.now());
    return { status: 201, body: {} };
  };
  /** Notifies the receivers at a constant rate. Returns the milliseconds until the pushes reached the responding service. */
  const phase = async (receivers: typeof users) => {
    const begun = new Map<string, number>();
    await atConstantRate({ perSecond: RATE, seconds: receivers.length / RATE }, (n) => {
      const { id, token, isDead } = receivers[n] as (typeof users)[0];
      if (!isDead) begun.set(pathOf(token), performance.now());
      return pool.query(
        `insert into public.notifications (type, receiver_id, sender_id) values ('friendApproval', $1, $2)`,
        [id, ids[(n + 1) % ids.length]],
      );
    });
    const waiting = () => [...begun.keys()].filter((path) => !arrived.has(path)).length;
    for (let wait = 0; waiting() > 0 && wait < 600; wait += 1) await pause(50);
    const latencies = [...begun].map(([path, at]) => (arrived.get(path) ?? Infinity) - at);
    return { lost: waiting(), p99: round(percentile(latencies, 0.99)) };
  };
  const living = users.filter(({ isDead }) => !isDead);
  const events = RATE * SECONDS;
  await phase(living.slice(0, RATE));
  const memory = await heapMegabytes(host);
  const alone = await phase(living.slice(RATE, RATE + events));
  const grown = residentMegabytes(host.pid) - memory;
  const kept = (await heapMegabytes(host)) - memory;
  const beside = await phase(users.slice(-events));
  return [
    { goal: 'push', figure: alone.p99 },
    { goal: 'push memory', figure: round(kept), control: round(grown) },
    { goal: 'push beside a dead service', figure: beside.p99, control: alone.p99 },
    { goal: 'lost pushes', figure: alone.lost + beside.lost },
  ];
}
