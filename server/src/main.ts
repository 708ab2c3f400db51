// The one-machine host: opens the database, creates the services and serves them on one HTTP server.
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { rejectRevokedSessions } from '#/host/revoked-sessions.ts';
import { createAuthService } from '#/host/auth/service.ts';
import { openDatabase, type Database } from '#/host/db/database.ts';
import { functionEnvironment } from '#/product/function-environment.ts';
import { siteMetrics } from '#/product/site-metrics.ts';
import { PACKPARK } from '#/product/identity.ts';
import { startJobs } from '#/product/background-jobs.ts';
import { createJobs, type Jobs } from '#/host/jobs/job-queue.ts';
import { createFunctionsService, type Functions } from '#/host/functions/service.ts';
import type { HostParts } from '#/host/host-parts.ts';
import { bearerToken } from '#/host/lib/http.ts';
import { createLog, type Log } from '#/host/lib/log.ts';
import { claimBuild } from '#/host/lib/builds.ts';
import type { Settings } from '#/product/settings.ts';
import { createTokens, type Tokens } from '#/host/lib/tokens.ts';
import { createRealtimeService } from '#/host/realtime/service.ts';
import { createRestService } from '#/host/rest/service.ts';
import { createStorageService } from '#/host/storage/service.ts';
import { storeObjects, type StoredFile } from '#/host/storage/upload.ts';
import { isLocalSite } from '#/host/gateway/exposure.ts';
import { createGateway, isAmbiguous, type Route } from '#/host/gateway/gateway.ts';
import { listen } from '#/host/gateway/listen.ts';
import { createMetrics } from '#/host/gateway/metrics-registry.ts';
import { createMapFile } from '#/product/map/map-file.ts';
import { createMapService, MAP_PATH } from '#/product/map/service.ts';
import { CALENDAR_PATH, createCalendarService } from '#/product/calendar/service.ts';
import { createOpenDataService, OPEN_DATA_PATH } from '#/product/open-data/service.ts';
import { createParkPages, EMBED_PATH, POSTER_PATH } from '#/product/site/park-pages.ts';
import { createImportService, IMPORT_PATH } from '#/product/imports/service.ts';
import { completeSettings } from '#/product/site-settings.ts';
import { startingPage } from '#/product/site/starting-page.ts';
import { createWebService, STATUS_PATH } from '#/product/site/service.ts';

export interface Host {
  /** The host's URL, such as http://localhost:3000. */
  url: string;
  tokens: Tokens;
  database: Database;
  functions: Functions;
  jobs: Jobs;
  /** Stores files without checking policies, all or none. */
  store(files: readonly StoredFile[]): Promise<unknown>;
  /** Starts the background jobs (product/background-jobs.ts). `close` stops them. */
  startJobs(): Promise<void>;
  close(): Promise<void>;
}

export interface HostStart {
  /** Work to do before users' requests are served. Until then, only requests of the host itself are served; all others get 503. */
  prepare?: (host: Host) => Promise<unknown>;
  /** The destination of the log; by default standard output. */
  log?: Log;
  databaseRestarts?: () => number;
}

/** Must be below 30 seconds, because systemd then kills the host (TimeoutStopSec in deploy/packpark.service). */
const UPLOADS_TIMEOUT_MS = 25_000;

/** Returns the host name for URLs on this machine. */
function hostName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Starts the host on a migrated database. The port is opened first, and requests get 503 until all services are ready. If anything
 * fails, everything that was opened is closed.
 * @param secret the JWT secret, at least 32 characters
 * @throws StartError if it cannot listen
 */
