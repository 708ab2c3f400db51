// Tests the app's pages and files for browsers, link previews, crawlers and Prometheus.
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { atEnd } from '../../../../testing/at-end.ts';
import { connectTo, startTestHost } from '../../../../testing/test-host.ts';
import { createLog } from '#/host/lib/log.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { readSettings } from '#/product/settings.ts';
import { completeSettings } from '#/product/site-settings.ts';
import { isLocalSite } from '#/host/gateway/exposure.ts';
import { createGateway } from '#/host/gateway/gateway.ts';
import { createMetrics } from '#/host/gateway/metrics-registry.ts';
import { APP_ADDRESSES } from '#/product/site/app-addresses.ts';
import { createWebService } from '#/product/site/service.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const SHELL = `<!doctype html><html lang="en"><head><meta name="description" content="Parks"><title>Packpark</title>
<script>document.title</script></head><body><script type="module" src="/assets/main-1.js"></script></body></html>`;

/** Starts only the web service on a free port, with an app of three files. */
async function serveWeb(environment: Record<string, string> = {}): Promise<string> {
  const settings = readSettings({ LOG_LEVEL: 'silent', ...environment });
  const web = createWebService({
    settings: await completeSettings(host.database.pool, settings),
    database: host.database,
    tokens: host.tokens,
    metrics: createMetrics(),
    blobs: { check: () => Promise.resolve() },
    siteUrl: settings.SITE_URL ?? 'http://localhost:3000',
    map: null,
    dist: () => dist,
  });
  const handle = createGateway({
    routes: [['/', web]],
    log: createLog('silent'),
    trustProxy: settings.TRUST_PROXY,
    local: isLocalSite(settings),
    observe: () => undefined,
  });
  const server = createAdaptorServer({
    fetch: (request, env) => handle(request, (env as HttpBindings).incoming),
  }) as Server;
  atEnd(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a request without fetch, which would decompress the response and does not allow another Host header. */
async function raw(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = httpRequest(url, { method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await buffer(response),
  };
}

const statusOf = async (url: string, headers?: Record<string, string>) =>
  (await raw(url, headers)).status;
// oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
const jsonOf = async (url: string): Promise<any> => (await fetch(url)).json();

const host = await startTestHost();
const dist = temporaryFolder();
mkdirSync(path.join(dist, 'assets'));
mkdirSync(path.join(dist, '.vite'));
writeFileSync(path.join(dist, 'index.html'), SHELL);
writeFileSync(path.join(dist, '.vite/manifest.json'), '{}');
writeFileSync(path.join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
const script = 'export const answer = 42;';
writeFileSync(path.join(dist, 'assets/main-1.js'), script);
writeFileSync(path.join(dist, 'assets/main-1.js.br'), brotliCompressSync(script));

test('files: hashed ones are compressed and cached permanently', async () => {
  const url = await serveWeb();
  const packed = await raw(`${url}/assets/main-1.js`, { 'accept-encoding': 'gzip, br' });
  expect(packed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  });
  expect(brotliDecompressSync(packed.body).toString()).toContain('42');
  const plain = await raw(`${url}/assets/main-1.js`, { 'accept-encoding': 'br;q=0' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body.toString()).toContain('42');
  expect(plain.headers.etag).not.toBe(packed.headers.etag);
});

test('files: others are revalidated, and are not sent twice', async () => {
  const url = await serveWeb();
  const first = await raw(`${url}/icon.svg`);
  expect(first.headers['cache-control']).toBe('no-cache');
  const again = await raw(`${url}/icon.svg`, { 'if-none-match': String(first.headers.etag) });
  expect(again.status).toBe(304);
  expect(again.body).toHaveLength(0);
});

test('files: the icon that browsers request on their own is the icon of the app', async () => {
  const url = await serveWeb();
  const { headers } = await raw(`${url}/favicon.ico`);
  expect((await raw(url + String(headers.location))).headers['content-type']).toBe('image/svg+xml');
});

test.each([
  '/assets/gone-2.js',
  '/.vite/manifest.json',
  '/assets/',
  '/%2e%2e/package.json',
  '/assets/main-1.js.br',
])('files: %s returns 404 instead of the app’s page', async (name) => {
  const { status, headers } = await raw(`${await serveWeb()}${name}`);
  expect(status).toBe(404);
  expect(headers['content-type']).toContain('application/json');
});

test('files: only GET and HEAD are allowed', async () => {
  expect((await raw(`${await serveWeb()}/`, {}, 'POST')).status).toBe(405);
  const head = await raw(`${await serveWeb()}/parks`, {}, 'HEAD');
  expect([head.status, head.body.length]).toEqual([200, 0]);
});

async function parkOfDogs(name: string, dogs: number): Promise<number> {
  const id = await host.park(name);
  const { client } = await host.user('Ann');
  if (dogs > 0) await client.rpc('check_in', { p_park_id: id, p_dog_count: dogs });
  return id;
}

test('the card and the poster of a park: only the card may be framed, the card has no scripts, and neither loads other files', async () => {
  const park = await parkOfDogs('Rex & <b>Co</b>', 2);
  const card = await raw(`${host.url}/embed/park/${park}?lang=ar`);
  const poster = await raw(`${host.url}/poster/park/${park}`, { 'accept-language': 'he' });
  expect(poster.headers['cache-control']).toBe('public, max-age=3600');
  for (const { status, headers, body } of [card, poster]) {
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers['set-cookie']).toBeUndefined();
    expect(String(body)).toContain('Rex &amp; &lt;b&gt;Co&lt;/b&gt;');
    expect(String(body)).not.toMatch(/<img|<link| src=/);
  }
  expect(String(card.body)).not.toContain('<script');
  expect(card.headers['content-security-policy']).not.toContain('script-src');
  expect(String(card.body)).toContain('كلبان الآن');
  expect(card.headers['content-security-policy']).toContain('frame-ancestors *');
  expect(card.headers['x-frame-options']).toBeUndefined();
  expect(String(poster.body)).toContain('<html lang="he" dir="rtl">');
  expect(poster.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('the card and the poster of a park: the card of a merged park shows the remaining park; hidden parks have none', async () => {
  const [stays, goes] = [await parkOfDogs('Stays', 0), await parkOfDogs('Goes', 0)];
  await host.sql('select private.merge_parks($1, $2)', [goes, stays]);
  const merged = await raw(`${host.url}/embed/park/${goes}`);
  expect(String(merged.body)).toContain(`${host.url}/parks/${stays}/`);
  await host.sql(`update public.parks set status = 'pending' where id = $1`, [stays]);
  const missing = await raw(`${host.url}/poster/park/${stays}`);
  // A missing park may be approved at any time, so the 404 is cached only briefly.
  expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'public, max-age=15']);
  expect(await statusOf(`${host.url}/embed/park/x`)).toBe(404);
});

test('the card and the poster of a park: all readers share a cached response for some seconds', async () => {
  const park = await parkOfDogs('Shared', 1);
  const url = `${host.url}/embed/park/${park}?lang=en`;
  const first = await raw(url);
  expect(first.headers['cache-control']).toBe('public, max-age=15');
  await host.sql('update public.check_ins set ended_at = now() where park_id = $1', [park]);
  expect(String((await raw(url)).body)).toContain('1 dog now');
  expect(await statusOf(url, { 'if-none-match': String(first.headers.etag) })).toBe(304);
});

test('pages, calendars and photos for anonymous callers share the quota of REST, and other callers have connections meanwhile', async () => {
  const { id, client } = await host.user('Ann');
  const search = async () => (await client.from('users').select('id').eq('id', id)).data;
  // Makes REST load the schema now, because the test locks tables later.
  expect(await search()).toEqual([{ id }]);
  const outside = await connectTo(host.connectionString);
  const waiting = async () => {
    const { rows } = await outside.query<{ count: number }>(
      `select count(*)::int from pg_locks where mode = 'AccessShareLock' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0]?.count;
  };
  await outside.query(
    'begin; lock table public.parks, private.calendar_feeds, storage.buckets in access exclusive mode',
  );
  // With fake timers, the test controls how long a request waits for a connection.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let settled = 0;
  const all = Array.from({ length: 10 }, (_, index) => [
    `/embed/park/${9000 + index}`,
    `/poster/park/${9000 + index}`,
    `/calendar/${String(index).repeat(64)}.ics`,
    `/parks/${9000 + index}/`,
    `/storage/v1/object/public/parks/${index}.jpg`,
  ])
    .flat()
    .map(async (path) => {
      const { status, headers } = await fetch(host.url + path);
      settled += 1;
      return [path, status, headers.get('retry-after')] as const;
    });
  await expect.poll(waiting).toBe(4);
  expect(await search()).toEqual([{ id }]);
  expect(await waiting()).toBe(4);
  await expect
    .poll(() => {
      // The time advances in small steps, so that the client's connection timeout is not reached.
      vi.advanceTimersByTime(250);
      return settled;
    })
    .toBe(46);
  await outside.query('commit');
  const responses = (await Promise.all(all)).filter(([path]) => /^.(embed|poster|cal)/.test(path));
  expect(responses.filter(([, status]) => status === 404).length).toBeLessThanOrEqual(4);
  const others = responses.filter(([, status]) => status !== 404);
  expect(new Set(others.map(([, ...response]) => response.join()))).toEqual(new Set(['503,1']));
});

