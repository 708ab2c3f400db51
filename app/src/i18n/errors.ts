// What went wrong, as a text of the catalogue and a status: everything the server, the network or we ourselves can throw becomes one of these.
import { type MessageArguments, type MessageKey, translate } from '#/i18n/i18n.ts';

export class AppError extends Error {
  readonly key: MessageKey;
  readonly status: number;
  readonly values: MessageArguments;

  /** @param status HTTP's meaning; 400 unless said otherwise */
  constructor(
    key: MessageKey,
    status = 400,
    { values = {}, cause }: { values?: MessageArguments; cause?: unknown } = {},
  ) {
    super(`${key} (${status})`, { cause });
    this.name = 'AppError';
    this.key = key;
    this.status = status;
    this.values = values;
  }
}

/** The parts of a failure that the official client may give: PostgREST's, storage's, functions' and auth's. */
export interface Failure {
  code?: string | undefined;
  status?: number | undefined;
  message?: string | undefined;
}

/** Texts for the codes that an RPC raises, such as `{ already_friends: 'users.error.alreadyFriends' }`. */
export type CodeTexts = Readonly<Record<string, MessageKey>>;

/** As browsers say it, the client's functions, and our own fetch when its time is over. */
const NETWORK =
  /failed to fetch|fetch failed|networkerror|network request failed|load failed|failed to send a request|nothing answered in time/i;

/** Codes with one meaning everywhere; SQLSTATE, PostgREST's and our own. */
const CODES: Readonly<Record<string, [MessageKey, number]>> = {
  PGRST301: ['errors.sessionExpired', 401],
  PGRST303: ['errors.sessionExpired', 401],
  PGRST302: ['errors.sessionExpired', 401],
  session_expired: ['errors.sessionExpired', 401],
  session_not_found: ['errors.sessionExpired', 401],
  not_logged_in: ['errors.sessionExpired', 401],
  second_factor_required: ['auth.error.secondFactorNeeded', 403],
  '42501': ['errors.accessDenied', 403],
  too_many: ['errors.tooManyAttempts', 429],
};

const STATUSES: Readonly<Record<number, MessageKey>> = {
  401: 'errors.sessionExpired',
  403: 'errors.accessDenied',
  413: 'errors.imageTooLarge',
  429: 'errors.tooManyAttempts',
};

/**
 * Any thrown thing as an AppError. What nothing here knows is the dog's fault, with status 500.
 * @param texts this call's own codes; a P0001 error carries its code as the message
 */
export function toAppError(thrown: unknown, texts: CodeTexts = {}): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, status, message } = failureOf(thrown);
  if (isNetworkFailure(thrown)) return new AppError('errors.offline', 503, { cause: thrown });
  for (const name of [message, code]) {
    const own = name === undefined ? undefined : texts[name];
    if (own) return new AppError(own, status ?? 400, { cause: thrown });
    const known = name === undefined ? undefined : CODES[name];
    if (known) return new AppError(known[0], known[1], { cause: thrown });
  }
  const byStatus = status === undefined ? undefined : STATUSES[status];
  if (byStatus) return new AppError(byStatus, status, { cause: thrown });
  return new AppError('errors.dogAteTheCode', 500, { cause: thrown });
}

/** True when nothing answered: the request never reached a server, or the device is offline. */
export function isNetworkFailure(thrown: unknown): boolean {
  const { status, message } = failureOf(thrown);
  return status === 0 || (status === undefined && NETWORK.test(message ?? ''));
}

/**
 * The one answer to 'was there an answer?', for whatever may be sent again or kept: true when the device has no network,
 * believes so, or the answer was lost, so that the deed may even be done.
 */
export const isUnanswered = (thrown: unknown): boolean => toAppError(thrown).status === 503;

/** The text to show for any thrown thing, in the current language. */
export function errorText(thrown: unknown, texts?: CodeTexts): string {
  const { key, values } = toAppError(thrown, texts);
  return translate(key, values);
}

/** What the official client answers: data, or what went wrong. */
interface Answer {
  data: unknown;
  error: unknown;
  status?: number;
}

/**
 * The data of an answer of the official client, as the generated types know it.
 * @throws AppError when the answer is a failure
 */
export function unwrap<A extends Answer>(
  answer: A,
  texts?: CodeTexts,
): Extract<A, { error: null }>['data'] {
  if (answer.error === null) return answer.data;
  const failure = failureOf(answer.error);
  throw toAppError({ ...failure, status: failure.status ?? answer.status }, texts);
}

/**
 * The same for a function that answers JSON, whose shape only its migration tells.
 * @throws AppError
 */
export const unwrapJson = <T>(answer: Answer, texts?: CodeTexts): T => unwrap(answer, texts) as T;

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
