// The control of the benchmark `realtime`: a process that uses only LISTEN and ws. It prints its port and sends each notification
// to its receiver.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { WebSocketServer, type WebSocket } from 'ws';

const sockets = new Map<string | null, WebSocket>();
const client = new pg.Client(process.argv[2]);
await client.connect();
await client.query('listen baseline');
client.on('notification', ({ payload = '{}' }) => {
  const { receiver } = JSON.parse(payload);
  if (receiver) sockets.get(receiver)?.send(payload);
  else for (const socket of sockets.values()) socket.send(payload);
});

const server = createServer();
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket, request) => {
  sockets.set(new URL(request.url ?? '/', 'http://baseline').searchParams.get('user'), socket);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
