// A proxy between a host and a loopback service. A test can break it, make it silent, or stop it in the middle of a response.
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './at-end.ts';

interface FlakyConnection {
  url: string;
  /** How the proxy treats requests from now on. */
  state: 'good' | 'cut' | 'silent' | 'stops';
  /** The number of clients that are waiting for a complete response. */
  waiting: number;
}

/** @param target URL of an HTTP service */
export async function startFlakyConnection(target: string): Promise<FlakyConnection> {
  const server = createServer((incoming, outgoing) => {
    if (line.state === 'cut') {
      incoming.socket.destroy();
      return;
    }
    if (line.state === 'silent') {
      line.waiting += 1;
      outgoing.once('close', () => (line.waiting -= 1));
      return;
    }
    const { method, headers, url } = incoming;
    // The client's Host header is kept, because the client has signed it.
    const passed = send(new URL(url ?? '/', target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      if (line.state === 'good') response.pipe(outgoing);
      else
        response.once('data', (chunk: Buffer) => {
          outgoing.write(chunk.subarray(0, 1));
          line.waiting += 1;
          outgoing.once('close', () => (line.waiting -= 1));
        });
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const line: FlakyConnection = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: 'good',
    waiting: 0,
  };
  atEnd(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return line;
}
