// The short fuzz: hostile requests to every route of one host; `npm run fuzz` is the long one.
import { expect, test } from 'vitest';
import { hostileRun } from './hostile-run.ts';
import { startTestHost } from './test-host.ts';

/** Loopback, where nobody listens: outside services must not be asked by a test. */
const NOBODY = 'http://127.0.0.1:9';
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
const REQUESTS = 1500;

const host = await startTestHost({
  AUTH_RATE_LIMIT: '1000000',
  AUTH_MAIL_INTERVAL: '0',
  WEATHER_URL: NOBODY,
  GEOCODER_URL: NOBODY,
  TILE_URL: `${NOBODY}/{z}/{x}/{y}.png`,
});

test(`${REQUESTS} hostile requests from seed ${SEED}: no 5xx, no hang, and the host is well`, async () => {
  const person = await host.user('Dana');
  const { anonKey, serviceKey } = host.tokens;
  const { failures, statuses } = await hostileRun({
    url: host.url,
    seed: SEED,
    requests: REQUESTS,
    tokens: [
      anonKey,
      person.token,
      person.token,
      serviceKey,
      await host.tokens.sign({ role: 'authenticated', sub: person.id, exp: 1 }),
      await host.tokens.sign({ role: 'authenticated', sub: "'" }, 600),
      await host.tokens.sign({ role: 'postgres' as never, sub: person.id }, 600),
      `${person.token.slice(0, -6)}AAAAAA`,
      'a.b.c',
      '',
    ],
  });
  expect(failures).toEqual([]);
  // It must reach beyond the parsers, or it would prove little.
  for (const status of [200, 400, 401, 403, 404, 405])
    expect.soft(statuses[status] ?? 0, JSON.stringify(statuses)).toBeGreaterThan(2);
  expect(statuses.open).toBeGreaterThan(20);
});
