// What all services of the host share: their shape, how they read tokens and bodies, and how they answer in JSON.
import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';
import { JsonDepthError, jsonProblem, parseJson } from '#/host/lib/json-problem.ts';
import type { Log } from '#/host/lib/log.ts';

/** What a service knows of a request besides the request itself. */
export interface RequestContext {
  /** The request's address; not to be changed. */
  url: URL;
  /** The client's address, for rate limits only; never logged. */
  ip: string;
  /** The request's headers as Node read them: a Request makes a copy of them where it is asked. */
  headers: IncomingHttpHeaders;
  /** True when a program on this machine itself asks, not through a proxy. */
  loopback: boolean;
  log: Log;
}

/** Turns one request into one response; main.ts and gateway/gateway.ts turn them into HTTP, and only realtime knows sockets. */
export type Service = (request: Request, context: RequestContext) => Promise<Response>;

export function json(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** The token of `Authorization: Bearer <token>`, which may be empty; null without such a header. */
export const bearerToken = (request: Request): string | null =>
  /^bearer\s+(.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? null;

/** Thrown by readBody and readJson; the gateway answers it with 413 where a service does not. */
export class BodyTooLargeError extends Error {
  constructor(limit: number) {
    super(`The body is larger than ${limit} bytes`);
  }
}

/** The whole body, read no further than `limit` bytes; of an answer from outside, too. Throws BodyTooLargeError. */
export async function readBody(from: Request | Response, limit: number): Promise<Buffer> {
  const length = from.headers.get('content-length');
  if (Number(length ?? 0) > limit) throw new BodyTooLargeError(limit);
  // Node reads no further of a request than was announced, and a stream would cost more than most requests. An answer may be
  // unpacked to more than it announced.
  if (length !== null && !(from instanceof Response)) return Buffer.from(await from.arrayBuffer());
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of from.body ?? []) {
    size += (part as Uint8Array).byteLength;
    if (size > limit) throw new BodyTooLargeError(limit);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts, size);
}

/** Thrown by readJson for a body that is not JSON, or not of the shape that is asked for. */
export class InvalidJsonError extends Error {
  /** The member that is wrong, such as `user.name`, '' for the body as a whole; null where it is not JSON. */
  readonly path: string | null;

  constructor(path: string | null, message: string) {
    super(message);
    this.path = path;
  }
}

/** The JSON body, checked against a schema; an empty body counts as `{}`. `limit`: bytes. Throws BodyTooLargeError, InvalidJsonError. */
export async function readJson<const S extends v.GenericSchema>(
  request: Request,
  limit: number,
  schema: S,
): Promise<v.InferOutput<S>> {
  const text = (await readBody(request, limit)).toString('utf8');
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : parseJson(text);
  } catch (error) {
    if (error instanceof JsonDepthError) throw new InvalidJsonError('', error.message);
    throw new InvalidJsonError(null, 'The body is not valid JSON');
  }
  const problem = jsonProblem(value);
  if (problem !== null) throw new InvalidJsonError('', problem);
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new InvalidJsonError(v.getDotPath(issue) ?? '', issue.message);
}
