// `npm run test:by-hand -- noisy-neighbour`: measures a visitor and a logged-in user on the large dataset while 16 anonymous callers
// and bursts of 20 accounts send the most expensive requests that the host accepts. Each p99 may rise to at most four times its
// value on an idle host, and no request may fail.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { closeAll } from '../lib/at-end.ts';
import { startLargeDatasetHost } from '../lib/large-dataset.ts';
import { parksOf, userId } from '../lib/large-dataset-sizes.ts';
import { underLoad } from '../lib/load.ts';
import { tokenOf } from '../lib/users.ts';
import { keepAlive, send } from '../lib/request.ts';
import { median, percentile } from '../lib/statistics.ts';

const ANONYMOUS = 16;
/** Concurrent requests of each anonymous caller. */
const AT_ONCE = 4;
const ACCOUNTS = 20;
/** Requests that an account sends at the same time, and the pause until its next burst. */
const BURST = 10;
const PAUSE_MS = 2000;
/** Pause of the two visitors between two visits, which have four requests each. */
const THINK_MS = 500;
const SOCKETS = 20;
const ROUNDS = 3;
/** Duration of each of the two measurements of a round. */
const SECONDS = 30;
/** Maximum of the p99 under load divided by the p99 on an idle host. */
const MAX_RATIO = 4;
/** Number of expensive requests before the first visit under load. */
const BEFORE = 100;

const PARK_LIST = '/storage/v1/object/public/parks/parks-en.json';

interface Attack {
  path: string;
  body?: string;
}

const many = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join();
/** JSON text that is nested too deeply for JSON.stringify. */
const DEEP = `{"input":[${many(90, () => '['.repeat(5000) + ']'.repeat(5000))}]}`;
const patterns = (count: number, n: number) =>
  `/rest/v1/park_translations?select=park_id&or=(${many(count, (i) => `address.ilike.*${i}*${n % 10}*a*e*i*o*`)})`;

/**
 * Creates the expensive requests. Each contains a number that makes it different from all others, so that no response comes from a
 * cache.
 */
const ATTACKS: ((n: number) => Attack)[] = [
  () => ({
    path: `/rest/v1/park_translations?select=park_id&name=match.${encodeURIComponent('(.*)*(.*)*\\1\\2$')}`,
  }),
  (n) => ({ path: `/rest/v1/park_reviews?select=id&content=wfts.word${n}` }),
  () => ({ path: '/rest/v1/rpc/search_users_with_dogs', body: DEEP }),
  (n) => ({ path: `/functions/v1/geocode?q=street${n}` }),
  (n) => ({ path: `/functions/v1/geocode?mode=suggest&q=${'grove '.repeat(30)}${n}` }),
  (n) => ({
    path: `/rest/v1/parks?select=*,park_translations(*),park_photos(*)&order=facts->>fence.desc,lat&offset=${n % 2000}`,
  }),
  (n) => ({ path: patterns(4, n) }),
  (n) => ({ path: patterns(200, n) }),
  (n) => ({
    path: `/rest/v1/park_reviews?select=*&order=content.desc&limit=1000&offset=${n % 40_000}`,
  }),
  (n) => ({ path: '/rest/v1/rpc/search_users_with_dogs', body: `{"input":"${'aeiou'[n % 5]}"}` }),
  (n) => ({ path: `/rest/v1/parks?select=${many(90, (i) => `a${i}_${n}:id`)}` }),
  (n) => ({
    path: '/auth/v1/token?grant_type=password',
    body: `{"email":"bench${n}@example.test","password":"wrong horse"}`,
  }),
];

