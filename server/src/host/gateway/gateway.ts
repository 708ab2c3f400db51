// The gateway in front of all services: CORS like on Supabase, request IDs, the access log, and error responses.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isDatabaseDown } from '#/host/db/database.ts';
import { DISK_FULL, isDiskFull } from '#/host/lib/disk.ts';
import { clientIp, isLoopback, isLoopbackName } from '#/host/lib/ip-addresses.ts';
import { BodyTooLargeError, json, type RequestContext, type Service } from '#/host/lib/http.ts';
import { type Log, withFields } from '#/host/lib/log.ts';
import { AcquireTimeoutError } from '#/host/limits/fair-semaphore.ts';
import { API } from '../../../../shared/api-paths.ts';

/**
 * A service and its path, which is `prefix` and everything below it; `/` matches the rest. 'any origin' allows cross-origin
 * requests outside the API, which the native shells send with a token.
 */
export type Route = [prefix: string, service: Service, origins?: 'any origin'];

interface GatewayOptions {
  routes: Route[];
  log: Log;
  /** True if the operator's proxy appends the client's IP to X-Forwarded-For. */
  trustProxy: boolean;
  /** Returns true if one of our functions sent the request. Such a request contains the IP of the function's caller. */
  isOurs?(incoming: IncomingMessage): boolean;
  /** Returns true if the host is still starting and cannot handle this request yet. */
  isTooEarly?(request: Request): boolean;
  /** Returns a page for browsers while the host starts; otherwise the response is JSON. */
  startingPage?(request: Request): Response;
  /** True if the site is used only on this machine, so that requests from this machine do not come from a reverse proxy. */
  local: boolean;
  /** Called for each response with the route's prefix, the status and the duration in seconds. */
  observe(prefix: string, status: number, seconds: number): void;
}

const EXPOSED =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, ETag, Link, X-Total-Count, X-Supabase-Api-Version, Preference-Applied, Retry-After, SB-Request-Id';

const preflight = (request: Request): Response =>
  new Response(null, {
    status: 200,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS',
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '3600',
      vary: 'Access-Control-Request-Headers',
    },
  });

/** Paths that are also served while the host starts. */
const ALWAYS = /^\/(healthz|metrics)$/;

const RPC = /^\/rest\/v1\/rpc\/\w{1,63}$/;

/** Returns the first segments of a path, which never identify a user: `/rest/v1/parks`, `/rest/v1/rpc/check_in`, `/parks`. */
function loggedPath(pathname: string): string {
  if (RPC.test(pathname)) return pathname;
  return pathname
    .split('/')
    .slice(0, API.test(pathname) ? 4 : 2)
    .join('/');
}

/** Headers that decide whose request it is, or where it ends. Node keeps only one of two values, and a proxy may keep the other. */
export const UNIQUE_HEADERS: readonly string[] = [
  'host',
  'authorization',
  'content-length',
  'content-type',
  'transfer-encoding',
];

/** Returns true if two parts of a request disagree, so that a proxy in front may read it as another request (RFC 9112, 3.2). */
export function isAmbiguous({ rawHeaders, headers, url = '' }: IncomingMessage): boolean {
  const found = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!UNIQUE_HEADERS.includes(name)) continue;
    if (found.has(name)) return true;
    found.add(name);
  }
  // Requests to a proxy contain a whole URL.
  return !url.startsWith('/') && URL.canParse(url) && new URL(url).host !== headers.host;
}

/** Returns true if the client disconnected before the body was complete. */
const isCutOff = (incoming: IncomingMessage): boolean => incoming.destroyed && !incoming.complete;

function failure(error: unknown, log: Log): Response {
  if (error instanceof BodyTooLargeError) return json({ message: error.message }, 413);
  // Overload is not logged as an error, because each rejected request is in the access log.
  if (error instanceof AcquireTimeoutError)
    return json({ message: 'Too many requests right now, try again' }, 503, {
      'retry-after': '1',
    });
  if (isDiskFull(error)) {
    log.error({ error: (error as Error).message }, 'the disk is full');
    return json({ message: DISK_FULL }, 507);
  }
  if (isDatabaseDown(error)) {
    log.error({ error: (error as Error).message }, 'the database cannot be reached');
    return json({ message: 'The database cannot be reached right now' }, 503, {
      'retry-after': '1',
    });
  }
  log.error({ error: error instanceof Error ? error.stack : String(error) }, 'request failed');
  return json({ message: 'Internal server error' }, 500);
}

