// The web service: the app and its configuration, metrics, and files that other programs expect on a site.
import { createHash, timingSafeEqual } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { HostParts } from '#/host/host-parts.ts';
import { VISITOR } from '#/host/limits/caller-quotas.ts';
import {
  bearerToken,
  InvalidJsonError,
  json,
  type RequestContext,
  type Service,
} from '#/host/lib/http.ts';
import { accepts, isFresh } from '#/host/lib/http-cache.ts';
import { contactAddress, tileUrl, type Settings } from '#/product/settings.ts';
import { publicPushKey } from '#/product/secrets.ts';
import { TokenError } from '#/host/lib/tokens.ts';
import { isAppAddress } from '#/product/site/app-addresses.ts';
import { createAppFiles, entityTag } from '#/product/site/app-files.ts';
import { API } from '../../../../shared/api-paths.ts';
import type { BlobStore } from '#/host/storage/blob-store.ts';
import type { Metrics } from '#/host/gateway/metrics-registry.ts';
import type { MapFile } from '#/product/map/map-file.ts';
import { mapUrl } from '#/product/map/service.ts';
import { createReadiness } from '#/product/site/health.ts';
import { languageOf, parkOfPath, previewTags } from '#/product/site/previews.ts';
import { importedPlace, type CompleteSettings } from '#/product/site-settings.ts';
import { securityHeaders } from '#/product/site/security-headers.ts';
import { readSiteTexts } from '#/product/site/site-texts.ts';
import { downloadBackup, readSiteStatus } from '#/product/site/site-status.ts';
import { wellKnown } from '#/product/site/well-known.ts';

type LatLong = NonNullable<Settings['START_PLACE']>;

interface WebParts extends Pick<HostParts, 'database' | 'tokens' | 'siteUrl'> {
  settings: CompleteSettings;
  metrics: Metrics;
  blobs: Pick<BlobStore, 'check'>;
  map: MapFile | null;
  dist: () => string;
}

const START_PLACE_MS = 60_000;

const NOT_BUILT =
  '<!doctype html><title>Packpark</title><p>The app is not built yet: run <code>npm run build</code>.</p>';

export const STATUS_PATH = '/site-status';

/** Headers of responses that the native shells read, which have their own origin. */
const FOR_SHELLS = { 'cache-control': 'no-cache', 'access-control-allow-origin': '*' };

const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  );

