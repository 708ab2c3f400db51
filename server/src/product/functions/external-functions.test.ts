// Tests the functions that call external services (weather, addresses and routes), with fake services.
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { atEnd } from '../../../../testing/at-end.ts';
import { startStubService } from '../../../../testing/stub-service.ts';
import { startTestHost, type TestHost } from '../../../../testing/test-host.ts';

const hourly = {
  time: ['2026-11-21T00:00'],
  temperature_2m: [21.4],
  precipitation_probability: [40],
  weathercode: [2],
  shortwave_radiation: [310],
};
const ahuza = {
  lat: '32.18',
  lon: '34.87',
  display_name: 'Ahuza 1, Raanana, Center District, Israel',
  address: { road: 'Ahuza', house_number: '1', city: 'Raanana' },
};

const upstream = await startStubService(() => ({ body: {} }));
atEnd(upstream.close);
const host = await startTestHost({
  WEATHER_URL: upstream.url,
  GEOCODER_URL: upstream.url,
  GEOCODER_PER_SECOND: '1000',
  ROUTER_URL: upstream.url,
  SITE_URL: 'https://parks.example',
});
await host.sql`
  with park as (insert into public.parks (lat, long, status) values (32.1, 34.8, 'approved') returning id)
  insert into public.park_translations (park_id, language, name, city, address)
  select id, 'en', 'Mulberry Yard', 'Ramat Gan', '9 HaTut St' from park`;
beforeEach(() => (upstream.requests.length = 0));

async function get(name: string, query: Record<string, string>) {
  const { data, error } = await host
    .client()
    .functions.invoke(`${name}?${new URLSearchParams(query).toString()}`, { method: 'GET' });
  const status = (error?.context as Response | undefined)?.status ?? 200;
  return { status, data: data as unknown };
}

const statusOf = async (name: string, query: object) =>
  (await get(name, query as Record<string, string>)).status;

/** Sends a request as if through a proxy that appended this IP address. */
const fetchFrom = (one: TestHost, address: string, path: string, more?: Record<string, string>) =>
  fetch(one.url + path, {
    headers: {
      apikey: one.tokens.anonKey,
      'x-forwarded-for': `192.0.2.1, ${address}`,
      'cf-connecting-ip': '192.0.2.1',
      ...more,
    },
  });
const statusFrom = async (one: TestHost, address: string, name: string, query: object) => {
  const path = `/functions/v1/${name}?${new URLSearchParams({ ...query })}`;
  return (await fetchFrom(one, address, path)).status;
};