/**
 * Discards the rest of a body. If a service read only a part of it, the stream would pause the socket. The server closes a
 * connection whose body has not ended half a second after the response, although the client may have sent its next request by then.
 */
function leaveBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  incoming.removeAllListeners('data');
  incoming.resume();
}

/** The error code of auth or REST. Unlike the error's message, it never quotes personal data. */
const errorCode = (headers: Headers): string | undefined =>
  headers.get('x-sb-error-code') ?? headers.get('proxy-status')?.split('error=')[1];

const SLOW_MS = 1000;

export function createGateway(options: GatewayOptions) {
  const { routes, log, trustProxy, local, observe } = options;
  const { isOurs = () => false, isTooEarly = () => false } = options;

  let warned = false;
  /**
   * Logs a warning at the first request through a proxy: without TRUST_PROXY, all clients behind the proxy share one rate limit.
   */
  function warnAboutProxy(): void {
    if (warned || local) return;
    warned = true;
    log.warn(
      {},
      'requests come with X-Forwarded-For, and TRUST_PROXY is not true: all clients behind that proxy share one rate limit',
    );
  }

  function contextOf(incoming: IncomingMessage, url: URL, id: string): RequestContext {
    const { headers } = incoming;
    const trusted = trustProxy || isOurs(incoming);
    if (!trusted && headers['x-forwarded-for']) warnAboutProxy();
    const direct =
      !headers['x-forwarded-for'] && !headers.forwarded && !headers['x-real-ip'] && !headers.via;
    return {
      url,
      ip: clientIp(incoming, trusted),
      headers,
      // The host name is checked too, against DNS rebinding. A proxy may send no header that reveals it, so on a site that may have
      // a proxy no request counts as local.
      loopback:
        local &&
        direct &&
        isLoopback(incoming.socket.remoteAddress ?? '') &&
        isLoopbackName(headers.host ?? ''),
      log: withFields(log, { id }),
    };
  }

  return async function handle(request: Request, incoming: IncomingMessage): Promise<Response> {
    const began = performance.now();
    const id = randomUUID().slice(-12);
    const url = new URL(request.url);
    const { pathname } = url;
    const isApi = API.test(pathname);
    const route = routes.find(
      ([prefix]) => prefix === '/' || pathname === prefix || pathname.startsWith(`${prefix}/`),
    );
    const isShared = isApi || route?.[2] === 'any origin';
    let response: Response;
    if (isAmbiguous(incoming)) {
      response = json({ message: 'The request contradicts itself' }, 400);
    } else if (isShared && request.method === 'OPTIONS') {
      response = preflight(request);
    } else if (isTooEarly(request) && !(route && ALWAYS.test(pathname))) {
      // Not 404, because the apps' command queues would treat that status as the final result of the command.
      const isPage = !isApi && /\btext\/html\b/.test(request.headers.get('accept') ?? '');
      response =
        (isPage && options.startingPage?.(request)) ||
        json({ message: 'The host is starting' }, 503, { 'retry-after': '1' });
    } else if (!route) {
      response = json({ message: 'Not found' }, 404);
    } else {
      const context = contextOf(incoming, url, id);
      response = await route[1](request, context).catch((error: unknown) =>
        // The client disconnected. Status 499 is for the access log only, as in proxies; no error is logged.
        isCutOff(incoming) ? new Response(null, { status: 499 }) : failure(error, context.log),
      );
    }
    if (isShared) {
      response.headers.set('access-control-allow-origin', '*');
      // Omitted without an Origin header, because only pages of other origins need it and it is longer than many responses.
      if (request.headers.has('origin'))
        response.headers.set('access-control-expose-headers', EXPOSED);
    }
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('sb-request-id', id);
    if (request.method !== 'GET' && request.method !== 'HEAD') leaveBody(incoming);
    const milliseconds = performance.now() - began;
    observe(route?.[0] ?? 'none', response.status, milliseconds / 1000);
    // Fast, successful reads are logged only at the level `debug`, because a busy site has a million of them a day.
    const worth =
      response.status >= 400 || milliseconds >= SLOW_MS || !/^(GET|HEAD)$/.test(request.method);
    // Errors are logged with the request ID, which users quote when they report an error. A disconnected client (499) is not an
    // error.
    const isError = response.status >= 400 && response.status !== 499;
    log[isError ? 'warn' : worth ? 'info' : 'debug'](
      {
        id,
        method: request.method,
        path: loggedPath(pathname),
        status: response.status,
        code: errorCode(response.headers),
        ms: Math.round(milliseconds),
      },
      'request',
    );
    return response;
  };
}