/** Creates the service for all paths that no other service handles. */
export function createWebService(parts: WebParts): Service {
  const { settings, database, tokens, metrics, blobs, siteUrl, map } = parts;
  const files = createAppFiles(parts.dist);
  const texts = readSiteTexts(settings);

  /**
   * Returns the origin of the API for the app: that of SITE_URL, or, if it is not set, that of the request's Host header, which is
   * never used for links.
   */
  const originOf = (request: Request): string =>
    settings.SITE_URL ? new URL(siteUrl).origin : new URL(request.url).origin;

  const findStart = () => ({
    place: importedPlace(database.pool).catch(() => null),
    until: Date.now() + START_PLACE_MS,
  });
  let start = settings.START_PLACE ? null : findStart();

  /** The place is determined again from time to time, because parks may be imported while the host runs. */
  async function startPlace(): Promise<LatLong | null> {
    if (!start) return settings.START_PLACE ?? null;
    if (start.until < Date.now()) start = findStart();
    return start.place;
  }

  async function config(origin: string) {
    const served = (await map?.current()) ?? null;
    return {
      supabaseUrl: origin,
      anonKey: tokens.anonKey,
      siteUrl,
      tiles: {
        url: tileUrl(settings),
        attribution: settings.TILE_ATTRIBUTION,
        keep: settings.TILE_KEEP,
      },
      map: served && {
        url: mapUrl(origin, served),
        version: served.version,
        maxZoom: served.maxZoom,
        ...(map?.isInvented
          ? { attribution: '', invented: true }
          : { attribution: settings.MAP_ATTRIBUTION }),
      },
      time: {
        zone: settings.TIME_ZONE,
        weekend: settings.WEEKEND,
        firstDay: settings.FIRST_DAY,
        hours: settings.HOUR_CYCLE,
      },
      units: settings.UNITS,
      region: settings.ADDRESS_COUNTRY.slice(0, 2).toUpperCase(),
      languages: settings.LANGUAGES,
      minimumAge: settings.MINIMUM_AGE,
      start: await startPlace(),
      routing: settings.ROUTER_URL !== undefined,
      hostPages: true,
      providers: {
        google:
          settings.GOOGLE_CLIENT_ID !== undefined && settings.GOOGLE_CLIENT_SECRET !== undefined,
        apple: settings.APPLE_CLIENT_ID !== undefined && settings.APPLE_PRIVATE_KEY !== undefined,
      },
      contact: contactAddress(settings),
      contacts: { privacy: settings.PRIVACY_EMAIL, accessibility: settings.ACCESSIBILITY_EMAIL },
      operator: settings.OPERATOR,
      texts: Object.keys(texts),
      emergencyPhones: settings.EMERGENCY_PHONES,
      pushKey: settings.VAPID_KEY === undefined ? null : publicPushKey(settings.VAPID_KEY),
      stores: { apple: settings.APP_STORE_URL ?? null, google: settings.PLAY_STORE_URL ?? null },
      captcha:
        settings.CAPTCHA_PROVIDER && settings.CAPTCHA_SITE_KEY
          ? { provider: settings.CAPTCHA_PROVIDER, siteKey: settings.CAPTCHA_SITE_KEY }
          : null,
    };
  }

  /** Returns the app's page with its configuration inlined, which saves a request before the first paint. */
  async function page(request: Request, ip: string): Promise<Response> {
    const origin = originOf(request);
    const { pathname } = new URL(request.url);
    const isKnown = pathname === '/index.html' || isAppAddress(pathname);
    const shell = await files.text('index.html');
    const block = JSON.stringify(await config(origin)).replaceAll('<', '\\u003c');
    const park = parkOfPath(pathname);
    const query = (id: string) =>
      previewTags(database, id, languageOf(request), new URL(siteUrl).origin);
    const preview = park
      ? // A preview is an extra: without the database the page itself still comes.
        await database.quotas.run(VISITOR, () => query(park), ip).catch(() => null)
      : null;
    let html = shell ?? NOT_BUILT;
    if (preview)
      html = html
        .replace(/<meta\s+name="description"[^>]*>/, '')
        .replace(/<title>[^<]*<\/title>/, () => `<title>${preview.title}</title>${preview.tags}`);
    html = html.replace(
      '</head>',
      () => `<script type="application/json" id="config">${block}</script></head>`,
    );
    const tag = entityTag(html);
    const headers = new Headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      etag: tag,
      vary: park ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding',
      ...securityHeaders(settings, origin, html),
    });
    if (isKnown && isFresh(request, tag)) return new Response(null, { status: 304, headers });
    let body: string | Uint8Array<ArrayBuffer> = html;
    if (accepts(request, 'br')) {
      headers.set('content-encoding', 'br');
      body = new Uint8Array(
        brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
      );
    }
    return new Response(request.method === 'HEAD' ? null : body, {
      status: shell === null ? 503 : isKnown ? 200 : 404,
      headers,
    });
  }

  const readiness = createReadiness({ settings, database, blobs });

  async function measured(request: Request, context: RequestContext): Promise<Response> {
    const token = bearerToken(request) ?? '';
    const allowed = settings.METRICS_TOKEN
      ? sameText(token, settings.METRICS_TOKEN)
      : context.loopback;
    if (!allowed) return json({ message: 'Not found' }, 404);
    const { body, type } = await metrics.text();
    return new Response(body, { headers: { 'content-type': type } });
  }

  /** Responds with the site's status for administrators. Other callers get 404. */
  async function siteStatus(request: Request): Promise<Response> {
    try {
      const claims = await tokens.verify(bearerToken(request) ?? '');
      if (request.method === 'POST')
        return (
          (await downloadBackup({ settings, database }, claims, request)) ??
          json({ message: 'Not found' }, 404)
        );
      return json(await readSiteStatus({ settings, database, blobs }, claims), 200, {
        'cache-control': 'no-store',
      });
    } catch (error) {
      if (error instanceof TokenError || (error as { code?: unknown }).code === '42501')
        return json({ message: 'Not found' }, 404);
      if (error instanceof InvalidJsonError) return json({ message: error.message }, 400);
      if ((error as { code?: unknown }).code === 'P0001')
        return json({ message: (error as Error).message }, 403);
      throw error;
    }
  }

  return async function web(request, context) {
    const { pathname } = context.url;
    if (API.test(pathname)) return json({ message: 'Not found' }, 404);
    if (pathname === STATUS_PATH) return siteStatus(request);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return json({ message: 'Method not allowed' }, 405, { allow: 'GET, HEAD' });
    switch (pathname) {
      case '/healthz':
        return json({ status: 'ok' });
      case '/readyz':
        return readiness();
      case '/metrics':
        return measured(request, context);
      case '/config.json':
        return json(await config(originOf(request)), 200, FOR_SHELLS);
      case '/site-texts.json':
        return json(texts, 200, FOR_SHELLS);
    }
    const known = wellKnown(pathname, settings);
    if (known) return known;
    if (pathname === '/index.html') return page(request, context.ip);
    const file = await files.serve(request, pathname);
    if (file) {
      // The policy of a service worker is that of its script's response, not that of the page.
      const html = (await files.text('index.html')) ?? '';
      for (const [name, value] of Object.entries(
        securityHeaders(settings, originOf(request), html),
      ))
        file.headers.set(name, value);
      return file;
    }
    // A missing file must not be replaced by the app's page, because a tab with an old version would execute HTML as a script.
    const isFile = /\.[a-z0-9]+$/i.test(pathname) || pathname.startsWith('/assets/');
    if (isFile) return json({ message: 'Not found' }, 404);
    return page(request, context.ip);
  };
}
