// Errors of the auth service and the two formats in which GoTrue returns them.
import { json } from '#/host/lib/http.ts';

const VERSION_HEADER = 'x-supabase-api-version';
const VERSION = '2024-01-01';

/** An error for the client: an HTTP status, one of GoTrue's codes and a message. */
export class AuthError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;

  /** @param details additional members of the response, such as `weak_password` */
  constructor(
    status: number,
    code: string,
    message: string,
    details: Record<string, unknown> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const invalid = (message: string) => new AuthError(400, 'validation_failed', message);

/** Accounts have no phone numbers. @throws AuthError 400 phone_provider_disabled */
export function rejectPhone(phone: string): void {
  if (phone !== '')
    throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
}

// PostgreSQL's error classes for invalid or too large data, which are errors of the client.
const INVALID_DATA = /^(22|23|P0)/;
const TOO_LARGE = /^54/;

/** Returns the error response if PostgreSQL rejected the client's data; null for other errors. */
export function invalidDataError(error: unknown): AuthError | null {
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && INVALID_DATA.test(code))
    return new AuthError(422, 'validation_failed', 'The database rejected the data');
  if (error instanceof RangeError || (typeof code === 'string' && TOO_LARGE.test(code)))
    return invalid('What was sent is too much to be processed');
  return null;
}

/** Returns GoTrue's error response: `{code, message}` for clients of 2024 and later, otherwise `{code, error_code, msg}`. */
export function errorResponse(error: AuthError, request: Request): Response {
  const { status, code, message, details } = error;
  const headers = new Headers({ 'x-sb-error-code': code });
  if ((request.headers.get(VERSION_HEADER) ?? '') < VERSION)
    return json({ code: status, error_code: code, msg: message, ...details }, status, headers);
  headers.set(VERSION_HEADER, VERSION);
  return json({ code, message, ...details }, status, headers);
}
