// What every service of the host has in common: its shape, how it reads a body and how it answers in JSON.
import type { Log } from '#/host/lib/log.ts';

/** What a service knows of a request besides the request itself. */
export interface RequestContext {
  /** The client's address, for rate limits only; never logged. */
  address: string;
  /** True when a program on this machine itself asks, not through a proxy. */
  loopback: boolean;
  log: Log;
}

/** A service turns one request into one response; main.ts and web/gateway.ts turn them into HTTP, and only realtime knows sockets. */
export type Service = (request: Request, context: RequestContext) => Promise<Response>;

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** Thrown by readBody; the gateway answers it with 413 where a service does not. */
export class BodyTooLargeError extends Error {
  constructor(limit: number) {
    super(`The body is larger than ${limit} bytes`);
  }
}

/**
 * The whole body, read no further than `limit` bytes.
 * @throws BodyTooLargeError
 */
export async function readBody(request: Request, limit: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limit)
    throw new BodyTooLargeError(limit);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += (part as Uint8Array).byteLength;
    if (size > limit) throw new BodyTooLargeError(limit);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts, size);
}