test('pages: every route returns the app, with its configuration inlined', async () => {
  const url = await serveWeb({ ROUTER_URL: 'http://127.0.0.1:9' });
  for (const route of ['/', '/parks', '/profile/1/dogs', '/index.html']) {
    const { status, body } = await raw(url + route);
    expect(status).toBe(200);
    const block = /<script type="application\/json" id="config">(.*?)<\/script>/.exec(String(body));
    expect(JSON.parse(block?.[1] ?? '')).toMatchObject({
      supabaseUrl: url,
      anonKey: host.tokens.anonKey,
      routing: true,
      hostPages: true,
      emergencyPhones: { poison: '04-7771900', city: '106', police: '100' },
    });
  }
  expect(await jsonOf(`${url}/config.json`)).toMatchObject({ supabaseUrl: url });
});

test('pages: the map starts at the configured place, otherwise among the imported parks', async () => {
  const startOf = async (settings: Record<string, string>) =>
    (await jsonOf(`${await serveWeb(settings)}/config.json`)).start;
  await host.sql`insert into public.parks (lat, long, status, source, source_ref)
       select case source when 'town' then 47.8 else 10 end, 13, 'approved', source, n::text
       from generate_series(1, 60) n, unnest(array['town', 'demo']) source`;
  expect(await startOf({})).toEqual({ lat: 47.8, long: 13 });
  await host.sql(`delete from public.parks where source in ('demo', 'town')`);
  expect(await startOf({ START_PLACE: '-34.9,138.6' })).toEqual({ lat: -34.9, long: 138.6 });
});