describe('weather', () => {
  beforeEach(() => {
    upstream.respond = () => ({
      body: { timezone: 'Asia/Jerusalem', utc_offset_seconds: 7200, hourly, extra: 1 },
    });
  });

  test('requests the hours of today and tomorrow and returns the data that the app needs', async () => {
    const response = await get('weather', { latitude: '32.0999', longitude: '34.8092' });
    expect(response).toEqual({
      status: 200,
      data: { timezone: 'Asia/Jerusalem', utc_offset_seconds: 7200, hourly },
    });
    const { error } = await host.client().functions.invoke('weather', { body: {} });
    expect((error as { context?: Response } | null)?.context?.status).toBe(405);
    const [request] = upstream.requests;
    expect(request?.url.pathname).toBe('/v1/forecast');
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      latitude: '32.10',
      longitude: '34.80',
      hourly: 'temperature_2m,precipitation_probability,weathercode,shortwave_radiation',
      timezone: 'auto',
      forecast_days: '2',
    });
    expect(request?.headers['user-agent']).toBe('Packpark/1.0 (+https://parks.example)');
  });

  test('concurrent and later callers in a cell share one call', async () => {
    const near = Array.from({ length: 10 }, (_, index) =>
      get('weather', { latitude: `31.50${index}`, longitude: '35.001' }),
    );
    await Promise.all(near);
    await get('weather', { latitude: '31.505', longitude: '35.002' });
    expect(upstream.requests).toHaveLength(1);
  });

  test('is cached for half an hour, but not past midnight at the place', async () => {
    const maxAge = async (longitude: string, offset: number) => {
      upstream.respond = () => ({ body: { timezone: 'x', utc_offset_seconds: offset, hourly } });
      const path = `/functions/v1/weather?latitude=12&longitude=${longitude}`;
      const response = await fetchFrom(host, '', path);
      const control = response.headers.get('cache-control') ?? '';
      return Number(/^private, max-age=(\d+)$/.exec(control)?.[1]);
    };
    const untilMidnight = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
    expect(await maxAge('40', untilMidnight - 43_200)).toBeGreaterThan(1700);
    expect(await maxAge('41', untilMidnight - 600)).toBeLessThanOrEqual(600);
  });

  test('returns an error if the service fails, and retries with the next request', async () => {
    const place = { latitude: '30', longitude: '34' };
    upstream.respond = () => ({ status: 500, body: {} });
    expect(await statusOf('weather', place)).toBe(503);
    upstream.respond = () => ({ body: { timezone: 'x', utc_offset_seconds: 0, hourly } });
    expect(await statusOf('weather', place)).toBe(200);
  });

  test('a caller that requests too many cells is rejected before the service is called', async () => {
    // The next slot is in ten minutes, so uncached requests are rejected immediately, however slow the machine is.
    const queue = (waiting: string) =>
      host.sql`insert into private.service_slots (service, next_at) values ('weather', now() + ${waiting}::interval)
         on conflict (service) do update set next_at = excluded.next_at`;
    const far = (n: number) => statusOf('weather', { latitude: `${n - 30}`, longitude: `${n}` });
    await queue('10 minutes');
    expect(await Promise.all([1, 2, 3].map(far))).toEqual([503, 503, 503]);
    expect(upstream.requests).toHaveLength(0);
    await queue('0 s');
    expect(await far(4)).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });

  test('one IP can cause a twentieth of the day’s calls, and cached responses do not count', async () => {
    const small = await startTestHost({
      WEATHER_URL: upstream.url,
      WEATHER_PER_DAY: '40',
      TRUST_PROXY: 'true',
    });
    const at = (address: string, latitude: number) =>
      statusFrom(small, address, 'weather', { latitude, longitude: 20 });
    expect([await at('2001:db8::1', 1), await at('2001:db8::2', 2)]).toEqual([200, 200]);
    expect(await at('2001:db8::3', 3)).toBe(429);
    expect(await at('2001:db8::3', 2)).toBe(200);
    expect(await at('192.0.2.250', 3)).toBe(200);
    expect(upstream.requests).toHaveLength(3);
  });

  test.each([
    { latitude: '95', longitude: '34' },
    { latitude: 'here', longitude: '34' },
    { latitude: '32' },
    { latitude: '', longitude: '' },
  ])('rejects %j', async (query) => {
    expect(await statusOf('weather', query)).toBe(400);
    expect(upstream.requests).toHaveLength(0);
  });
});

describe('good-times', () => {
  test('evaluates each park once, asks once for the forecast of a cell, and tells everybody who waits', async () => {
    const own = await startTestHost({ WEATHER_URL: upstream.url });
    const parks = [await own.park('First Park'), await own.park('Second Park'), await own.park()];
    const [ann, bob, cy] = [await own.user('Ann'), await own.user('Bob'), await own.user('Cy')];
    // Chooses a time zone in which it is noon now.
    const west = new Date().getUTCHours() - 12;
    const zone = `Etc/GMT${west < 0 ? west : `+${west}`}`;
    await own.sql`update private.site_settings set time_zone = ${zone}`;
    await own.sql`update public.parks set facts = '{"opening_hours": "off"}' where id = ${parks[2]}`;
    for (const [user, park] of [
      [ann, 0],
      [bob, 0],
      [bob, 1],
      [cy, 2],
    ] as const)
      await own.sql`insert into public.favourite_parks (user_id, park_id, good_from, good_to) values (${user.id}, ${parks[park]}, 9, 15)`;
    const midnight = Date.now() - (Date.now() % 3_600_000) - 12 * 3_600_000 - west * 3_600_000;
    const time = Array.from({ length: 48 }, (_, hour) =>
      new Date(midnight + hour * 3_600_000).toISOString().slice(0, 16),
    );
    const all = (value: number) => time.map(() => value);
    upstream.respond = () => ({
      body: {
        timezone: zone,
        utc_offset_seconds: -3600 * west,
        hourly: {
          time,
          temperature_2m: all(20),
          precipitation_probability: all(0),
          weathercode: all(1),
          shortwave_radiation: all(100),
        },
      },
    });
    expect(await own.functions.run('good-times')).toEqual({ notified: 2 });
    expect(upstream.requests).toHaveLength(1);
    const notifications = await own.sql<{ receiver_id: string; push_message: string }>`
      select receiver_id, push_message from public.notifications where type = 'goodTime'`;
    expect(new Set(notifications.map(({ receiver_id }) => receiver_id))).toEqual(
      new Set([ann.id, bob.id]),
    );
    for (const { push_message } of notifications)
      expect(push_message).toMatch(
        /First Park.* for the next hour: .*pleasant, 20° · no rain expected/,
      );
    expect(await own.functions.run('good-times')).toEqual({ notified: 0 });
    const { error } = await ann.client.functions.invoke('good-times', { body: {} });
    expect((error?.context as Response | undefined)?.status).toBe(403);
  });

  test('uses at most half of the forecasts of a day', async () => {
    const own = await startTestHost({ WEATHER_URL: upstream.url, WEATHER_PER_DAY: '4' });
    upstream.respond = () => ({ body: { timezone: 'UTC', utc_offset_seconds: 0, hourly } });
    const from = async (client: ReturnType<TestHost['client']>, longitude: number) =>
      (
        (
          await client.functions.invoke(`weather?latitude=1&longitude=${longitude}`, {
            method: 'GET',
          })
        ).error?.context as Response | undefined
      )?.status ?? 200;
    const statuses: number[] = [];
    for (const longitude of [1, 2, 3]) statuses.push(await from(own.service(), longitude));
    expect(statuses).toEqual([200, 200, 503]);
    expect(await from(own.client(), 4)).toBe(200);
  });
});

