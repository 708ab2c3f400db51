// One request over persistent connections, its answer read whole: costs the machine less than fetch, whose time would be measured, too.
import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

interface Wanted {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object | undefined;
}

export interface Answer {
  status: number;
  /** Decoded when it is read: else the time of one answer would hold the decoding of others. */
  readonly text: string;
  headers: http.IncomingHttpHeaders;
  /** Of the body, as it was sent. */
  bytes: number;
}

/** @param agent of `http`, with keepAlive */
export function send(agent: http.Agent, url: string, wanted: Wanted = {}): Promise<Answer> {
  const body = wanted.body && JSON.stringify(wanted.body);
  const headers = {
    ...wanted.headers,
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const method = wanted.method ?? (body ? 'POST' : 'GET');
    const request = http.request(url, { agent, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const whole = Buffer.concat(parts);
        const coding = response.headers['content-encoding'] ?? '';
        const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
        resolve({
          status: response.statusCode ?? 0,
          get text() {
            return String(decode ? decode(whole) : whole);
          },
          headers: response.headers,
          bytes: whole.length,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
