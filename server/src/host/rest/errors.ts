// Errors in PostgREST's format, and the HTTP status of each PostgreSQL error.
import type pg from 'pg';
import { DISK_FULL, isDiskFull } from '#/host/lib/disk.ts';
import { json } from '#/host/lib/http.ts';

export const WITHOUT_BODY = new Set([204, 205, 304]);

/** An error response with the members `code`, `message`, `details` and `hint`. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: unknown; hint?: string | null; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.headers = more.headers ?? {};
  }
}

/** Thrown if a name is missing in the schema cache. The schema is then reloaded and the request retried once. */
export class UnknownNameError extends RestError {}

export const unknownColumn = (relation: string, column: string): UnknownNameError =>
  new UnknownNameError(400, '42703', `column ${relation}.${column} does not exist`);

export const badBody = (message: string, status = 400): RestError =>
  new RestError(status, 'PGRST102', message);

export const badRange = (details: string): RestError =>
  new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details });

/** PGRST116: the request expects exactly one row, but the result has `count` rows. */
export const notOneRow = (count: number): RestError =>
  new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${count} rows`,
  });

/**
 * HTTP statuses and the SQLSTATEs or their classes that cause them; all others become 400. PostgREST responds with 500 to some
 * errors that only the request can cause (54, 55, 40, 21000, P0, 57014); this host responds with 4xx or 504.
 */
const STATES: Record<number, string> = {
  403: '0L 0P 28',
  404: '42883 42P01',
  405: '25006',
  409: '23503 23505 40',
  500: '42P17 53400 09 25 2D 38 39 3B 57 58 F0 HV XX',
  503: '57P01 08 53',
  504: '57014',
};
const STATUS_BY_STATE = new Map(
  Object.entries(STATES).flatMap(([status, states]) =>
    states.split(' ').map((state) => [state, Number(status)] as const),
  ),
);

function statusOf(state: string, anonymous: boolean): number {
  if (state === '42501') return anonymous ? 401 : 403;
  const custom = /^PT(\d{3})$/.exec(state);
  if (custom) {
    const status = Number(custom[1]);
    return status >= 200 && status <= 599 ? status : 500;
  }
  return STATUS_BY_STATE.get(state) ?? STATUS_BY_STATE.get(state.slice(0, 2)) ?? 400;
}

/** Returns the response that a function defines in JSON with `raise sqlstate 'PGRST'`. */
function dictated(error: pg.DatabaseError): RestError | null {
  try {
    const body = JSON.parse(error.message) as Record<string, string | null | undefined>;
    const rest = JSON.parse(error.detail ?? '') as {
      status: number;
      headers?: Record<string, string>;
    };
    if (typeof body.code !== 'string' || typeof body.message !== 'string') return null;
    if (!Number.isInteger(rest.status) || rest.status < 200 || rest.status > 599) return null;
    const { details = null, hint = null } = body;
    return new RestError(rest.status, body.code, body.message, {
      details,
      hint,
      headers: rest.headers ?? {},
    });
  } catch {
    return null;
  }
}

function rejected(
  state: string,
  message: string,
  anonymous: boolean,
  more: { details?: unknown; hint?: string | null } = {},
): RestError {
  const status = statusOf(state, anonymous);
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
  return new RestError(status, state, message, { ...more, ...(headers && { headers }) });
}

/**
 * Returns the response to a PostgreSQL error.
 * @param anonymous true for an anonymous caller; the status for a missing privilege is then 401
 */
export function fromDatabase(error: pg.DatabaseError, anonymous: boolean): RestError {
  const state = error.code ?? 'XX000';
  if (state === 'PGRST')
    return (
      dictated(error) ??
      new RestError(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error')
    );
  if (isDiskFull(error)) return new RestError(507, state, DISK_FULL);
  return rejected(state, error.message, anonymous, {
    // The details are omitted if they contain the row, which may have columns that the caller must not read.
    details: error.detail?.startsWith('Failing row contains') ? null : (error.detail ?? null),
    hint: error.hint ?? null,
  });
}

/** 42501: the caller has no privilege to write to the view. */
export const noPrivilege = (view: string, anonymous: boolean): RestError =>
  rejected('42501', `permission denied for view ${view}`, anonymous);

/**
 * Converts the error to a response. Like PostgREST, it repeats the code in Proxy-Status, because a response to HEAD has no body.
 */
export function errorResponse(error: RestError): Response {
  const { status, code, message, details, hint } = error;
  const headers = new Headers({
    'proxy-status': `PostgREST; error=${code.replace(/[^\w-]/g, '')}`,
  });
  for (const [name, value] of Object.entries(error.headers)) {
    try {
      headers.set(name, value);
    } catch {
      // Headers that HTTP does not allow are omitted, so that the response does not fail.
    }
  }
  return WITHOUT_BODY.has(status)
    ? new Response(null, { status, headers })
    : json({ code, message, details, hint }, status, headers);
}
