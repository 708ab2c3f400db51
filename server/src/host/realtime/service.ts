// The realtime service (/realtime/v1/websocket): accepts WebSockets and closes inactive ones.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { HostParts } from '#/host/host-parts.ts';
import { findRevokedSessions } from '#/host/revoked-sessions.ts';
import { ipSubject, clientIp, isLoopback } from '#/host/lib/ip-addresses.ts';
import { KeyedCounter } from '#/host/limits/keyed-counter.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import { isUuid } from '#/host/lib/uuid.ts';
import { createAccess } from '#/host/realtime/access.ts';
import { startFeed } from '#/host/realtime/feed.ts';
import { serveSocket, type Connection } from '#/host/realtime/socket.ts';
import { createSubscriptions } from '#/host/realtime/subscriptions.ts';

/** A mobile network may use one IP for hundreds of phones, so the limit per IP is high. */
const MAX_SOCKETS = { inProcess: 10_000, perIp: 200, perUser: 20 };
/** In milliseconds. Clients send a heartbeat every 25 to 30 seconds; a client that missed two is disconnected. */
const SILENCE = { timeout: 65_000, checkEvery: 10_000 };
const CLOSE_TIMEOUT_MS = 500;
const MAX_MESSAGE = 64 * 1024;

function reject(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * Creates the service, attaches the triggers that report changes, and starts to listen for changes.
 * @param parts `trustProxy`: true if the operator's proxy appends the client's IP to X-Forwarded-For
 * @param silence milliseconds: how long a socket may be inactive, and how often this is checked
 */
export async function createRealtimeService(
  parts: Pick<HostParts, 'database' | 'tokens' | 'log'> & { trustProxy: boolean },
  silence = SILENCE,
) {
  const { database, tokens, log, trustProxy } = parts;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const connections = new Map<WebSocket, Connection>();
  const subscriptions = createSubscriptions();
  const socketsByIp = new KeyedCounter(MAX_SOCKETS.perIp);
  const socketsByUser = new KeyedCounter(MAX_SOCKETS.perUser);
  const access = createAccess(database);
  await access.reload();
  const feed = await startFeed({ database, access, subscriptions, log }, () => {
    for (const connection of connections.values()) connection.resync();
  });

  // A ban or the end of a session closes its channels immediately. Until the next periodic check, they would still receive changes.
  // Earlier changes are delivered first, because one of them lets the app check its session and log out.
  const stopRevoked = await database.listen('packpark_revoked', (id) =>
    feed.runInOrder(() => {
      for (const connection of connections.values()) connection.endRevoked(new Set([id]));
    }),
  );

  /**
   * Closes the channels of sessions that ended just before the channel joined. The verification of tokens caches its results, so it
   * may have accepted them.
   */
  async function closeRevokedSessions(): Promise<void> {
    const all = [...connections.values()].flatMap((connection) => connection.sessions());
    const named = [...new Set(all)].filter(isUuid);
    if (named.length === 0) return;
    const revoked = await findRevokedSessions(database, named);
    if (revoked.size > 0)
      for (const connection of connections.values()) connection.endRevoked(revoked);
  }

  let checking = false;
  const check = setInterval(() => {
    for (const [ws, connection] of connections)
      if (connection.silence() > silence.timeout) ws.terminate();
    if (checking) return;
    checking = true;
    closeRevokedSessions()
      .catch((error: unknown) =>
        log.warn({ error: (error as Error).message }, 'realtime: sessions could not be checked'),
      )
      .finally(() => (checking = false));
  }, silence.checkEvery);
  check.unref();

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://host');
    if (url.pathname !== '/realtime/v1/websocket') return reject(socket, '404 Not Found');
    const version = url.searchParams.get('vsn') ?? '1.0.0';
    if (version !== '1.0.0' && version !== '2.0.0') return reject(socket, '400 Bad Request');
    let claims: Claims;
    try {
      claims = await tokens.verify(url.searchParams.get('apikey') ?? '');
    } catch {
      return reject(socket, '401 Unauthorized');
    }
    if (socket.destroyed) return;
    if (connections.size >= MAX_SOCKETS.inProcess) return reject(socket, '503 Service Unavailable');
    const ip = clientIp(request, trustProxy);
    // Loopback addresses are not counted: they may belong to a proxy that is not configured, so all users would share one limit.
    const counted = isLoopback(ip) ? null : ipSubject(ip);
    if (counted !== null && !socketsByIp.tryAcquire(counted))
      return reject(socket, '429 Too Many Requests');
    // The slot is released when the raw socket closes, which happens exactly once, even if the handshake fails.
    socket.once('close', () => counted !== null && socketsByIp.release(counted));
    server.handleUpgrade(request, socket, head, (ws) => {
      const parts = { tokens, access, subscriptions, socketsByUser };
      connections.set(ws, serveSocket(parts, ws, version, claims));
      ws.on('close', () => connections.delete(ws));
    });
  }

  return {
    connections: () => connections.size,
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on('error', () => socket.destroy());
      admit(request, socket, head).catch(() => reject(socket, '400 Bad Request'));
    },
    async close(): Promise<void> {
      clearInterval(check);
      await stopRevoked();
      await feed.stop();
      // Close code 1012 means that the service restarts; clients reconnect automatically.
      for (const ws of connections.keys()) ws.close(1012);
      server.close();
      setTimeout(
        () => [...connections.keys()].forEach((ws) => ws.terminate()),
        CLOSE_TIMEOUT_MS,
      ).unref();
    },
  };
}