export async function startHost(
  settings: Settings,
  connectionString: string,
  secret: string,
  { prepare, log = createLog(settings.LOG_LEVEL), databaseRestarts = () => 0 }: HostStart = {},
): Promise<Host> {
  const database = openDatabase(connectionString);
  const jobs = createJobs(database, log);
  const signed = await createTokens(secret);
  const tokens = rejectRevokedSessions(signed, database);
  const metrics = createMetrics();
  const routes: Route[] = [];
  let open = false;
  const handle = createGateway({
    routes,
    log,
    trustProxy: settings.TRUST_PROXY,
    isOurs: ({ headers }) => headers['x-service-key'] === tokens.serviceKey,
    local: isLocalSite(settings),
    observe: metrics.observe,
    // Our own functions, which have the service key, may send requests before the host is ready, but only after the services were
    // registered.
    isTooEarly: (request) =>
      !open && (routes.length === 0 || bearerToken(request) !== tokens.serviceKey),
    startingPage,
  });
  const uploads = new Set<Promise<unknown>>();
  const server = createAdaptorServer({
    fetch(request, env) {
      const { incoming, outgoing } = env as HttpBindings;
      // The header would be a tenth of a small response, and HTTP/1.1 connections are persistent without it.
      if (incoming.httpVersion === '1.1' && outgoing.shouldKeepAlive)
        outgoing.removeHeader('connection');
      const response = handle(request, incoming);
      // Accessing `request.body` would create a stream, which costs a tenth of a small request.
      if (incoming.method !== 'GET' && incoming.url?.startsWith('/storage/v1/')) {
        uploads.add(response);
        void response.finally(() => uploads.delete(response));
      }
      return response;
    },
  }) as Server;
  let stopJobs = (): Promise<void> => Promise.resolve();
  const opened: Partial<Record<'auth' | 'storage' | 'realtime', { close(): Promise<void> }>> = {};

  /** Closes everything that was opened, also after an incomplete start. */
  async function close(): Promise<void> {
    // Jobs call the host's API, so they end first.
    await stopJobs();
    await jobs.stop();
    await opened.realtime?.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    // Clients do not repeat an interrupted upload, so uploads may take nearly all the time that systemd allows.
    await Promise.race([
      Promise.allSettled(uploads),
      delay(UPLOADS_TIMEOUT_MS, null, { ref: false }),
    ]);
    // Other responses in progress may take two seconds, so that a stalled client does not block the stop.
    const forced = setTimeout(() => server.closeAllConnections(), 2000);
    await closed;
    clearTimeout(forced);
    await opened.storage?.close();
    await opened.auth?.close();
    await database.close();
  }

  // Longer than the idle timeout of load balancers, so that they never send a request on a connection that the host is closing.
  server.keepAliveTimeout = 75_000;
  // Clients that stop reading are disconnected, because they occupy resources, such as one of the few concurrent exports.
  server.timeout = settings.STALL_SECONDS * 1000;
  try {
    await listen(server, settings.HOST, settings.PORT);
    const { port } = server.address() as AddressInfo;
    const url = `http://${hostName(settings.HOST)}:${port}`;
    const siteUrl = (settings.SITE_URL ?? url).replace(/\/+$/, '');

    const parts: HostParts = { product: PACKPARK, settings, database, tokens, jobs, log, siteUrl };
    const pages = { database, siteOrigin: new URL(siteUrl).origin };
    metrics.watch(database);
    // The auth service gets the tokens without the check for revoked sessions, because it returns the reason why a session ended.
    const auth = await createAuthService({ ...parts, tokens: signed });
    opened.auth = auth;
    const storage = await createStorageService(parts);
    opened.storage = storage;
    const functions = createFunctionsService({
      ...parts,
      folder: path.join(claimBuild('server'), 'functions'),
      url,
      environment: functionEnvironment(settings),
    });
    const map = await createMapFile(settings, database.pool, log);
    const { blobs } = storage.context;
    let app = '';
    const realtime = await createRealtimeService({ ...parts, trustProxy: settings.TRUST_PROXY });
    opened.realtime = realtime;
    server.on('upgrade', (request, socket, head) => {
      if (isAmbiguous(request)) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      else if (open) realtime.upgrade(request, socket, head);
      else socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\r\n');
    });
    const web = createWebService({
      ...parts,
      settings: await completeSettings(database.pool, settings),
      metrics,
      blobs,
      map,
      dist: () => app,
    });
    routes.push(
      // One line per service. The web service is the last, because it handles all remaining paths.
      ['/auth/v1', auth.handle],
      ...(auth.inbox && isLocalSite(settings) ? [['/inbox', auth.inbox] satisfies Route] : []),
      ['/rest/v1', createRestService(parts)],
      ['/storage/v1', storage.handle],
      ['/functions/v1', functions.handle],
      [MAP_PATH, createMapService(map)],
      [OPEN_DATA_PATH, createOpenDataService(parts)],
      [CALENDAR_PATH, createCalendarService(pages)],
      [EMBED_PATH, createParkPages(EMBED_PATH, pages)],
      [POSTER_PATH, createParkPages(POSTER_PATH, pages)],
      [
        IMPORT_PATH,
        createImportService({ ...parts, settings, incoming: storage.context.incoming }),
        'any origin',
      ],
      [STATUS_PATH, web, 'any origin'],
      ['/', web],
    );

    for (const metric of siteMetrics({
      database,
      dataDir: settings.DATA_DIR,
      connections: realtime.connections,
      databaseRestarts,
    }))
      metrics.add(metric);

    const host: Host = {
      url,
      tokens,
      database,
      functions,
      jobs,
      store: (files) => storeObjects(storage.context, files),
      async startJobs() {
        stopJobs = await startJobs({ ...parts, settings, functions, mailer: auth.mailer });
      },
      close,
    };
    await prepare?.(host);
    // The map file is checked now instead of at the first request, but after the demo was added, because its map depends on that.
    void map?.current();
    app = claimBuild('app');
    open = true;
    return host;
  } catch (error) {
    await close();
    throw error;
  }
}
