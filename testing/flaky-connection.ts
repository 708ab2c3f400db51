// A line between a host and a service on loopback, which a test cuts, makes silent, or lets stop in the middle of an answer.
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './at-end.ts';

interface FlakyConnection {
  url: string;
  /** What becomes of requests from now on. */
  state: 'good' | 'cut' | 'silent' | 'stops';
  /** Requests whose answer has not come or has stopped, and whose client still waits. */
  waiting: number;
}

/** @param target of a service that speaks HTTP */
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
    // The Host stays as the client wrote it, which is what it has signed.
    const passed = ask(new URL(url ?? '/', target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (line.state === 'good') answer.pipe(outgoing);
      else
        answer.once('data', (chunk: Buffer) => {
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
