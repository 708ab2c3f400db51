// Creates the HTTP response: status, Content-Range and the other headers that clients read.
import type { Rows } from '#/host/db/batch.ts';
import { RestError, badRange, notOneRow } from '#/host/rest/errors.ts';
import type { Plan } from '#/host/rest/prepare.ts';
import {
  applyResponseSettings,
  readResponseSettings,
  type ResponseSettings,
} from '#/host/rest/response-settings.ts';
import { ESTIMATE_FROM, readResult } from '#/host/rest/statement.ts';

export interface Outcome {
  body: string | null;
  rows: number;
  /** The total number of rows if it was requested. It may be the planner's estimate. */
  total: number | null;
  /** The response settings of database functions; null if there are none. */
  set: ResponseSettings | null;
  /** For an upsert, the number of rows that already existed; otherwise null. */
  merged: number | null;
}

export function readOutcome([main, explain]: Rows[]): Outcome {
  const { body, rows, total, settings, merged } = readResult(main?.[0]);
  return {
    body,
    rows: Number(rows),
    total: total === null ? null : estimatedTotal(Number(total), explain?.[0]?.[0]),
    set: readResponseSettings(settings),
    merged: merged === null ? null : Number(merged),
  };
}

/**
 * Returns the counted number, or the planner's estimate if counting stopped at the limit.
 * @param plan the output of EXPLAIN
 */
function estimatedTotal(counted: number, plan: string | null = null): number {
  if (plan === null || counted <= ESTIMATE_FROM) return counted;
  const [root] = JSON.parse(plan) as { Plan: { 'Plan Rows': number } }[];
  return Math.max(counted, root?.Plan['Plan Rows'] ?? 0);
}

/** Returns true if the change may be rolled back because of its result, so that `checkOutcome` must run before the commit. */
export const needsCheck = ({ options: { format, preferences }, readOnly }: Plan): boolean =>
  !readOnly && (format.type === 'object' || preferences.maxAffected !== null);

/** @throws PGRST116, PGRST124 */
export function checkOutcome(plan: Plan, { rows }: Outcome): void {
  const { verb, returnsVoid } = plan;
  const { format, preferences } = plan.options;
  const limit = preferences.maxAffected;
  const counts = verb === 'update' || verb === 'delete' || verb === 'call';
  if (limit !== null && counts && rows > limit) {
    throw new RestError(
      400,
      'PGRST124',
      'Query result exceeds max-affected preference constraint',
      { details: `The query affects ${rows} rows` },
    );
  }
  const shown = verb === 'read' || verb === 'call' || preferences.return === 'representation';
  if (format.type === 'object' && shown && !returnsVoid && rows !== 1) throw notOneRow(rows);
}

const contentRange = (first: number, rows: number, total: number | null): string =>
  `${rows > 0 ? `${first}-${first + rows - 1}` : '*'}/${total ?? '*'}`;

/**
 * Returns the path of the new row, such as `/films?id=eq.5`.
 * @param body a JSON array with the new row's key
 */
function location({ name }: Plan, body: string | null): string | null {
  const [key, other] = JSON.parse(body ?? '[]') as Record<string, string>[];
  if (!key || other) return null;
  const filters = Object.entries(key).map(
    ([column, value]) => `${encodeURIComponent(column)}=eq.${encodeURIComponent(value)}`,
  );
  return filters.length === 0 ? null : `/${encodeURIComponent(name)}?${filters.join('&')}`;
}

function readStatus(offset: number, { rows, total }: Outcome): number {
  if (total === null) return 200;
  if (offset > total)
    throw badRange(`An offset of ${offset} was requested, but there are only ${total} rows.`);
  return rows < total ? 206 : 200;
}

/** The preferences that apply to each type of request. Only these are named in Preference-Applied. */
const APPLICABLE: Record<Plan['verb'], readonly string[]> = {
  read: ['count', 'handling'],
  call: ['count', 'handling', 'max-affected'],
  insert: ['resolution', 'missing', 'return', 'count', 'handling'],
  put: ['return', 'count', 'handling'],
  update: ['missing', 'return', 'count', 'handling', 'max-affected'],
  delete: ['return', 'count', 'handling', 'max-affected'],
};

function appliedPreferences({ verb, options, primaryKey }: Plan): string {
  const { preferences, query } = options;
  const unique = primaryKey.length > 0 || query.onConflict !== null;
  return preferences.applied
    .filter(([name]) => APPLICABLE[verb].includes(name) && (name !== 'resolution' || unique))
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Returns 201 if rows were created, 200 if an upsert only updated rows. PUT without a representation always returns 204. */
function writeStatus({ verb, options: { preferences } }: Plan, { rows, merged }: Outcome): number {
  const shown = preferences.return === 'representation';
  const created = rows > (merged ?? 0);
  if (verb === 'insert')
    return created || preferences.resolution !== 'merge-duplicates' ? 201 : 200;
  if (!shown) return 204;
  return verb === 'put' && created ? 201 : 200;
}

/** @throws PGRST103, PGRST111, PGRST112, PGRST116, PGRST124 */
export function respond(plan: Plan, outcome: Outcome): Response {
  const response = protocolResponse(plan, outcome);
  return outcome.set === null ? response : applyResponseSettings(response, outcome.set);
}

/** Returns the response before the response settings are applied. */
function protocolResponse(plan: Plan, outcome: Outcome): Response {
  const { verb } = plan;
  const { preferences, format, query, withoutBody } = plan.options;
  checkOutcome(plan, outcome);
  const headers = new Headers();
  const applied = appliedPreferences(plan);
  if (applied !== '') headers.set('preference-applied', applied);
  const { rows } = outcome;

  if (verb === 'read' || verb === 'call') {
    const { offset } = query.root;
    const status = readStatus(offset, outcome);
    headers.set('content-range', contentRange(offset, rows, outcome.total));
    if (plan.returnsVoid) return new Response(null, { status: 204, headers });
    headers.set('content-type', format.contentType);
    return new Response(withoutBody ? null : bodyText(plan, outcome), { status, headers });
  }
  const counted = preferences.count === null ? null : rows;
  if (verb !== 'put') {
    const shownRows = verb === 'update' ? rows : 0;
    headers.set('content-range', contentRange(0, shownRows, counted));
  }
  const status = writeStatus(plan, outcome);
  if (preferences.return === 'representation') {
    headers.set('content-type', format.contentType);
    return new Response(bodyText(plan, outcome), { status, headers });
  }
  if (verb === 'insert' && preferences.return === 'headers-only') {
    const where = location(plan, outcome.body);
    if (where !== null) headers.set('location', where);
  }
  return new Response(null, { status, headers });
}

function bodyText({ options, statement }: Plan, { body }: Outcome): string {
  if (options.format.type !== 'csv') return body ?? '';
  return body === null ? statement.header : `${statement.header}\n${body}`;
}