test('pages: the site’s own info pages are served, and a missing or malformed one prevents the start', async () => {
  const page = { title: 'Terms', lead: 'In Austria', updated: '2026-12-01', sections: [] };
  const file = path.join(dist, 'own.json');
  const serveOwn = (terms: object) => {
    writeFileSync(file, JSON.stringify({ terms }));
    return serveWeb({ SITE_TEXTS: file, LANGUAGES: 'en,he' });
  };
  const url = await serveOwn({ en: page, he: page });
  expect((await jsonOf(`${url}/config.json`)).texts).toEqual(['terms']);
  expect(await jsonOf(`${url}/site-texts.json`)).toMatchObject({
    terms: { he: { lead: 'In Austria' } },
  });
  await expect(serveOwn({ en: page })).rejects.toThrow(/SITE_TEXTS is wrong: .* at terms\.he/);
  await expect(serveOwn({ en: page, he: { ...page, updated: 'today' } })).rejects.toThrow(
    'at terms.he.updated',
  );
});

test('pages: a path without a screen returns the app with status 404', async () => {
  const routes = await readFile(path.join(ROOT, 'app/src/route-tree.gen.ts'), 'utf8');
  const [, listed = ''] = /fullPaths:([^]*?)fileRoutesByTo/.exec(routes) ?? [];
  const full = [...listed.matchAll(/'(.+?)\/?'/g)].map(([, address]) => address ?? '');
  expect(APP_ADDRESSES).toEqual([...new Set(['/', ...full])].filter(Boolean).sort());
  const base = await serveWeb();
  for (const [address, status] of [
    ['/desk', 200],
    ['/parks/3/', 200],
    ['/parks/abc', 404],
    ['/no/such/page', 404],
  ] as const) {
    const response = await raw(`${base}${address}`);
    expect(response.status, address).toBe(status);
    expect(response.headers['content-type']).toContain('text/html');
  }
});

test('pages: a strict policy allows our scripts by hash, tiles from their origin, and nothing else', async () => {
  const url = await serveWeb({ TILE_URL: 'https://{s}.tiles.example/{z}/{x}/{y}.png' });
  const { headers } = await raw(`${url}/`);
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]+=*';/);
  expect(policy).toContain(`img-src 'self' ${url} https://*.tiles.example data: blob:`);
  expect(policy).toContain(`connect-src 'self' ${url} ${url.replace('http', 'ws')}`);
  expect(policy).not.toContain('unsafe');
  expect(headers['strict-transport-security']).toBeUndefined();
  const secure = await raw(`${await serveWeb({ SITE_URL: 'https://parks.example' })}/`);
  expect(secure.headers['strict-transport-security']).toMatch(/^max-age=/);
  expect(secure.headers['content-security-policy']).toContain('wss://parks.example');
});