test('all hosts together have a daily limit of calls; above it weather is unavailable, which is logged once', async () => {
  const environment = {
    DATABASE_URL: host.connectionString,
    WEATHER_URL: upstream.url,
    WEATHER_PER_DAY: '5',
    TRUST_PROXY: 'true',
  };
  upstream.respond = () => ({ body: { timezone: 'x', utc_offset_seconds: 0, hourly } });
  await host.sql(`delete from private.service_slots where service = 'weather'`);
  const hosts = await Promise.all([startTestHost(environment), startTestHost(environment)]);
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  const fetchWeather = (one: TestHost, longitude: number) =>
    statusFrom(one, `198.51.100.${longitude}`, 'weather', { latitude: -40, longitude });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1)
    for (const [index, one] of hosts.entries())
      statuses.push(await fetchWeather(one, n * 2 + index));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
  expect(upstream.requests).toHaveLength(5);
  // Each of the two hosts logs once that the limit was reached.
  const warnings = warned.mock.calls.filter(([text]) => String(text).startsWith('weather: the 5'));
  expect(warnings.length).toBe(2);
  // Cached weather is still returned, and on the next day the count starts again.
  expect(await fetchWeather(hosts[0] as TestHost, 0)).toBe(200);
  await host.sql(`update private.service_slots set day = day - 1 where service = 'weather'`);
  const service = host.service();
  const slot = { p_service: 'weather', p_per_second: 10, p_max_waiting: 20, p_per_day: 5 };
  expect((await service.rpc('claim_service_slot', slot)).data).toBeGreaterThanOrEqual(0);
});

test.each([
  ['weather', { latitude: '-10', longitude: '20' }],
  ['geocode', { q: 'Endless Street' }],
  ['route', { from: '32.1,34.8', to: '32.2,34.9' }],
])('%s stops reading an endless response after a megabyte', async (name, query) => {
  upstream.endless = true;
  upstream.sentBytes = 0;
  try {
    expect(await statusOf(name, query)).toBe(503);
  } finally {
    upstream.endless = false;
  }
  // More than the megabyte that the function reads was sent, because of the socket buffers.
  expect(upstream.sentBytes).toBeLessThan(20_000_000);
});

test('geocode: one IP can cause a fifth of the calls, and cached responses do not count', async () => {
  const small = await startTestHost({
    GEOCODER_URL: upstream.url,
    GEOCODER_PER_SECOND: '1',
    TRUST_PROXY: 'true',
  });
  const at = async (address: string, q: string) => {
    // Frees the slot, so that no caller waits and the result does not depend on the machine's speed.
    await small.sql(`delete from private.service_slots where service = 'geocoder'`);
    return statusFrom(small, address, 'geocode', { q });
  };
  upstream.respond = () => ({ body: [ahuza] });
  for (let n = 0; n < 12; n += 1) expect(await at('2001:db8::1', `street ${n}`)).toBe(200);
  expect(await at('2001:db8::2', 'd')).toBe(429);
  expect(await at('2001:db8::2', 'street 1')).toBe(200);
  expect(await at('192.0.2.250', 'd')).toBe(200);
});

