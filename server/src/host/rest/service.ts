// The REST service: PostgREST's protocol on schema public. Each request is one batch of SQL that runs with the caller's role.
import pg from 'pg';
import { isStale, type Rows } from '#/host/db/batch.ts';
import { isDatabaseDown } from '#/host/db/database.ts';
import type { HostParts } from '#/host/host-parts.ts';
import { ParseError } from '#/host/filters/scanner.ts';
import { headersWithIp } from '#/host/lib/ip-addresses.ts';
import { COMPRESS_FROM_BYTES, compressed } from '#/host/lib/compress.ts';
import { json, type RequestContext, type Service } from '#/host/lib/http.ts';
import { AcquireTimeoutError } from '#/host/limits/fair-semaphore.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import {
  respond,
  checkOutcome,
  needsCheck,
  readOutcome,
  type Outcome,
} from '#/host/rest/response.ts';
import { ApiKeyError, readCaller } from '#/host/rest/caller.ts';
import {
  RestError,
  UnknownNameError,
  errorResponse,
  fromDatabase,
  noPrivilege,
} from '#/host/rest/errors.ts';
import { createPlanCache, planKey } from '#/host/rest/plan-cache.ts';
import { prepare, parseRequest, type Plan, type ParsedRequest } from '#/host/rest/prepare.ts';
import { NO_RESPONSE_SETTINGS } from '#/host/rest/response-settings.ts';
import { isSlowQuery } from '#/host/rest/query-cost.ts';
import { createSharedResponses } from '#/host/rest/shared-responses.ts';
import { createSchemaSource, type Schema } from '#/host/rest/schema-cache.ts';

/** The SQLSTATE that PostgreSQL raises if a view is not writable. */
const NOT_WRITABLE = '55000';
/** The privilege that each type of write requires. */
const PRIVILEGES: Partial<Record<Plan['verb'], string>> = {
  insert: 'INSERT',
  put: 'INSERT',
  update: 'UPDATE',
  delete: 'DELETE',
};

/** Settings of the transaction: the request's data, which database functions can read, and empty response settings. */
const requestSettings = (
  { method }: Request,
  { headers, ip }: RequestContext,
  { verb, name }: Plan,
): Record<string, string> => ({
  'request.method': method,
  'request.path': verb === 'call' ? `/rpc/${name}` : `/${name}`,
  'request.headers': JSON.stringify(headersWithIp(headers, ip)),
  ...NO_RESPONSE_SETTINGS,
});

export function createRestService({
  database,
  tokens,
  log,
}: Pick<HostParts, 'database' | 'tokens' | 'log'>): Service {
  const source = createSchemaSource(database, log);
  const shared = createSharedResponses();
  const plans = createPlanCache();

  /** Compiles a request. It runs only when the caller's quota allows it, because the cost of compiling grows with the body. */
  async function compile(parsed: ParsedRequest, key: string | null): Promise<Plan> {
    const add = (schema: Schema): Plan => {
      const plan = prepare(schema, parsed);
      plans.add(key, schema, plan);
      return plan;
    };
    const schema = await source.current();
    try {
      return add(schema);
    } catch (error) {
      const newer = error instanceof UnknownNameError ? await source.newerThan(schema) : null;
      if (!newer) throw error;
      return add(newer);
    }
  }

  /**
   * Returns the error for the client. PostgreSQL reports that a view is not writable before it checks privileges. Callers without
   * the privilege get the error for the missing privilege instead, as for every other relation.
   */
  async function rejection(
    error: unknown,
    { verb, name }: Plan,
    role: string,
  ): Promise<RestError | null> {
    const privilege = PRIVILEGES[verb];
    const state = error instanceof pg.DatabaseError ? error.code : undefined;
    if (privilege === undefined || state !== NOT_WRITABLE) return null;
    const { rows } = await database.pool.query<{ granted: boolean }>(
      `select case $3::text when 'DELETE' then has_table_privilege($1::name, relation, $3)
         else has_any_column_privilege($1::name, relation, $3) end as granted
       from format('public.%I', $2::text) as relation`,
      [role, name, privilege],
    );
    return rows[0]?.granted === false ? noPrivilege(name, role === 'anon') : null;
  }

  async function run(
    request: Request,
    context: RequestContext,
    plan: Plan,
    claims: Claims,
  ): Promise<Outcome> {
    const { main, explain } = plan.statement;
    if (!main) return { body: '[]', rows: 0, total: null, set: null, merged: null };
    const check = (rows: Rows[]) => checkOutcome(plan, readOutcome(rows));
    const options = {
      readOnly: plan.readOnly,
      isQuery: plan.verb === 'read',
      settings: requestSettings(request, context, plan),
      ...(needsCheck(plan) ? { check } : {}),
    };
    const results = await database
      .batchAsCaller(claims, options, explain ? [main, explain] : [main])
      .catch(async (error: unknown) => {
        throw (await rejection(error, plan, claims.role)) ?? error;
      });
    return readOutcome(results);
  }

  function failure(error: unknown, claims: Claims | null): Response {
    if (error instanceof ApiKeyError)
      return json({ message: error.message, hint: error.hint }, 401);
    if (error instanceof ParseError)
      return errorResponse(
        new RestError(400, 'PGRST100', error.message, { details: error.details }),
      );
    if (error instanceof RestError) return errorResponse(error);
    if (error instanceof AcquireTimeoutError)
      return errorResponse(
        new RestError(504, 'PGRST003', 'Timed out acquiring connection from connection pool.'),
      );
    if (error instanceof pg.DatabaseError && !isDatabaseDown(error)) {
      if (isStale(error))
        void source
          .current()
          .then(source.newerThan)
          .catch(() => undefined);
      return errorResponse(fromDatabase(error, claims?.role === 'anon'));
    }
    throw error;
  }

  return async (request, context) => {
    let claims: Claims | null = null;
    try {
      const { url } = context;
      claims = await readCaller(tokens, request, url);
      const caller = claims;
      const anonymous = caller.role === 'anon';
      const key = planKey(request, url, anonymous);
      let slow = false;
      return await shared.respond(request, url, {
        // The body is read before the caller gets a connection, because a slow upload must not occupy one.
        async read() {
          const schema = await source.current();
          const plan = plans.find(key, schema);
          const read = plan ?? (await parseRequest(request, url, anonymous));
          slow = plan
            ? plan.slow
            : isSlowQuery(schema, schema.relations.get(read.name), read.options);
          return read;
        },
        admit: (work) => database.quotas.run(caller, work, context.ip, slow),
        async make(read) {
          const plan = 'statement' in read ? read : await compile(read, key);
          const outcome = await run(request, context, plan, caller);
          const response = respond(plan, outcome);
          // Reading `response.body` would create a stream, which costs as much as the rest of a small response.
          const isEmpty = plan.options.withoutBody || !response.headers.has('content-type');
          const bytes = isEmpty ? 0 : Buffer.byteLength(outcome.body ?? '');
          return bytes < COMPRESS_FROM_BYTES ? response : await compressed(request, response);
        },
      });
    } catch (error) {
      return failure(error, claims);
    }
  };
}
