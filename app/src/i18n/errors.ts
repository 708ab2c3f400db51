// Turns whatever the server, the network or the client throws into an AppError, and an AppError into its text.
import { AppError } from '#/core/app-error.ts';
import { hasText, type MessageKey, translate } from '#/i18n/i18n.ts';
import { isOnline } from '#/platform/online.ts';

declare module '#/core/app-error.ts' {
  interface ErrorText {
    key: MessageKey;
  }
}

/** The parts of a failure that the official client may give: PostgREST's, storage's, functions' and auth's. */
export interface Failure {
  code?: string | undefined;
  status?: number | undefined;
  message?: string | undefined;
}

/** What a code means in one call, where that is not its text `errors.<code>`: `{ too_many: 'dogs.form.tooMany' }`. */
export type CodeTexts = Readonly<Record<string, MessageKey>>;

/** A code with a text of its own, `errors.<code>`. */
export type ErrorCode = MessageKey extends infer Key
  ? Key extends `errors.${infer Code}`
    ? Code
    : never
  : never;

/** As browsers say it, the client's functions, and our own fetch when its time is over. */
const NETWORK =
  /failed to fetch|fetch failed|networkerror|network request failed|load failed|failed to send a request|nothing answered in time/i;

/** How browsers report a lazily loaded file that could not be loaded. */
const MODULE = /dynamically imported module|importing a module script/i;

/** Codes of PostgreSQL, PostgREST and our functions that say the same as another code. */
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

/** The status of codes that screens tell by it, whatever status the answer came with. */
const STATUS_OF: Partial<Record<ErrorCode, number>> = {
  session_expired: 401,
  second_factor_required: 403,
  access_denied: 403,
  too_many: 429,
};

/** The text of a code, or null where the catalogues have none: a new code needs only its texts. */
export function keyOfCode(code: string | undefined): MessageKey | null {
  const key = `errors.${code ?? ''}`;
  return hasText(key) ? key : null;
}

/** What has no text is unexpected, with status 500. @param texts what codes mean in this call */
export function toAppError(thrown: unknown, texts: CodeTexts = {}): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, status, message } = failureOf(thrown);
  // While the device is online, a newer build has replaced the file.
  if (MODULE.test(message ?? '') && isOnline())
    return new AppError('errors.part_missing', 503, { cause: thrown });
  if (isNetworkFailure(thrown)) return new AppError('errors.offline', 503, { cause: thrown });
  for (const name of [message, code]) {
    if (name === undefined) continue;
    const own = texts[name];
    if (own) return new AppError(own, status ?? 400, { cause: thrown });
    const meant = SAME_AS[name] ?? name;
    const key = keyOfCode(meant);
    if (key)
      return new AppError(key, STATUS_OF[meant as ErrorCode] ?? status ?? 400, { cause: thrown });
  }
  const byStatus = status === undefined ? undefined : BY_STATUS[status];
  if (byStatus) return new AppError(`errors.${byStatus}`, status, { cause: thrown });
  return new AppError('errors.unexpected', 500, { cause: thrown });
}

/** True when nothing answered: the request never reached a server, or the device is offline. */
export function isNetworkFailure(thrown: unknown): boolean {
  const { status, message } = failureOf(thrown);
  return (
    status === 0 ||
    (status === undefined && (NETWORK.test(message ?? '') || MODULE.test(message ?? '')))
  );
}

/**
 * Whether a request may be sent again or queued: true when the device has no network, or the answer was lost, so that the
 * command may already be done.
 */
export const hasNoResponse = (thrown: unknown): boolean => toAppError(thrown).status === 503;

export function errorText(thrown: unknown, texts?: CodeTexts): string {
  const { key, values } = toAppError(thrown, texts);
  return translate(key, values);
}

/** What the official client answers: data, or what went wrong. */
export interface Answer {
  data: unknown;
  error: unknown;
  status?: number;
}

/** The data of an answer of the official client, as the generated types know it. Throws AppError when the answer is a failure. */
export function unwrap<A extends Answer>(
  answer: A,
  texts?: CodeTexts,
): Extract<A, { error: null }>['data'] {
  if (answer.error === null) return answer.data;
  const failure = failureOf(answer.error);
  throw toAppError({ ...failure, status: failure.status ?? answer.status }, texts);
}

function failureOf(thrown: unknown): Failure {
  if (typeof thrown === 'string') return { message: thrown };
  if (typeof thrown !== 'object' || thrown === null) return {};
  const { code, status, statusCode, message, context } = thrown as Record<string, unknown>;
  // Storage says statusCode as text; a function's failure hides its Response in `context`.
  const response = typeof context === 'object' ? (context as { status?: unknown } | null) : null;
  const number = [status, response?.status, statusCode].map(Number).find((n) => Number.isFinite(n));
  return {
    code: typeof code === 'string' ? code : undefined,
    status: number,
    message: typeof message === 'string' ? message : undefined,
  };
}
