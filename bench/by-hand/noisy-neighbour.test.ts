// `npm run test:by-hand -- noisy-neighbour`: measures a visitor on the large dataset while eight anonymous and three logged-in
// callers send the most expensive requests that the host accepts. The visitor's p99 may rise to at most four times its value on an
// idle host, and no request may fail.
import { Agent, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { closeAll } from '../lib/at-end.ts';
import { startLargeDatasetHost } from '../lib/large-dataset.ts';
import { parksOf, userId } from '../lib/large-dataset-sizes.ts';
import { underLoad } from '../lib/load.ts';
import { tokenOf } from '../lib/users.ts';
import { keepAlive, send } from '../lib/request.ts';
import { interleaved, percentile } from '../lib/statistics.ts';

const ANONYMOUS = 8;
const SIGNED_IN = 3;
/** Concurrent requests of each caller. */
const AT_ONCE = 4;
const SOCKETS = 20;
/** Number of visits, with four requests each. */
const VISITS = 100;
const ROUNDS = 3;
/** Maximum of the visitor's p99 under load divided by the p99 on an idle host. */
const MAX_RATIO = 4;
/** Number of expensive requests before the first visit. */
const BEFORE = 100;

interface Attack {
  path: string;
  body?: string;
}

const many = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join();
/** JSON text that is nested too deeply for JSON.stringify. */
const DEEP = `{"input":[${many(90, () => '['.repeat(5000) + ']'.repeat(5000))}]}`;

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
  (n) => ({
    path: `/rest/v1/park_translations?select=park_id&or=(${many(200, (i) => `address.ilike.*${i}*${n % 10}*a*e*i*o*`)})`,
  }),
  (n) => ({
    path: `/rest/v1/park_reviews?select=*&order=content.desc&limit=1000&offset=${n % 40_000}`,
  }),
  (n) => ({ path: '/rest/v1/rpc/search_users_with_dogs', body: `{"input":"${'aeiou'[n % 5]}"}` }),
  (n) => ({ path: `/rest/v1/parks?select=${many(500, (i) => `a${i}_${n}:id`)}` }),
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
    request(url, { agent, method, headers: { ...headers, ...type } }, (answer) =>
      answer.on('close', resolve).resume(),
    )
      .on('error', () => resolve())
      .end(body);
  });

afterAll(closeAll);

test('a visitor is served while others send the most expensive requests', async () => {
  const host = await startLargeDatasetHost('full', {
    TRUST_PROXY: 'true',
    AUTH_RATE_LIMIT: '150',
  });
  const crowdAgent = new Agent({ keepAlive: true });
  const visitorAgent = keepAlive(1);
  const headersOf = (address: string, token = host.anonKey) => ({
    apikey: host.anonKey,
    authorization: `Bearer ${token}`,
    'x-forwarded-for': address,
  });
  const callers = [
    ...Array.from({ length: ANONYMOUS }, (_, n) => headersOf(`203.0.113.${n + 1}`)),
    ...(await Promise.all(
      Array.from({ length: SIGNED_IN }, async (_, n) =>
        headersOf(`203.0.113.${n + 101}`, await tokenOf(userId(5000 + n), { aal: 'aal1' })),
      ),
    )),
  ];
  let failed = 0;

  /** Returns the 99th percentile of the visitor's response times, in milliseconds. */
  async function visit(): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < VISITS; n += 1) {
      const park = 1 + ((n * 10) % parksOf('full'));
      for (const [path, body] of [
        ['/storage/v1/object/public/parks/parks-en.json'],
        ['/rest/v1/rpc/live_counts?p_fresh=true'],
        [
          `/rest/v1/parks?select=id,facts,lat,long,park_translations(name,city,address,language),park_photos(path,status)&id=eq.${park}`,
        ],
        ['/rest/v1/rpc/park_status', { p_park_id: park }],
      ] as [string, object?][]) {
        const began = performance.now();
        const headers = headersOf('198.51.100.7');
        const { status } = await send(visitorAgent, host.url + path, { headers, body });
        if (status >= 400) failed += 1;
        times.push(performance.now() - began);
      }
    }
    return percentile(times, 0.99);
  }

  async function underAttack(): Promise<number> {
    let count = 0;
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
    const attack = async (headers: Record<string, string>) => {
      count += 1;
      const { path, body } = (ATTACKS[count % ATTACKS.length] as (n: number) => Attack)(count);
      await hit(crowdAgent, host.url + path, { headers, ...(body && { body }) });
    };
    const crowd = callers.flatMap((headers) =>
      Array.from({ length: AT_ONCE }, () => () => attack(headers)),
    );
    return underLoad(crowd, async () => {
      while (count < BEFORE) await send(visitorAgent, `${host.url}/healthz`);
      const before = count;
      const waited = await visit();
      if (count === before) throw new Error('The crowd came to a stand');
      return waited;
    }).finally(() => sockets.forEach((socket) => socket.terminate()));
  }

  await visit();
  const { figure, control } = await interleaved(ROUNDS, underAttack, visit);
  console.log(`p99 ${figure.toFixed(0)} ms under load, ${control.toFixed(0)} ms idle`);
  expect(failed).toBe(0);
  expect(figure / control).toBeLessThanOrEqual(MAX_RATIO);
}, 1_800_000);
