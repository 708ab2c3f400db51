// What a visitor waits while eight anonymous and three signed-in callers do the worst that the host lets them, on country data.
import { SignJWT } from 'jose';
import WebSocket from 'ws';
import type { Result } from './goals.ts';
import { startCountryHost } from './lib/country.ts';
import { personId } from './lib/country-numbers.ts';
import { keepAlive, send } from './lib/request.ts';
import { median, percentile } from './lib/statistics.ts';

const SECRET = 'a secret of the benchmark with at least 32 characters';
const ANONYMOUS = 8;
const SIGNED_IN = 3;
/** Requests that each of them keeps open. */
const AT_ONCE = 4;
const PROBES = 150;
const ROUNDS = 3;
/** Until the worst callers are at work. */
const WARM = 30;

interface Attack {
  path: string;
  body?: object;
  /** Sent as it stands. */
  raw?: string;
}

const many = (count: number, part: (n: number) => string, between = ',') =>
  Array.from({ length: count }, (_, n) => part(n)).join(between);

/** By number, so that no answer is a stored one. */
const ATTACKS: ((n: number) => Attack)[] = [
  () => ({
    path: `/rest/v1/park_translations?select=park_id&name=match.${encodeURIComponent('(.*)*(.*)*\\1\\2$')}`,
  }),
  (n) => ({ path: `/rest/v1/park_reviews?select=id&content=wfts.word${n}` }),
  () => ({
    path: '/rest/v1/rpc/search_users',
    raw: `{"input":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  }),
  (n) => ({ path: '/functions/v1/geocode', body: { query: `Street ${n}` } }),
  (n) => ({
    path: `/rest/v1/parks?select=*,park_translations(*),park_photos(*),park_reviews(*)&order=facts->>fence.desc,lat&offset=${n % 2000}`,
  }),
  (n) => ({
    path: `/rest/v1/park_translations?select=park_id&or=(${many(200, (i) => `address.ilike.*${i}*${n % 10}*a*e*i*o*`)})`,
  }),
  (n) => ({
    path: `/rest/v1/park_reviews?select=*,parks(*,park_translations(*))&order=content.desc&limit=1000&offset=${n % 40_000}`,
  }),
  (n) => ({ path: '/rest/v1/rpc/search_users', body: { input: 'aeiou'[n % 5] } }),
  (n) => ({
    path: '/auth/v1/token?grant_type=password',
    body: { email: `bench${n}@example.test`, password: 'wrong horse' },
  }),
];

export async function run(): Promise<Result | Result[]> {
  const host = await startCountryHost('full', {
    JWT_SECRET: SECRET,
    TRUST_PROXY: 'true',
    AUTH_RATE_LIMIT: '150',
  });
  const agents = [keepAlive(64), keepAlive(1)] as const;
  const headersOf = (address: string, token = host.anonKey) => ({
    apikey: host.anonKey,
    authorization: `Bearer ${token}`,
    'x-forwarded-for': address,
  });
  async function tokenOf(n: number) {
    const claims = {
      role: 'authenticated',
      sub: personId(5000 + n),
      aud: 'authenticated',
      aal: 'aal1',
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SECRET));
  }
  let count = 0;
  const seen = new Map<string, { count: number; ms: number; statuses: Set<number> }>();
  async function attack(headers: Record<string, string>) {
    const n = (count += 1);
    const { path, body, raw } = (ATTACKS[n % ATTACKS.length] as (typeof ATTACKS)[number])(n);
    const began = performance.now();
    const status = raw
      ? (
          await fetch(host.url + path, {
            method: 'POST',
            body: raw,
            headers: { ...headers, 'content-type': 'application/json' },
          })
        ).status
      : (await send(agents[0], host.url + path, { headers, ...(body && { body }) })).status;
    const key = path.split('=')[0] ?? '';
    const entry = seen.get(key) ?? { count: 0, ms: 0, statuses: new Set() };
    seen.set(key, {
      count: entry.count + 1,
      ms: entry.ms + performance.now() - began,
      statuses: entry.statuses.add(status),
    });
  }
  /** The time of each thing that a visitor opens, in milliseconds. */
  async function visit(times: number[]) {
    const headers = headersOf('198.51.100.7');
    for (let n = 0; n < PROBES; n += 1) {
      const park = 1 + ((n * 10) % 3000);
      for (const [path, body] of [
        ['/storage/v1/object/public/parks/parks-en.json'],
        ['/rest/v1/rpc/live_counts?p_fresh=true'],
        [
          `/rest/v1/parks?select=id,facts,lat,long,park_translations(name,city,address,language),park_photos(path,status)&id=eq.${park}`,
        ],
        ['/rest/v1/rpc/park_status', { p_park_id: park }],
      ] as [string, object?][]) {
        const began = performance.now();
        const answer = await send(agents[1], host.url + path, { headers, body });
        if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`);
        times.push(performance.now() - began);
      }
    }
  }
  async function underAttack() {
    let attacking = true;
    const sockets: WebSocket[] = [];
    const callers = [
      ...Array.from({ length: ANONYMOUS }, (_, n) => headersOf(`203.0.113.${n + 1}`)),
      ...(await Promise.all(
        Array.from({ length: SIGNED_IN }, async (_, n) =>
          headersOf(`203.0.113.${n + 100}`, await tokenOf(n)),
        ),
      )),
    ];
    const join = (topic: number) =>
      JSON.stringify({
        topic: `realtime:t${topic}`,
        event: 'phx_join',
        ref: '1',
        join_ref: '1',
        payload: {
          config: {
            postgres_changes: Array.from({ length: 500 }, () => ({
              event: '*',
              schema: 'public',
              table: 'parks',
              filter: `id=in.(${many(20, String)})`,
            })),
          },
        },
      });
    for (let n = 0; n < 20; n += 1) {
      const socket = new WebSocket(
        `${host.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${host.anonKey}`,
      );
      socket.on('open', () => socket.send(join(n)));
      socket.on('message', () => attacking && socket.readyState === 1 && socket.send(join(n)));
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    const crowd = callers.flatMap((headers) =>
      Array.from({ length: AT_ONCE }, async () => {
        while (attacking) await attack(headers).catch(() => undefined);
      }),
    );
    const times: number[] = [];
    const before = count;
    while (count < before + WARM) await visitOnce();
    const began = performance.now();
    await visit(times);
    const rate = (count - before) / ((performance.now() - began) / 1000);
    attacking = false;
    for (const socket of sockets) socket.terminate();
    await Promise.all(crowd);
    return { p99: percentile(times, 0.99), rate };
  }
  async function visitOnce() {
    await send(agents[1], `${host.url}/healthz`);
  }
  async function idle() {
    const times: number[] = [];
    await visit(times);
    return percentile(times, 0.99);
  }
  try {
    await idle();
    const rounds: [Awaited<ReturnType<typeof underAttack>>, number][] = [];
    for (let n = 0; n < ROUNDS; n += 1) rounds.push([await underAttack(), await idle()]);
    for (const [key, { count: times, ms, statuses }] of seen)
      console.log(key, times, Math.round(ms / times), [...statuses].join(' '));
    console.log(rounds);
    return {
      goal: 'worst callers',
      figure: median(rounds.map(([busy]) => busy.p99)),
      control: median(rounds.map(([, calm]) => calm)),
      note: `${Math.round(median(rounds.map(([busy]) => busy.rate)))} hostile requests/s`,
    };
  } finally {
    await host.stop();
  }
}
