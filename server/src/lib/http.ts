// What every service of the host has in common: its shape and how it answers in JSON.
import type { Log } from '#/lib/log.ts';

/** What a service knows of a request besides the request itself. */
export interface RequestContext {
  /** The client's address, for rate limits only; never logged. */
  address: string;
  /** True when the connection came from this machine itself. */
  loopback: boolean;
  log: Log;
}

/** A service turns one request into one response; only main.ts knows HTTP and sockets. */
export type Service = (request: Request, context: RequestContext) => Promise<Response>;

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers: all });
}
