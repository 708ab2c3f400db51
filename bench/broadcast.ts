// What decision 080 rests on: the same visits told to people who look at a country's map by polling the shared answer, and by
// broadcasting each from the database to their sockets. BROADCAST_VIEWERS (2000) and BROADCAST_SECONDS (45) change it.
import { setTimeout as pause } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { SignJWT } from 'jose';
import WebSocket from 'ws';
import { runSql, type BenchHost } from './lib/bench-host.ts';
import { databaseSeconds, startCountryHost } from './lib/country.ts';
import { personId } from './lib/country-numbers.ts';
import { steadily } from './lib/load.ts';
import { countingAgent, makePhone } from './lib/phone.ts';
import { processorSeconds } from './lib/processor-time.ts';
import { send } from './lib/request.ts';
import { percentile, round } from './lib/statistics.ts';

const VIEWERS = Number(process.env.BROADCAST_VIEWERS ?? 2000);
const SECONDS = Number(process.env.BROADCAST_SECONDS ?? 45);
const POLL_SECONDS = 15;
const VISITS_PER_SECOND = 1;
/** As supabase-js sends it. */
const HEARTBEAT_SECONDS = 25;
const SECRET = 'a secret of the benchmark with at least 32 characters';

/** Each visit makes one row that everybody may read: its insert is what the sockets are sent. */
const BROADCAST = `
  create table public.bench_counts (id bigint generated always as identity primary key, park_id bigint, dogs integer);
  alter table public.bench_counts enable row level security;
  grant select on public.bench_counts to anon;
  create policy "all" on public.bench_counts for select to anon using (true);
  alter publication supabase_realtime add table public.bench_counts;
  create function public.tell_counts() returns trigger language plpgsql security definer as $$
    begin
      insert into public.bench_counts (park_id, dogs)
      select new.park_id, coalesce(sum(c.dog_count), 0) from public.check_ins c
      where c.park_id = new.park_id and c.ended_at is null and c.counted and c.expires_at > now();
      return null;
    end $$;
  create trigger tell_counts after insert or update of ended_at on public.check_ins for each row execute function public.tell_counts()`;

interface Used {
  /** Seconds of processor time. */
  host: number;
  database: number;
  /** Both directions, as TCP carries them. */
  bytes: number;
  /** Milliseconds until somebody saw a visit. */
  delays: number[];
}

/** What somebody looking at the map costs. */
interface Way {
  bytes(): number;
  /** Looks for as long as it is measured. @param onSeen gets the park of each visit that one of the viewers is told of */
  look(onSeen: (park: number) => void): Promise<void>;
  close(): Promise<void>;
}

async function pollers(host: BenchHost): Promise<Way> {
  const { agent, bytes } = countingAgent(200);
  const people = Array.from({ length: VIEWERS }, () => ({
    phone: makePhone(agent, host.url, host.anonKey),
    told: new Set<number>(),
  }));
  await steadily({ perSecond: 1000, seconds: VIEWERS / 1000 }, async (n) =>
    people[n]?.phone.poll(),
  );
  return {
    bytes,
    async look(onSeen) {
      const perSecond = VIEWERS / POLL_SECONDS;
      await steadily({ perSecond, seconds: SECONDS }, async (n) => {
        const { phone, told } = people[n % VIEWERS] as (typeof people)[number];
        await phone.poll();
        for (const park of Object.keys(phone.counts?.parks ?? {}).map(Number)) {
          if (told.has(park)) continue;
          told.add(park);
          onSeen(park);
        }
      });
    },
    close: () => agent.destroy(),
  };
}

