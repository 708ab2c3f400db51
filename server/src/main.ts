// The one-machine host: opens the database, makes the services and puts them behind one HTTP server.
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAuthService } from '#/auth/service.ts';
import { openDatabase, type Database } from '#/db/database.ts';
import { json, type RequestContext, type Service } from '#/lib/http.ts';
import { createLog, type Log } from '#/lib/log.ts';
import type { Settings } from '#/lib/settings.ts';
import { createTokens, type Tokens } from '#/lib/tokens.ts';

/** What every service is made from. */
export interface HostParts {
  settings: Settings;
  database: Database;
  tokens: Tokens;
  log: Log;
  /** The address that links in mails, redirects and previews start with; no slash at its end. */
  siteUrl: string;
}

export interface Host {
  /** Where it listens, such as http://localhost:3000 */
  url: string;
  tokens: Tokens;
  database: Database;
  close(): Promise<void>;
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Starts the host on a database that is already migrated.
 * @param secret the JWT secret, at least 32 characters
 */
export async function startHost(
  settings: Settings,
  connectionString: string,
  secret: string,
): Promise<Host> {
  const log = createLog(settings.LOG_LEVEL);
  const database = openDatabase(connectionString);
  const tokens = await createTokens(secret);
  let url = `http://${settings.HOST}:${settings.PORT}`;
  const parts: HostParts = {
    settings,
    database,
    tokens,
    log,
    // Known once the port is: PORT=0 takes a free one.
    get siteUrl() {
      return settings.SITE_URL ?? url;
    },
  };
  const routes: [prefix: string, service: Service][] = [['/auth/v1', createAuthService(parts)]];

  async function answer(request: Request, context: RequestContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    const route = routes.find(
      ([prefix]) => pathname === prefix || pathname.startsWith(`${prefix}/`),
    );
    if (!route) return json({ message: 'Not found' }, 404);
    return route[1](request, context);
  }

  const server = createAdaptorServer({
    fetch: (request, env) => {
      const address = (env as HttpBindings).incoming.socket.remoteAddress ?? '';
      return answer(request, { address, loopback: LOOPBACK.test(address), log });
    },
  }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.PORT, settings.HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;

  url = `http://${settings.HOST}:${port}`;

  return {
    url,
    tokens,
    database,
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      await database.close();
    },
  };
}
