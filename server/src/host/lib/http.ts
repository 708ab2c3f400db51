// The interface of the host's services, and helpers that read tokens and bodies and create JSON responses.
import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';
import { JsonDepthError, jsonProblem, parseJson } from '#/host/lib/json-problem.ts';
import type { Log } from '#/host/lib/log.ts';

export interface RequestContext {
  /** The request's URL; must not be modified. */
  url: URL;
  /** The client's IP address. Used for rate limits only and never logged. */
  ip: string;
  /** The headers as Node parsed them. Reading them from the Request object would copy them. */
  headers: IncomingHttpHeaders;
  /** True if the request comes directly from a program on this machine, not through a proxy. */
  loopback: boolean;
  /** Adds the request's ID to each line, so that the cause of an error is found by the ID that its user saw. */
  log: Log;
}

/** Handles one request. main.ts and gateway/gateway.ts convert it from and to HTTP. Only realtime also uses sockets. */
export type Service = (request: Request, context: RequestContext) => Promise<Response>;

export function json(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** Returns the token of `Authorization: Bearer <token>`, which may be empty; null without such a header. */
export const bearerToken = (request: Request): string | null =>
  /^bearer\s+(.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? null;

/** Thrown by readBody and readJson. If the service does not catch it, the gateway responds with 413. */
export class BodyTooLargeError extends Error {
  constructor(limit: number) {
    super(`The body is larger than ${limit} bytes`);
  }
}

/**
 * Reads the body of a request, or of an external service's response, up to `limit` bytes.
 * @throws BodyTooLargeError
 */
export async function readBody(from: Request | Response, limit: number): Promise<Buffer> {
  const length = from.headers.get('content-length');
  if (Number(length ?? 0) > limit) throw new BodyTooLargeError(limit);
  // Node reads at most the announced length of a request, so no check is needed here; a stream would cost more than most requests.
  // A response may decompress to more than its announced length.
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

/** Thrown by readJson for a body that is not JSON or does not match the schema. */
export class InvalidJsonError extends Error {
  /** The path of the invalid member, such as `user.name`; '' for the whole body; null if the body is not JSON. */
  readonly path: string | null;

  constructor(path: string | null, message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * Reads a JSON body and validates it with a schema; an empty body counts as `{}`.
 * @param limit maximum size in bytes
 * @throws BodyTooLargeError, InvalidJsonError
 */
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