async function listeners(host: BenchHost): Promise<Way> {
  const address = `${host.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${host.anonKey}&vsn=2.0.0`;
  let seen: (park: number) => void = () => undefined;
  const join = async () => {
    const socket = new WebSocket(address);
    await new Promise<void>((resolve, reject) => {
      socket.on('open', () => {
        const change = { event: 'INSERT', schema: 'public', table: 'bench_counts' };
        const config = { config: { postgres_changes: [change] } };
        socket.send(JSON.stringify(['1', '1', 'realtime:counts', 'phx_join', config]));
      });
      socket.on('message', (frame) => {
        const [, , , event, payload] = JSON.parse(String(frame));
        if (event === 'postgres_changes') seen(payload.data.record.park_id);
        if (event === 'system' && payload.status === 'ok') resolve();
        if (event === 'system' && payload.status !== 'ok') reject(new Error(payload.message));
      });
      socket.on('error', reject);
    });
    return socket;
  };
  const sockets: WebSocket[] = [];
  while (sockets.length < VIEWERS)
    sockets.push(...(await Promise.all(Array.from({ length: 50 }, join))));
  const raw = sockets.map((socket) => (socket as unknown as { _socket: Socket })._socket);
  return {
    bytes: () =>
      raw.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0),
    async look(onSeen) {
      seen = onSeen;
      const perSecond = VIEWERS / HEARTBEAT_SECONDS;
      await steadily({ perSecond, seconds: SECONDS }, async (n) =>
        sockets[n % VIEWERS]?.send(JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}])),
      );
    },
    async close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function measure(host: BenchHost, open: (host: BenchHost) => Promise<Way>, from: number) {
  const own = countingAgent(8);
  const way = await open(host);
  try {
    const key = new TextEncoder().encode(SECRET);
    const visits = new Map<number, number>();
    const delays: number[] = [];
    const visit = async (n: number) => {
      const token = await new SignJWT({ role: 'authenticated', sub: personId(from + n) })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setExpirationTime('1h')
        .sign(key);
      // Parks where nobody is: whoever sees dogs there sees this visit.
      const park = 2 + (((from + n) * 10) % 3000);
      const { status, text } = await send(own.agent, `${host.url}/rest/v1/rpc/check_in`, {
        headers: { apikey: host.anonKey, authorization: `Bearer ${token}` },
        body: { p_park_id: park, p_dog_count: 2, p_switch: true },
      });
      if (status !== 200) throw new Error(`check_in: ${status} ${text}`);
      visits.set(park, performance.now());
    };
    const before = {
      host: processorSeconds(host.pid),
      database: databaseSeconds(),
      bytes: way.bytes(),
    };
    await Promise.all([
      way.look((park) => {
        const at = visits.get(park);
        if (at !== undefined) delays.push(performance.now() - at);
      }),
      steadily({ perSecond: VISITS_PER_SECOND, seconds: SECONDS }, visit),
    ]);
    return {
      host: processorSeconds(host.pid) - before.host,
      database: databaseSeconds() - before.database,
      bytes: way.bytes() - before.bytes,
      delays,
    } satisfies Used;
  } finally {
    await way.close();
    await own.agent.destroy();
  }
}

/** What a host does by itself at its start takes processor time, too. */
async function untilCalm(): Promise<void> {
  for (let before = -1; ;) {
    const used = databaseSeconds();
    if (before >= 0 && used - before < 0.1) return;
    before = used;
    await pause(2000);
  }
}

/** Only visits, and nobody who looks. */
const nobody = (): Promise<Way> =>
  Promise.resolve({
    bytes: () => 0,
    look: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });

export async function run() {
  const host = await startCountryHost('full', { JWT_SECRET: SECRET });
  try {
    await untilCalm();
    const polled = await measure(host, pollers, 6000);
    const visitsAlone = await measure(host, nobody, 5000);
    await runSql(host.connectionString, BROADCAST);
    // The host looks for tables that it does not know at most every half minute.
    await pause(31_000);
    const broadcast = await measure(host, listeners, 7000);
    const where = `${VIEWERS} viewers of a country, ${VISITS_PER_SECOND * 60} visits a minute`;
    const row = (what: string, unit: string, of: (used: Used) => number) => ({
      goal: 21,
      what: `${what}: polling the shared answer every ${POLL_SECONDS} s (${where})`,
      figure: round(of(polled)),
      unit,
      control: 'each visit broadcast from the database',
      controlFigure: round(of(broadcast)),
      ratio: round(of(polled) / of(broadcast)),
    });
    const share = (seconds: number) => (seconds / SECONDS) * 100;
    return [
      row('processor time of the host beyond the visits', '% of a core', (used) =>
        share(used.host - visitsAlone.host),
      ),
      row('processor time of PostgreSQL beyond the visits', '% of a core', (used) =>
        share(used.database - visitsAlone.database),
      ),
      row('bytes per viewer and minute', 'bytes', ({ bytes }) => bytes / VIEWERS / (SECONDS / 60)),
      row('until a viewer sees a visit, median', 'ms', ({ delays }) => percentile(delays, 0.5)),
    ];
  } finally {
    await host.stop();
  }
}
