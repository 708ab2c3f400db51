// From an HTTP request to an operation: what is asked of which table or function, in which form.
import { parseQuery } from '#/host/rest/parse-query.ts';
import { RestError, badBody } from '#/host/rest/errors.ts';
import {
  callOperation,
  findRelation,
  readOperation,
  type Operation,
  type Wanted,
} from '#/host/rest/operation.ts';
import { inspectJson, readText } from '#/host/rest/payload.ts';
import {
  readAccept,
  readPreferences,
  readRange,
  type Format,
  type Preferences,
} from '#/host/rest/request-head.ts';
import { findRoutine } from '#/host/rest/routines.ts';
import type { Schema } from '#/host/rest/schema-cache.ts';
import { writeOperation } from '#/host/rest/write-operation.ts';

/** A request that has been understood, without looking at the schema. */
export interface ParsedRequest {
  method: string;
  name: string;
  isFunction: boolean;
  wanted: Wanted;
  body: { type: string; text: string } | null;
}

/** How a request runs, and what its answer depends on. */
export interface Plan {
  operation: Operation;
  verb: 'read' | 'insert' | 'put' | 'update' | 'delete' | 'call';
  name: string;
  format: Format;
  preferences: Preferences;
  withoutBody: boolean;
  returnsVoid: boolean;
  readOnly: boolean;
  primaryKey: string[];
  /** Whether the URL names the columns by which rows are the same. */
  onConflict: boolean;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);

/** `/rest/v1/films` or `/rest/v1/rpc/add_film`. @throws PGRST125, PGRST126 */
function readPath(pathname: string): { name: string; isFunction: boolean } {
  const segments = pathname.replace(/^\/rest\/v1\/?/, '').split('/');
  const isFunction = segments[0] === 'rpc' && segments.length === 2;
  let name = segments[isFunction ? 1 : 0] ?? '';
  try {
    name = decodeURIComponent(name);
  } catch {
    throw new RestError(404, 'PGRST125', 'Invalid path specified in request URL');
  }
  if (segments.length === 1 && name === '')
    throw new RestError(404, 'PGRST126', 'Root endpoint metadata is disabled');
  if (name === '' || (segments.length > 1 && !isFunction))
    throw new RestError(404, 'PGRST125', 'Invalid path specified in request URL');
  return { name, isFunction };
}

function checkSchema(headers: Headers, reading: boolean): void {
  const schema = headers.get(reading ? 'accept-profile' : 'content-profile');
  if (schema === null || schema === 'public') return;
  throw new RestError(406, 'PGRST106', `Invalid schema: ${schema}`, {
    hint: 'Only the following schemas are exposed: public',
  });
}

/**
 * Reads everything of a request that does not depend on the schema, its body included.
 * @param anonymous whether the caller is anonymous
 * @throws PGRST1xx
 */
export async function parseRequest(
  request: Request,
  url: URL,
  anonymous: boolean,
): Promise<ParsedRequest> {
  const { method, headers } = request;
  const { name, isFunction } = readPath(url.pathname);
  const reading = method === 'GET' || method === 'HEAD';
  if (!METHODS.has(method))
    throw new RestError(405, 'PGRST117', `Unsupported HTTP method: ${method}`);
  if (isFunction && !reading && method !== 'POST')
    throw new RestError(405, 'PGRST101', `Cannot use the ${method} method on RPC`);
  checkSchema(headers, reading);
  const preferences = readPreferences(headers.get('prefer'));
  const format = readAccept(headers.get('accept'));
  const forFunction = isFunction ? (reading ? 'get' : 'post') : null;
  const query = parseQuery(url.searchParams, forFunction);
  const range = reading ? readRange(headers.get('range')) : null;
  if (range) {
    const { root } = query;
    const end = Math.min(
      root.limit === null ? Infinity : root.offset + root.limit,
      range.limit === null ? Infinity : range.offset + range.limit,
    );
    root.offset = Math.max(root.offset, range.offset);
    root.limit = Number.isFinite(end) ? Math.max(0, end - root.offset) : null;
  }
  let body: ParsedRequest['body'] = null;
  if (!reading && method !== 'DELETE') {
    const type = (headers.get('content-type') ?? 'application/json').split(';')[0] ?? '';
    body = { type: type.trim().toLowerCase(), text: await readText(request, anonymous) };
  }
  const wanted = { query, preferences, format, anonymous, withoutBody: method === 'HEAD' };
  return { method, name, isFunction, wanted, body };
}

function prepareCall(schema: Schema, { method, name, wanted, body }: ParsedRequest): Plan {
  const { query, preferences, format, withoutBody } = wanted;
  const payload = body?.type === 'application/json' ? inspectJson(body.text, false) : null;
  const keys = body
    ? payload && !payload.isArray
      ? payload.keys
      : []
    : [...new Set(query.args.map(([key]) => key))];
  const routine = findRoutine(schema, name, keys, body?.type ?? null);
  if (preferences.maxAffected !== null && !routine.returnsSet) {
    throw new RestError(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    );
  }
  let given: Parameters<typeof callOperation>[2] = { kind: 'url', pairs: query.args };
  if (routine.wholeBody !== null)
    given = { kind: 'whole', text: payload?.text ?? body?.text ?? '' };
  else if (payload) given = { kind: 'body', payload };
  return {
    operation: callOperation(schema, routine, given, wanted),
    verb: 'call',
    name,
    format,
    preferences,
    withoutBody,
    returnsVoid: routine.returnsVoid,
    readOnly: method !== 'POST' || !routine.volatile,
    primaryKey: [],
    onConflict: false,
  };
}

/** Plans a request against the schema. Throws UnknownNameError for what the schema lacks, RestError for what cannot be. */
export function prepare(schema: Schema, parsed: ParsedRequest): Plan {
  if (parsed.isFunction) return prepareCall(schema, parsed);
  const { method, name, wanted, body } = parsed;
  const relation = findRelation(schema, name);
  const { preferences, format, withoutBody } = wanted;
  const common = {
    name,
    format,
    preferences,
    withoutBody,
    returnsVoid: false,
    primaryKey: relation.primaryKey,
    onConflict: wanted.query.onConflict !== null,
  };
  if (method === 'GET' || method === 'HEAD') {
    const operation = readOperation(schema, relation, wanted);
    return { ...common, operation, verb: 'read', readOnly: true };
  }
  if (!body) {
    const operation = writeOperation(schema, relation, { kind: 'delete' }, wanted);
    return { ...common, operation, verb: 'delete', readOnly: false };
  }
  if (body.type !== 'application/json')
    throw badBody(`Content-Type not acceptable: ${body.type.slice(0, 100)}`);
  const payload = inspectJson(body.text, wanted.query.columns === null);
  const verb = method === 'POST' ? 'insert' : method === 'PUT' ? 'put' : 'update';
  const operation = writeOperation(schema, relation, { kind: verb, payload }, wanted);
  return { ...common, operation, verb, readOnly: false };
}