test('pages: an unchanged page is not sent again', async () => {
  const url = await serveWeb();
  const { headers } = await raw(`${url}/parks`);
  expect(await statusOf(`${url}/parks`, { 'if-none-match': String(headers.etag) })).toBe(304);
});

async function addPark(status: string): Promise<number> {
  const id = await host.park('"Paws" & <Claws> $&');
  await host.sql`update public.parks set status = ${status}, primary_photo = 'x/primary/a.webp' where id = ${id}`;
  await host.sql`insert into public.park_translations values (${id}, 'he', 'גינת הים', 'חיפה', 'הים 1')`;
  return id;
}

test('a shared park: its preview has name and photo in the reader’s language, escaped', async () => {
  const url = await serveWeb({ SITE_URL: 'https://parks.example' });
  const id = await addPark('approved');
  const english = String((await raw(`${url}/share/parks/${id}`)).body);
  for (const tag of [
    '<title>&quot;Paws&quot; &amp; &lt;Claws&gt; $&amp; · Packpark</title>',
    '<meta property="og:image" content="https://parks.example/storage/v1/object/public/parks/x/primary/a.webp" />',
    `<link rel="canonical" href="https://parks.example/parks/${id}/" />`,
  ])
    expect(english).toContain(tag);
  expect(english.match(/name="description"/g)).toHaveLength(1);
  const unset = await serveWeb();
  const reached = await raw(`${unset}/share/parks/${id}`, { host: 'evil.example' });
  for (const address of ['rel="canonical" href="', '"siteUrl":"'])
    expect(String(reached.body)).toContain(`${address}http://localhost:3000`);
  const hebrew = await raw(`${url}/parks/${id}/reviews`, { 'accept-language': 'fr, he-IL;q=0.9' });
  expect(String(hebrew.body)).toContain('<meta property="og:title" content="גינת הים" />');
  expect(hebrew.headers.vary).toContain('Accept-Language');
  const byQuery = await raw(`${url}/parks/${id}/?lang=en`, { 'accept-language': 'he' });
  expect(String(byQuery.body)).toContain('Haifa');
});

test.each(['pending', 'rejected'])('a shared park: has no preview if it is %s', async (status) => {
  const id = await addPark(status);
  const { body } = await raw(`${await serveWeb()}/parks/${id}/`);
  expect(String(body)).toContain('<title>Packpark</title>');
});

test.each(['99999999999999999999', '1e3', "1'--", '%00'])(
  'a shared park: an id like %s returns 404',
  async (id) => {
    expect(await statusOf(`${await serveWeb()}/parks/${id}/`)).toBe(404);
  },
);

test('other programs: health and readiness', async () => {
  // The path that the image's health check requests.
  const image = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const [, checkedPath = ''] = /\$\{process\.env\.PORT\}(\/\w+)/.exec(image) ?? [];
  expect(checkedPath).toBe('/healthz');
  expect(await jsonOf(`${host.url}${checkedPath}`)).toEqual({ status: 'ok' });
  expect(await statusOf(`${host.url}/readyz`)).toBe(200);
});

