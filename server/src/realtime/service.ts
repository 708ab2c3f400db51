// The realtime service (/realtime/v1/websocket): lets sockets in, and drops those that have gone silent.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Database } from '#/db/database.ts';
import type { Log } from '#/lib/log.ts';
import type { Claims, Tokens } from '#/lib/tokens.ts';
import { createAccess } from '#/realtime/access.ts';
import { startFeed } from '#/realtime/feed.ts';
import { serveSocket, type Connection } from '#/realtime/socket.ts';
import { createSubscriptions } from '#/realtime/subscriptions.ts';

/** Clients send a heartbeat every 25 to 30 seconds: who missed two is gone. Looked at in steps. */
const SILENCE = { most: 65_000, look: 10_000 };
const PATIENCE_MS = 500;
const MAX_MESSAGE = 64 * 1024;

export interface RealtimeService {
  /** Takes an HTTP upgrade, or refuses it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * Makes the service: attaches the triggers that report changes and starts listening to them.
 * @param silence milliseconds: the most that a socket may be silent, and between two looks
 */
export async function createRealtimeService(
  parts: { database: Database; tokens: Tokens; log: Log },
  silence = SILENCE,
): Promise<RealtimeService> {
  const { database, tokens, log } = parts;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const connections = new Map<WebSocket, Connection>();
  const subscriptions = createSubscriptions();
  const access = createAccess(database);
  await access.reload();
  const stopFeed = await startFeed({ database, access, subscriptions, log }, () => {
    for (const connection of connections.values()) connection.resync();
  });

  const look = setInterval(() => {
    for (const [ws, connection] of connections)
      if (connection.silence() > silence.most) ws.terminate();
  }, silence.look);
  look.unref();

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://host');
    if (url.pathname !== '/realtime/v1/websocket') return refuse(socket, '404 Not Found');
    const version = url.searchParams.get('vsn') ?? '1.0.0';
    if (version !== '1.0.0' && version !== '2.0.0') return refuse(socket, '400 Bad Request');
    let claims: Claims;
    try {
      claims = await tokens.verify(url.searchParams.get('apikey') ?? '');
    } catch {
      return refuse(socket, '401 Unauthorized');
    }
    server.handleUpgrade(request, socket, head, (ws) => {
      connections.set(ws, serveSocket({ tokens, access, subscriptions }, ws, version, claims));
      ws.on('close', () => connections.delete(ws));
    });
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      admit(request, socket, head).catch(() => refuse(socket, '400 Bad Request'));
    },
    async close() {
      clearInterval(look);
      await stopFeed();
      // 1012: the service restarts; clients come back by themselves.
      for (const ws of connections.keys()) ws.close(1012);
      server.close();
      setTimeout(
        () => [...connections.keys()].forEach((ws) => ws.terminate()),
        PATIENCE_MS,
      ).unref();
    },
  };
}
