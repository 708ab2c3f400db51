// No log contains personal data of requests, and a location is not stored anywhere after its request.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { migratedData, runCli, startCli, temporaryData } from '../../../testing/run-cli.ts';
import { clientAt } from '../../../testing/test-host.ts';

const LAT = 32.1000417;
const LONG = 34.8000529;
const ACCURACY = 17.0313;
const STREET = 'Zamenhof 90817';
const SOMEBODY = '6f1b7a52-0000-4000-8000-000000000001';

/** Returns a pattern that finds a number in files, as text or as PostgreSQL stores a double. */
const ofNumber = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  const escaped = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return `${String(value).replace('.', '\\.')}|${escaped}`;
};
/** A Perl pattern for bytes. It also matches text that was decoded as Latin-1. */
const TRACES = [...[LAT, LONG, ACCURACY].map(ofNumber), '1000417', '8000529', STREET].join('|');
const isIn = (bytes: Buffer | string) =>
  new RegExp(TRACES).test(typeof bytes === 'string' ? bytes : bytes.toString('latin1'));

/** Starts a fake external service whose responses include an echo of the request. */
async function startEcho(): Promise<string> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests % 4 === 1) response.end('[]');
    else if (requests % 4 === 2) response.writeHead(500).end(request.url);
    else if (requests % 4 === 3)
      response.end('x1000417 is no JSON, and its beginning is what the error of a parser quotes');
    else response.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('no log or metric contains a location, name, email or credential, and no file or backup a location', async () => {
  expect([isIn(`x ${LAT}`), isIn(Buffer.from(new Float64Array([LONG]).buffer))]).toEqual([
    true,
    true,
  ]);
  const data = migratedData();
  const outside = await startEcho();
  const host = await startCli({
    DATA_DIR: data,
    DEMO: 'true',
    LOG_LEVEL: 'debug',
    WEATHER_URL: outside,
    GEOCODER_URL: outside,
    GEOCODER_PER_SECOND: '1000',
    ROUTER_URL: outside,
  });
  const { anonKey } = await host.config();
  const client = clientAt(host.url, anonKey);
  const { data: signedUp } = await client.auth.signUp({
    email: 'noa@example.test',
    password: 'a long enough password',
    options: { data: { full_name: 'Noa Zamirovitch', age_confirmed: true } },
  });
  const place = { lat: LAT, long: LONG, accuracy: ACCURACY };
  const key = '0190f000-0000-4000-8000-000000000001';
  const checkIn = async (park: number, more: object = {}) =>
    (await client.rpc('check_in', { p_park_id: park, p_switch: true, p_location: place, ...more }))
      .status;
  // Check-ins that are accepted, rejected by the SQL function, failing in PostgreSQL, or queued for a retry.
  const statuses = [await checkIn(1), await checkIn(999_999), await checkIn(1)];
  statuses.push(
    await checkIn(1, { p_location: { ...place, accuracy: `${ACCURACY}x` } }),
    await checkIn(2, { p_key: key }),
  );
  expect(statuses).toEqual([200, 400, 200, 400, 200]);

  // All other requests that contain a location; some succeed, some are rejected and some fail.
  const queries = [
    `functions/v1/weather?latitude=${LAT}&longitude=${LONG}`,
    `functions/v1/weather?latitude=${LAT}&longitude=${LONG}x`,
    `functions/v1/geocode?mode=point&latitude=${LAT}&longitude=${LONG}`,
    `functions/v1/geocode?q=${encodeURIComponent(STREET)}`,
    `functions/v1/geocode?q=${encodeURIComponent(STREET)}&mode=suggest`,
    `functions/v1/route?from=${LAT},${LONG}&to=${LAT},34.9`,
    `rest/v1/parks?select=id&lat=gt.${LAT}&long=lt.${LONG}`,
    `rest/v1/parks?select=id&lat=gt.${LAT}x`,
    `rest/v1/rpc/suggest_places?input=${encodeURIComponent(STREET)}`,
    `?lat=${LAT}&long=${LONG}`,
    `parks/1/?from=${LAT},${LONG}`,
  ];
  const queryStatuses = new Set<number>();
  const headers = { apikey: anonKey, authorization: `Bearer ${anonKey}` };
  for (let again = 0; again < 4; again += 1)
    for (const query of queries)
      queryStatuses.add((await fetch(`${host.url}/${query}`, { headers })).status);
  expect([...queryStatuses].sort()).toEqual([200, 400, 503]);
  // The logs must not contain the identities or credentials of accounts, calendars or devices either.
  const { data: feed } = await client.rpc('make_calendar_feed');
  const forged = 'abc.def.ghi';
  for (const address of [
    `calendar/${feed}.ics`,
    `profile/${SOMEBODY}/dogs?email=noa@example.test`,
    `storage/v1/object/public/users/${SOMEBODY}/dogs/x.webp`,
  ])
    await fetch(`${host.url}/${address}`);
  await fetch(`${host.url}/rest/v1/users?name=eq.Zamirovitch&id=eq.${SOMEBODY}`, {
    headers: { authorization: `Bearer ${forged}` },
  });
  await client
    .from('device_tokens')
    .insert({ device_id: 'phone-of-noa', platform: 'ios', token: 'token-of-noa' });
  await client.rpc('search_users_with_dogs', { input: 'Noa Zamirovitch' });
  await client.auth.resetPasswordForEmail('noa@example.test');
  const personal = /noa@example|Zamirovitch|-of-noa/;
  const secrets = [
    SOMEBODY,
    forged,
    feed ?? '',
    signedUp.session?.access_token ?? '',
    signedUp.session?.refresh_token ?? '',
  ];

  const metrics = await (await fetch(`${host.url}/metrics`)).text();
  expect(metrics).toContain('packpark_request_seconds_count');
  expect(isIn(metrics)).toBe(false);

  expect(await host.end('SIGTERM')).toBe(0);
  for (const line of host.output().trim().split('\n'))
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  for (const text of ['check_in', 'does not respond']) expect(host.output()).toContain(text);
  const paths = [...host.output().matchAll(/"path":"([^"]*)"/g)].map(([, kind]) => kind);
  expect(paths).toEqual(
    expect.arrayContaining([
      '/profile',
      '/rest/v1/users',
      '/rest/v1/rpc/suggest_places',
      '/storage/v1/object',
      '/calendar',
    ]),
  );
  expect(isIn(host.output())).toBe(false);
  for (const text of [host.output(), metrics]) {
    expect(text).not.toMatch(personal);
    for (const secret of secrets)
      expect([secret.length > 9, text.includes(secret)]).toEqual([true, false]);
  }
  const found = execFileSync('sh', ['-c', `LC_ALL=C grep -raPl '${TRACES}' "$0" || true`, data]);
  expect(found.toString()).toBe('');
  const archive = path.join(temporaryData(), 'backup.tar.gz');
  expect(await runCli(['backup', archive], { DATA_DIR: data })).toMatchObject({ code: 0 });
  const archived = gunzipSync(readFileSync(archive));
  expect(archived.includes('noa@example.test')).toBe(true);
  expect(isIn(archived)).toBe(false);
});