test('geocode: a search calls the service with the required parameters, once for the same text', async () => {
  upstream.respond = () => ({ body: [ahuza] });
  const address = { label: 'Ahuza 1, Raanana', city: 'Raanana', address: 'Ahuza 1' };
  const expected = [{ ...address, lat: 32.18, long: 34.87, type: 'address' }];
  expect((await get('geocode', { q: 'Ahuza 1', language: 'he' })).data).toEqual(expected);
  expect((await get('geocode', { q: 'ahuza 1', language: 'he' })).data).toEqual(expected);
  expect(upstream.requests).toHaveLength(1);
  const [request] = upstream.requests;
  expect(`${request?.url.pathname}${request?.url.search}`).toBe(
    '/search?q=ahuza+1&limit=3&countrycodes=il&format=json&addressdetails=1',
  );
  expect(request?.headers['accept-language']).toBe('he');
});

test('geocode: a point is requested once per spot, and may have no address', async () => {
  upstream.respond = () => ({ body: ahuza });
  const near = (latitude: string, longitude = '34.87') =>
    get('geocode', { mode: 'point', latitude, longitude, language: 'he' });
  const [place] = (await near('32.180001')).data as unknown[];
  expect(place).toMatchObject({ city: 'Raanana', address: 'Ahuza 1', type: 'address' });
  expect((await near('32.180002')).data).toEqual([place]);
  expect(upstream.requests.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([
    '/reverse?lat=32.18000&lon=34.87000&zoom=18&format=json&addressdetails=1',
  ]);
  upstream.respond = () => ({ body: { error: 'Unable to geocode' } });
  expect((await near('31.5', '33')).data).toEqual([]);
  upstream.respond = () => ({ status: 500, body: {} });
  expect((await near('31.6', '33')).status).toBe(503);
  expect((await near('91')).status).toBe(400);
});

test('geocode: suggestions are our own places, and never come from a service that forbids autocomplete', async () => {
  const suggest = async (q: string) => (await get('geocode', { q, mode: 'suggest' })).data;
  const place = { lat: 32.1, long: 34.8, city: 'Ramat Gan', address: '9 HaTut St' };
  const park = { ...place, label: 'Mulberry Yard, Ramat Gan', type: 'park' };
  const address = { ...place, label: '9 HaTut St, Ramat Gan', type: 'address' };
  expect([await suggest('mulb'), await suggest('hatut')]).toEqual([[park], [address]]);
  expect([await suggest('nowhere'), await suggest('mu')]).toEqual([[], []]);
  expect(upstream.requests).toHaveLength(0);
});

test.each(['true', 'false'])(
  'geocode: our own places are searched as the anonymous caller, also over loopback (TRUST_PROXY %s)',
  async (TRUST_PROXY) => {
    const one = await startTestHost({ TRUST_PROXY });
    await one.sql(`create or replace function public.suggest_places(input text, p_language public.language default 'en')
      returns table (label text, lat float8, long float8, city text, address text, is_park boolean) language sql stable
      as $$ select current_setting('request.headers')::jsonb ->> 'x-forwarded-for', 0, 0, '', '', true $$`);
    const typedBy = async (path: string, key = '') => {
      const response = await fetchFrom(one, '198.51.100.7', path, { 'x-service-key': key });
      return ((await response.json()) as object[])[0];
    };
    const ours = '/rest/v1/rpc/suggest_places?input=oak';
    const seen = { label: TRUST_PROXY === 'true' ? '198.51.100.7' : '127.0.0.1' };
    expect(await typedBy('/functions/v1/geocode?mode=suggest&q=oak')).toMatchObject(seen);
    expect(await typedBy(ours, 'x')).toMatchObject(seen);
    // Simulates a request that one of our functions sends.
    expect(await typedBy(ours, one.tokens.serviceKey)).toMatchObject({ label: '198.51.100.7' });
  },
);

test('geocode: a search returns our own places if the service finds nothing or fails', async () => {
  upstream.respond = () => ({ body: [] });
  expect((await get('geocode', { q: 'HaTut St' })).data).toHaveLength(1);
  upstream.respond = () => ({ status: 500, body: {} });
  expect((await get('geocode', { q: 'Mulberry' })).data).toHaveLength(1);
  expect((await get('geocode', { q: 'Atlantis' })).status).toBe(503);
});

test.each([
  {},
  { q: ' ' },
  { q: 'x'.repeat(300) },
  { q: 'a', mode: 'guess' },
  { q: 'a', language: 'fr' },
  { q: 'a\0b' },
])('geocode: rejects %j', async (query) => {
  expect(await statusOf('geocode', query)).toBe(400);
});

test.each([
  ['bytes that are no text', '%ff%fe'],
  ['half a character', '%e2%82'],
  ['a mark that turns the line around', '%e2%80%aeabc'],
  ['control characters', 'a%01%1b%7fb'],
  ['quotes and wildcards', "%27%22%5c%25_%25'"],
])('geocode: %s returns no results instead of an error', async (_, q) => {
  upstream.respond = () => ({ body: [] });
  for (const mode of ['search', 'suggest']) {
    const response = await fetchFrom(host, '', `/functions/v1/geocode?mode=${mode}&q=${q}`);
    expect([response.status, await response.json()]).toEqual([200, []]);
  }
});

test('geocode: two hosts share the slots of the service', async () => {
  const environment = {
    DATABASE_URL: host.connectionString,
    GEOCODER_URL: upstream.url,
    GEOCODER_PER_SECOND: '4',
  };
  const hosts = await Promise.all([startTestHost(environment), startTestHost(environment)]);
  upstream.respond = () => ({ body: [ahuza] });
  const next = `select next_at >= $1::timestamptz + interval '1 second' * $2 as done from private.service_slots where service = 'geocoder'`;
  const [start] = await host.sql<{ now: string }>('select clock_timestamp()::text as now');
  const search = (one: TestHost, q: string) =>
    one.client().functions.invoke(`geocode?q=${q}`, { method: 'GET' });
  await Promise.all([1, 2, 3].flatMap((n) => hosts.map((one, i) => search(one, `${n}-${i}`))));
  expect(upstream.requests).toHaveLength(6);
  // Six slots at four per second take 1.5 seconds, so the next slot is at least that long after the start.
  expect(await host.sql(next, [start?.now, 1.5])).toEqual([{ done: true }]);
});

test('geocode: a caller that would wait too long is rejected and takes no slot', async () => {
  // The next slot is in ten minutes, which is longer than any caller may wait, however slow the machine is.
  const [first] = await host.sql<{ turn: string }>(
    `insert into private.service_slots (service, next_at) values ('a slow one', now() + interval '10 minutes')
       returning next_at::text as turn`,
  );
  const service = host.service();
  const claimSlots = (p_max_waiting: number) =>
    Promise.all(
      [1, 2, 3].map(async () => {
        const slot = { p_service: 'a slow one', p_per_second: 1, p_max_waiting };
        return (await service.rpc('claim_service_slot', slot)).data;
      }),
    );
  const secondsTaken = () =>
    host.sql`select extract(epoch from next_at - ${first?.turn}::timestamptz)::int as seconds
         from private.service_slots where service = 'a slow one'`;
  expect(await claimSlots(60)).toEqual([null, null, null]);
  expect(await secondsTaken()).toEqual([{ seconds: 0 }]);
  expect(await claimSlots(1200)).not.toContain(null);
  expect(await secondsTaken()).toEqual([{ seconds: 3 }]);
  const slot = { p_service: 'geocoder', p_per_second: 1, p_max_waiting: 2 };
  const { error } = await host.client().rpc('claim_service_slot', slot);
  expect(error?.code).toBe('42501');
});

const points = { from: '32.1,34.8', to: '32.2,34.9' };

test('route: returns latitude before longitude, as the map requires', async () => {
  const [from, to] = [
    [32.1, 34.8],
    [32.2, 34.9],
  ];
  const way = { distance: 640, duration: 480 };
  const geometry = { coordinates: [from, to].map((place) => place.toReversed()) };
  upstream.respond = () => ({ body: { routes: [{ ...way, geometry }] } });
  expect((await get('route', points)).data).toEqual({ ...way, path: [from, to] });
  expect(upstream.requests[0]?.url.pathname).toBe('/route/v1/foot/34.8,32.1;34.9,32.2');
});

test('route: one IP can request twenty routes a minute', async () => {
  const small = await startTestHost({ ROUTER_URL: upstream.url, TRUST_PROXY: 'true' });
  const at = (address: string) => statusFrom(small, address, 'route', points);
  upstream.respond = () => ({ body: { routes: [] } });
  for (let n = 0; n < 20; n += 1) expect(await at('198.51.100.1')).toBe(404);
  expect(await at('198.51.100.1')).toBe(429);
  expect(await at('198.51.100.2')).toBe(404);
});

test('route: a missing route, invalid parameters and an unconfigured service return errors', async () => {
  upstream.respond = () => ({ body: { routes: [] } });
  expect(await statusOf('route', points)).toBe(404);
  upstream.respond = () => ({ body: { surprise: true } });
  expect(await statusOf('route', points)).toBe(503);
  expect(await statusOf('route', { from: '1,2' })).toBe(400);
});