const JOIN = JSON.stringify({
  topic: 'realtime:all',
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

/** Uses Node's own client, because undici never finishes a request whose body was rejected. */
const hit = (agent: Agent, url: string, { headers, body }: { headers: object; body?: string }) =>
  new Promise<void>((resolve) => {
    const method = body ? 'POST' : 'GET';
    const type = body && { 'content-type': 'application/json' };
    request(url, { agent, method, headers: { ...headers, ...type } }, (response) =>
      response.on('close', resolve).resume(),
    )
      .on('error', () => resolve())
      .end(body);
  });

afterAll(closeAll);

test('a visitor and a user are served while others send the most expensive requests', async () => {
  const host = await startLargeDatasetHost('full', {
    TRUST_PROXY: 'true',
    AUTH_RATE_LIMIT: '150',
  });
  const headersOf = (ip: string, token = host.anonKey) => ({
    'accept-encoding': 'br',
    apikey: host.anonKey,
    authorization: `Bearer ${token}`,
    'x-forwarded-for': ip,
  });
  const crowdAgent = new Agent({ keepAlive: true });
  let count = 0;
  async function attack(headers: object): Promise<void> {
    const { path, body } = (ATTACKS[count % ATTACKS.length] as (n: number) => Attack)((count += 1));
    await hit(crowdAgent, host.url + path, { headers, ...(body && { body }) });
  }
  const attacks = (concurrent: number, headers: object) =>
    Promise.all(Array.from({ length: concurrent }, () => attack(headers)));
  const crowd = [
    ...Array.from({ length: ANONYMOUS * AT_ONCE }, (_, n) => {
      const headers = headersOf(`203.0.113.${1 + (n % ANONYMOUS)}`);
      return () => attack(headers);
    }),
    ...(await Promise.all(
      Array.from({ length: ACCOUNTS }, async (_, n) => {
        const token = await tokenOf(userId(5000 + n), { aal: 'aal1' });
        const headers = headersOf(`203.0.113.${n + 101}`, token);
        return async () => {
          await attacks(BURST, headers);
          await pause(PAUSE_MS);
        };
      }),
    )),
  ];

  let failed = 0;
  const visitors = {
    visitor: headersOf('198.51.100.7'),
    user: headersOf('198.51.100.8', await tokenOf(userId(4000), { aal: 'aal1' })),
  };
  type Visitor = keyof typeof visitors;

  /** Returns the 99th percentile of the response times, in milliseconds. */
  async function visit(headers: Record<string, string>): Promise<number> {
    const agent = keepAlive(1);
    const times: number[] = [];
    const began = performance.now();
    for (let n = 0; performance.now() - began < SECONDS * 1000; n += 1) {
      const park = 1 + ((n * 10) % parksOf('full'));
      await pause(THINK_MS);
      for (const [path, body] of [
        [PARK_LIST],
        ['/rest/v1/rpc/live_counts?p_fresh=true'],
        [
          `/rest/v1/parks?select=id,facts,lat,long,park_translations(name,city,address,language),park_photos(path,status)&id=eq.${park}`,
        ],
        ['/rest/v1/rpc/park_status', { p_park_id: park }],
      ] as [string, object?][]) {
        const sent = performance.now();
        const { status } = await send(agent, host.url + path, { headers, body });
        if (status >= 500) failed += 1;
        times.push(performance.now() - sent);
      }
    }
    return percentile(times, 0.99);
  }

  const visitAll = async (): Promise<Record<Visitor, number>> => {
    const [visitor, user] = await Promise.all([visit(visitors.visitor), visit(visitors.user)]);
    return { visitor, user };
  };

  async function underAttack(): Promise<Record<Visitor, number>> {
    const first = count;
    const sockets = Array.from({ length: SOCKETS }, () => {
      const socket = new WebSocket(
        `${host.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${host.anonKey}`,
      );
      const join = () => socket.readyState === 1 && socket.send(JOIN);
      return socket
        .on('open', join)
        .on('message', join)
        .on('error', () => undefined);
    });
    return underLoad(crowd, async () => {
      while (count < first + BEFORE) await pause(50);
      const before = count;
      const times = await visitAll();
      if (count === before) throw new Error('The crowd came to a stand');
      return times;
    }).finally(() => sockets.forEach((socket) => socket.terminate()));
  }

  await expect
    .poll(async () => (await send(keepAlive(1), host.url + PARK_LIST)).status, { timeout: 60_000 })
    .toBe(200);
  const rounds: { idle: Record<Visitor, number>; loaded: Record<Visitor, number> }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ idle: await visitAll(), loaded: await underAttack() });
  console.table(
    rounds.map(({ idle, loaded }) => ({
      ...idle,
      'visitor under load': loaded.visitor,
      'user under load': loaded.user,
    })),
  );
  expect(failed).toBe(0);
  for (const who of ['visitor', 'user'] as const)
    expect(median(rounds.map(({ idle, loaded }) => loaded[who] / idle[who]))).toBeLessThanOrEqual(
      MAX_RATIO,
    );
}, 600_000);
