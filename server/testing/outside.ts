// A service outside, on loopback: what a test lets it answer, and what it was asked.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedOutside {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Outside {
  url: string;
  asked: AskedOutside[];
  /** May be replaced at any time. */
  answer(
    asked: AskedOutside,
  ): { status?: number; body: unknown } | Promise<{ status?: number; body: unknown }>;
  close(): Promise<void>;
}

/** Starts it on a free port; `answer` gives JSON. */
export async function startOutside(answer: Outside['answer']): Promise<Outside> {
  const outside: Outside = {
    url: '',
    asked: [],
    answer,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked: AskedOutside = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', outside.url),
      headers: request.headers,
      body,
    };
    outside.asked.push(asked);
    const { status = 200, body: answered } = await outside.answer(asked);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answered));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  outside.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return outside;
}
