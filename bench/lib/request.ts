// Sends requests over persistent connections and reads whole responses. Uses undici, because it needs a third less processor time
// than `http`, and on two cores the client competes with the host.
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { atEnd } from './at-end.ts';

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

interface Wanted {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: object | undefined;
}

export interface Answer {
  status: number;
  /** Decoded when it is first read, because decoding would delay other responses. */
  readonly text: string;
  headers: IncomingHttpHeaders;
  /** Size of the body as transferred. */
  bytes: number;
}

/**
 * Returns an agent with persistent connections.
 * @param connections maximum per host
 */
export function keepAlive(connections: number): Agent {
  const agent = new Agent({ connections });
  atEnd(() => agent.destroy());
  return agent;
}

/**
 * Sends a request and reads its response, whatever its status.
 * @throws undici's errors, such as SocketError, without a complete response
 */
export function send(agent: Dispatcher, url: string, wanted: Wanted = {}): Promise<Answer> {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const body = wanted.body && JSON.stringify(wanted.body);
  const options = {
    origin: url.slice(0, start),
    path: url.slice(start),
    method: wanted.method ?? (body ? 'POST' : 'GET'),
    headers: { ...wanted.headers, ...(body && { 'content-type': 'application/json' }) },
    body: body ?? null,
  };
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    agent.dispatch(options, {
      onRequestStart() {
        // No body part follows, because the whole request was already passed.
      },
      onResponseStart(_, statusCode, answered) {
        status = statusCode;
        headers = answered;
      },
      onResponseData(_, part) {
        parts.push(part);
      },
      onResponseEnd() {
        // Most responses have one part, which need not be copied.
        const [first] = parts;
        const whole = first && parts.length === 1 ? first : Buffer.concat(parts);
        const coding = String(headers['content-encoding'] ?? '');
        const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
        resolve({
          status,
          get text() {
            return String(decode ? decode(whole) : whole);
          },
          headers,
          bytes: whole.length,
        });
      },
      onResponseError(_, error) {
        reject(error);
      },
    });
  });
}
