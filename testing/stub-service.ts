// A fake external service on loopback that records its requests.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface StubRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

interface StubResponse {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface StubService {
  url: string;
  requests: StubRequest[];
  respond(request: StubRequest): StubResponse | Promise<StubResponse>;
  /** If true, the service sends an endless response. `sentBytes` counts what the client took. */
  endless: boolean;
  sentBytes: number;
  close(): Promise<void>;
}

/** Starts the service on a free port. `respond` returns JSON. */
export async function startStubService(respond: StubService['respond']): Promise<StubService> {
  const service: StubService = {
    url: '',
    requests: [],
    respond,
    endless: false,
    sentBytes: 0,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  const server = createServer(async (incoming, response) => {
    const bytes = await buffer(incoming);
    const request: StubRequest = {
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '/', service.url),
      headers: incoming.headers,
      body: bytes.toString(),
      bytes,
    };
    service.requests.push(request);
    const { status = 200, headers, body: content } = await service.respond(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (!service.endless) return response.end(JSON.stringify(content));
    const part = ' '.repeat(65_536);
    const send = () => {
      if (response.destroyed) return;
      service.sentBytes += part.length;
      response.write(part, send);
    };
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}