test('other programs: metrics are available only on this machine, not through a proxy or another host name', async () => {
  const url = await serveWeb();
  expect(await statusOf(`${url}/metrics`)).toBe(200);
  expect(await statusOf(`${url}/metrics`, { 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  expect(await statusOf(`${url}/metrics`, { host: 'rebound.example' })).toBe(404);
  const guarded = await serveWeb({ METRICS_TOKEN: 'a token' });
  expect(await statusOf(`${guarded}/metrics`)).toBe(404);
  expect(await statusOf(`${guarded}/metrics`, { authorization: 'Bearer a token' })).toBe(200);
});

test('other programs: a public site trusts no IP, because a proxy may not identify itself or its clients', async () => {
  for (const environment of [{ SITE_URL: 'https://parks.example' }, { TRUST_PROXY: 'true' }]) {
    expect(await statusOf(`${await serveWeb(environment)}/metrics`)).toBe(404);
    const guarded = await serveWeb({ ...environment, METRICS_TOKEN: 'a token' });
    expect(await statusOf(`${guarded}/metrics`, { authorization: 'Bearer a token' })).toBe(200);
    const site = await startTestHost(environment);
    expect(String((await raw(`${site.url}/inbox`)).body)).not.toContain('<title>Inbox');
  }
  const local = await serveWeb({ SITE_URL: 'http://localhost:3000' });
  expect(await statusOf(`${local}/metrics`)).toBe(200);
});

test('other programs: requests are counted by service', async () => {
  await fetch(`${host.url}/rest/v1/parks`);
  const text = await (await fetch(`${host.url}/metrics`)).text();
  expect(text).toMatch(
    /packpark_request_seconds_count\{service="\/rest\/v1",status="[24]xx"\} \d+/,
  );
  expect(text).toContain('packpark_database_connections{state="idle"}');
});

test.skipIf(process.platform !== 'linux')(
  'other programs: a host with a full disk is not ready',
  async () => {
    // The file system /proc always has no free space.
    const response = await fetch(`${await serveWeb({ DATA_DIR: '/proc' })}/readyz`);
    expect([response.status, await response.json()]).toEqual([503, { status: 'the disk is full' }]);
  },
);

test('other programs: metrics of jobs, moderation, disk and backups exist, and each is documented', async () => {
  await host.sql`insert into public.parks (lat, long, created_at) values (32.1, 34.8, now() - interval '2 hours')`;
  await host.sql`select private.add_job('send-push', 'one'), private.add_job('never-run', 'two');
      update private.jobs set failed_at = now(), error = 'x' where type = 'never-run'`;
  const figures = async () => (await fetch(`${host.url}/metrics`)).text();
  expect(await figures()).not.toMatch(/^packpark_backup_age_seconds /m);
  await host.sql(`select private.record_job('backup', '1 day')`);
  const text = await figures();
  for (const line of [
    /^packpark_info\{version="\d+\.\d+\.\d+(-dev\.[0-9a-f]+)?"\} 1$/m,
    /^packpark_jobs\{type="send-push",state="waiting"\} 1$/m,
    /^packpark_jobs\{type="never-run",state="dead"\} 1$/m,
    /^packpark_jobs_late_seconds\{type="send-push"\} \d/m,
    /^packpark_moderation_waiting\{type="park"\} [1-9]$/m,
    /^packpark_moderation_oldest_seconds\{type="park"\} 72\d\d/m,
    /^packpark_free_bytes \d{6,}$/m,
    /^packpark_backup_age_seconds \d/m,
    /^packpark_realtime_connections 0$/m,
    /^packpark_database_restarts 0$/m,
  ])
    expect(text).toMatch(line);
  const page = await readFile(path.join(ROOT, 'docs/deploy.md'), 'utf8');
  const names = [...text.matchAll(/^# TYPE (packpark_\w+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

test('other programs: phones find the files that verify app links', async () => {
  const url = await serveWeb({
    ANDROID_CERT_SHA256: 'AA:BB, CC:DD',
    APPLE_APP_ID: 'TEAM123456.app.packpark',
  });
  expect(await jsonOf(`${url}/.well-known/assetlinks.json`)).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'app.packpark',
        sha256_cert_fingerprints: ['AA:BB', 'CC:DD'],
      },
    },
  ]);
  const apple = await jsonOf(`${url}/.well-known/apple-app-site-association`);
  expect(apple.applinks.details[0]?.appIDs).toEqual(['TEAM123456.app.packpark']);
  expect(await (await fetch(`${url}/robots.txt`)).text()).toContain('Disallow: /profile/');
});

test('the API’s gateway: allows requests from any origin, and gives every request an ID', async () => {
  for (const path of ['/rest/v1/parks', '/site-status', '/park-imports']) {
    const preflight = await fetch(host.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'capacitor://localhost',
        'access-control-request-headers': 'apikey,authorization',
      },
    });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('apikey,authorization');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    const { headers } = await fetch(host.url + path, { method: 'POST' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
  const response = await fetch(`${host.url}/rest/v1/parks`, {
    headers: { apikey: host.tokens.anonKey, origin: 'https://elsewhere.example' },
  });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toContain('Content-Range');
  expect(response.headers.get('sb-request-id')).toMatch(/^[0-9a-f]{12}$/);
});

test('the API’s gateway: an unknown API returns 404 instead of a page', async () => {
  const { status, headers } = await raw(`${await serveWeb()}/graphql/v1`);
  expect(status).toBe(404);
  expect(headers['content-type']).toContain('application/json');
});
