// What every request passes before its service: CORS as Supabase's gateway does it, request ids, the access log, and errors.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isDatabaseDown } from '#/host/db/database.ts';
import { DISK_FULL, isDiskFull } from '#/host/lib/disk.ts';
import { clientIp, isLoopback, isLoopbackName } from '#/host/lib/ip-addresses.ts';
import { BodyTooLargeError, json, type RequestContext, type Service } from '#/host/lib/http.ts';
import type { Log } from '#/host/lib/log.ts';
import { AcquireTimeoutError } from '#/host/limits/fair-semaphore.ts';
import { API } from '../../../../shared/api-paths.ts';

/** A service and the path it answers: exactly `prefix`, or anything below it; `/` takes what is left. */
export type Route = [prefix: string, service: Service];

interface GatewayOptions {
  routes: Route[];
  log: Log;
  /** Whether the last address in X-Forwarded-For was put there by a proxy of ours. */
  trustProxy: boolean;
  /** Whether it comes from a function of ours, which says for whom it asks. */
  isOurs?(incoming: IncomingMessage): boolean;
  /** Whether the host is starting and does not answer this request yet. */
  isTooEarly?(request: Request): boolean;
  /** The page for a browser that comes while the host starts; JSON unless given. */
  startingPage?(request: Request): Response;
  /** Whether people reach the host at this machine itself: then nothing that comes from it can be a proxy's. */
  local: boolean;
  /** Called for each answer with the route's prefix, the status, and the time it took in seconds. */
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

/** What is asked while the host starts, too. */
const ALWAYS = /^\/(healthz|metrics)$/;

const RPC = /^\/rest\/v1\/rpc\/\w{1,63}$/;

/** The first parts of a path that name a kind of thing and never a person: `/rest/v1/parks`, `/rest/v1/rpc/check_in`, `/parks`. */
function loggedPath(pathname: string): string {
  if (RPC.test(pathname)) return pathname;
  return pathname
    .split('/')
    .slice(0, API.test(pathname) ? 4 : 2)
    .join('/');
}

/** Whether the sender went away before the whole body was there. */
const isCutOff = (incoming: IncomingMessage): boolean => incoming.destroyed && !incoming.complete;

function failure(error: unknown, log: Log, id: string): Response {
  if (error instanceof BodyTooLargeError) return json({ message: error.message }, 413);
  // Others ask more than the database answers: nothing is wrong here, and each one is in the access log.
  if (error instanceof AcquireTimeoutError)
    return json({ message: 'Too many are asking right now, try again' }, 503, {
      'retry-after': '1',
    });
  if (isDiskFull(error)) {
    log.error({ id, error: (error as Error).message }, 'the disk is full');
    return json({ message: DISK_FULL }, 507);
  }
  if (isDatabaseDown(error)) {
    log.error({ id, error: (error as Error).message }, 'the database cannot be reached');
    return json({ message: 'The database cannot be reached right now' }, 503, {
      'retry-after': '1',
    });
  }
  log.error({ id, error: error instanceof Error ? error.stack : String(error) }, 'request failed');
  return json({ message: 'Internal server error' }, 500);
}

/**
 * Lets what is left of a body pass. The stream from which a service read a part of it would stop it again and again, and the
 * server ends a connection whose body has not passed half a second after the answer, under the client's next request.
 */
function leaveBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  incoming.removeAllListeners('data');
  incoming.resume();
}

const SLOW_MS = 1000;

/** Makes the one handler that stands between the HTTP server and the services. */
export function createGateway(options: GatewayOptions) {
  const { routes, log, trustProxy, local, observe } = options;
  const { isOurs = () => false, isTooEarly = () => false } = options;

  let warned = false;
  /** Without TRUST_PROXY all clients behind a proxy share one rate limit: warns at the first such request. */
  function warnAboutProxy(): void {
    if (warned || local) return;
    warned = true;
    log.warn(
      {},
      'requests come with X-Forwarded-For, and TRUST_PROXY is not true: all clients behind that proxy share one rate limit',
    );
  }

  function contextOf(incoming: IncomingMessage, url: URL): RequestContext {
    const { headers } = incoming;
    const trusted = trustProxy || isOurs(incoming);
    if (!trusted && headers['x-forwarded-for']) warnAboutProxy();
    const direct =
      !headers['x-forwarded-for'] && !headers.forwarded && !headers['x-real-ip'] && !headers.via;
    return {
      url,
      ip: clientIp(incoming, trusted),
      headers,
      // The host name is checked too, against DNS rebinding. A proxy need not identify itself, so on a site that may
      // have one no request counts as local.
      loopback:
        local &&
        direct &&
        isLoopback(incoming.socket.remoteAddress ?? '') &&
        isLoopbackName(headers.host ?? ''),
      log,
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
    let response: Response;
    if (isApi && request.method === 'OPTIONS') {
      response = preflight(request);
    } else if (isTooEarly(request) && !(route && ALWAYS.test(pathname))) {
      // Not 404: what waits in the queues of phones would take that for an answer about itself.
      const isPage = !isApi && /\btext\/html\b/.test(request.headers.get('accept') ?? '');
      response =
        (isPage && options.startingPage?.(request)) ||
        json({ message: 'The host is starting' }, 503, { 'retry-after': '1' });
    } else if (!route) {
      response = json({ message: 'Not found' }, 404);
    } else {
      response = await route[1](request, contextOf(incoming, url)).catch((error: unknown) =>
        // The client is gone; the log has 499, as proxies write it, and no alarm.
        isCutOff(incoming) ? new Response(null, { status: 499 }) : failure(error, log, id),
      );
    }
    if (isApi) {
      response.headers.set('access-control-allow-origin', '*');
      // Only another site's page looks at it, and it is longer than many an answer.
      if (request.headers.has('origin'))
        response.headers.set('access-control-expose-headers', EXPOSED);
    }
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('sb-request-id', id);
    if (request.method !== 'GET' && request.method !== 'HEAD') leaveBody(incoming);
    const milliseconds = performance.now() - began;
    observe(route?.[0] ?? 'none', response.status, milliseconds / 1000);
    // A busy site answers a million reads a day that tell nothing.
    const worth =
      response.status >= 400 || milliseconds >= SLOW_MS || !/^(GET|HEAD)$/.test(request.method);
    // A user who reports an error names its ID; a client that went away (499) is no error.
    const isError = response.status >= 400 && response.status !== 499;
    log[isError ? 'warn' : worth ? 'info' : 'debug'](
      {
        id,
        method: request.method,
        path: loggedPath(pathname),
        status: response.status,
        ms: Math.round(milliseconds),
      },
      'request',
    );
    return response;
  };
}
