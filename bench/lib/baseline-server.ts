// A loopback server that sends the same bytes to every client, as a control for the app.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './at-end.ts';

export async function serveBaseline(
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(200, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  atEnd(() => server.close());
  return `http://127.0.0.1:${port}/`;
}
