// Converts errors of the server, the network or the client to an AppError, and an AppError to its message.
import { AppError, rejectionId } from '#/core/app-error.ts';
import { hasText, type MessageKey, translate } from '#/i18n/i18n.ts';
import { isHostReachable, isOnline } from '#/platform/online.ts';

declare module '#/core/app-error.ts' {
  interface ErrorText {
    key: MessageKey;
  }
}

/** Fields of errors from PostgREST, storage, functions and auth. */
export interface Failure {
  code?: string | undefined;
  status?: number | undefined;
  message?: string | undefined;
}

/** Messages of one call for codes whose usual message `errors.<code>` does not fit: `{ too_many: 'dogs.form.tooMany' }`. */
export type CodeTexts = Readonly<Record<string, MessageKey>>;

/** A code that has a message, `errors.<code>`. */
export type ErrorCode = MessageKey extends infer Key
  ? Key extends `errors.${infer Code}`
    ? Code
    : never
  : never;

/** Matches network errors of browsers and of the client's functions, and the app's own timeout. */
const NETWORK =
  /failed to fetch|fetch failed|networkerror|network request failed|load failed|failed to send a request|request timed out/i;

/** How browsers report a dynamic import that failed to load. */
const MODULE = /dynamically imported module|importing a module script/i;

/** Codes of PostgreSQL, PostgREST and the database's functions that mean the same as another code. */
const SAME_AS: Readonly<Record<string, ErrorCode>> = {
  PGRST301: 'session_expired',
  PGRST302: 'session_expired',
  PGRST303: 'session_expired',
  session_not_found: 'session_expired',
  not_logged_in: 'session_expired',
  '42501': 'access_denied',
  invite_not_found: 'invite_expired',
};

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'session_expired',
  403: 'access_denied',
  413: 'image_too_large',
  429: 'too_many',
};

/** Statuses of codes that screens recognise by status. They replace the status of the response. */
const STATUS_OF: Partial<Record<ErrorCode, number>> = {
  session_expired: 401,
  second_factor_required: 403,
  access_denied: 403,
  too_many: 429,
};

/** The message key of a code, or null if there is none. A new code needs only its message. */
export function keyOfCode(code: string | undefined): MessageKey | null {
  const key = `errors.${code ?? ''}`;
  return hasText(key) ? key : null;
}

/** Errors without a message become unexpected errors with status 500. @param texts messages for codes in this call */
export function toAppError(thrown: unknown, texts: CodeTexts = {}): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, status, message } = failureOf(thrown);
  const id = rejectionId(status);
  const details = { ...(id && { values: { id } }), cause: thrown };
  // If the device is online, the file is missing because a newer build has replaced it.
  if (MODULE.test(message ?? '') && isOnline())
    return new AppError('errors.part_missing', 503, { cause: thrown });
  if (isNetworkFailure(thrown)) return new AppError('errors.offline', 503, { cause: thrown });
  for (const name of [message, code]) {
    if (name === undefined) continue;
    const own = texts[name];
    if (own) return new AppError(own, status ?? 400, { cause: thrown });
    const synonym = SAME_AS[name] ?? name;
    const key = keyOfCode(synonym);
    if (key) return new AppError(key, STATUS_OF[synonym as ErrorCode] ?? status ?? 400, details);
  }
  const byStatus = status === undefined ? undefined : BY_STATUS[status];
  if (byStatus) return new AppError(`errors.${byStatus}`, status, details);
  return new AppError('errors.unexpected', 500, details);
}

/**
 * The error for an app file that failed to load: offline if the host is unreachable, otherwise a newer build has replaced the file.
 */
export const missingPart = async (cause?: unknown): Promise<AppError> =>
  new AppError((await isHostReachable()) ? 'errors.part_missing' : 'errors.offline', 503, {
    cause,
  });

/** True if there was no response: the request never reached a server, or the device is offline. */
export function isNetworkFailure(thrown: unknown): boolean {
  const { status, message } = failureOf(thrown);
  return (
    status === 0 ||
    (status === undefined && (NETWORK.test(message ?? '') || MODULE.test(message ?? '')))
  );
}

/**
 * True if a request may be retried or queued: the device is offline, or the response was lost, so the command may have been
 * executed already.
 */
export const hasNoResponse = (thrown: unknown): boolean => toAppError(thrown).status === 503;

/** The message. If it does not say what to do, the request's ID follows on the next line, for a report to the operator. */
export function errorText(thrown: unknown, texts?: CodeTexts): string {
  const { key, values } = toAppError(thrown, texts);
  const text = translate(key, values);
  return values.id && /unexpected|denied|server_error/.test(key)
    ? `${text}\n${translate('errors.id', { id: values.id })}`
    : text;
}

/** A response of the official client: data or an error. */
export interface ClientResponse {
  data: unknown;
  error: unknown;
  status?: number;
}

/** Data of a response, typed by the generated types. @throws AppError if the response is an error */
export function unwrap<A extends ClientResponse>(
  response: A,
  texts?: CodeTexts,
): Extract<A, { error: null }>['data'] {
  if (response.error === null) return response.data;
  const failure = failureOf(response.error);
  throw toAppError({ ...failure, status: failure.status ?? response.status }, texts);
}

export function failureOf(thrown: unknown): Failure {
  if (typeof thrown === 'string') return { message: thrown };
  if (typeof thrown !== 'object' || thrown === null) return {};
  const { code, status, statusCode, message, context } = thrown as Record<string, unknown>;
  // Storage errors have a statusCode string, and errors of functions have their Response in `context`.
  const response = typeof context === 'object' ? (context as { status?: unknown } | null) : null;
  const number = [status, response?.status, statusCode].map(Number).find((n) => Number.isFinite(n));
  return {
    code: typeof code === 'string' ? code : undefined,
    status: number,
    message: typeof message === 'string' ? message : undefined,
  };
}
