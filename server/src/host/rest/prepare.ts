// Compiles an HTTP request to a plan: its table or function, and its SQL statement.
import { parseQuery } from '#/host/rest/parse-query.ts';
import { didYouMean } from '#/host/rest/did-you-mean.ts';
import { RestError, UnknownNameError, badBody } from '#/host/rest/errors.ts';
import { inspectJson, readText } from '#/host/rest/payload.ts';
import { readAccept, readPreferences, readRange } from '#/host/rest/request-headers.ts';
import { isSlowQuery } from '#/host/rest/query-cost.ts';
import { findRoutine } from '#/host/rest/routines.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';
import {
  callStatement,
  readStatement,
  writeStatement,
  type RequestOptions,
  type RequestStatement,
} from '#/host/rest/statement.ts';

/** A parsed request, before it is compared with the schema. */
export interface ParsedRequest {
  method: string;
  name: string;
  isFunction: boolean;
  options: RequestOptions;
  body: { type: string; text: string } | null;
}

/** A compiled request and everything that its response depends on. */
export interface Plan {
  verb: 'read' | 'insert' | 'put' | 'update' | 'delete' | 'call';
  name: string;
  options: RequestOptions;
  statement: RequestStatement;
  readOnly: boolean;
  /** True if the request must use the few connections that slow requests share. */
  slow: boolean;
  returnsVoid: boolean;
  primaryKey: string[];
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * Parses a path such as `/rest/v1/films` or `/rest/v1/rpc/add_film`.
 * @throws PGRST125, PGRST126
 */
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
 * Parses the parts of a request that do not depend on the schema, including its body.
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
  const options = { query, preferences, format, anonymous, withoutBody: method === 'HEAD' };
  return { method, name, isFunction, options, body };
}

/** @throws PGRST205 */
function findRelation(schema: Schema, name: string): Relation {
  const relation = schema.relations.get(name);
  if (relation) return relation;
  const near = didYouMean(name, schema.relations.keys());
  throw new UnknownNameError(
    404,
    'PGRST205',
    `Could not find the table 'public.${name}' in the schema cache`,
    { hint: near === null ? null : `Perhaps you meant the table 'public.${near}'` },
  );
}

function prepareCall(schema: Schema, { method, name, options, body }: ParsedRequest): Plan {
  const { query, preferences } = options;
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
  let given: Parameters<typeof callStatement>[2] = { type: 'url', pairs: query.args };
  if (routine.wholeBody !== null)
    given = { type: 'whole', text: payload?.text ?? body?.text ?? '' };
  else if (payload) given = { type: 'body', payload };
  return {
    verb: 'call',
    name,
    options,
    statement: callStatement(schema, routine, given, options),
    readOnly: method !== 'POST' || !routine.volatile,
    slow: isSlowQuery(schema, routine.result ?? undefined, options),
    returnsVoid: routine.returnsVoid,
    primaryKey: [],
  };
}

/** @throws UnknownNameError for names that are not in the schema cache, RestError for requests that cannot be executed */
export function prepare(schema: Schema, parsed: ParsedRequest): Plan {
  if (parsed.isFunction) return prepareCall(schema, parsed);
  const { method, name, options, body } = parsed;
  const relation = findRelation(schema, name);
  const readOnly = method === 'GET' || method === 'HEAD';
  const common = {
    name,
    options,
    readOnly,
    slow: isSlowQuery(schema, relation, options),
    returnsVoid: false,
    primaryKey: relation.primaryKey,
  };
  if (readOnly)
    return { ...common, verb: 'read', statement: readStatement(schema, relation, options) };
  if (!body) {
    const statement = writeStatement(schema, relation, { type: 'delete' }, options);
    return { ...common, verb: 'delete', statement };
  }
  if (body.type !== 'application/json')
    throw badBody(`Content-Type not acceptable: ${body.type.slice(0, 100)}`);
  const payload = inspectJson(body.text, options.query.columns === null);
  const verb = method === 'POST' ? 'insert' : method === 'PUT' ? 'put' : 'update';
  const statement = writeStatement(schema, relation, { type: verb, payload }, options);
  return { ...common, verb, statement };
}
