import * as v from 'valibot';
import {
  BodyTooLargeError,
  InvalidJsonError,
  readBody,
  readJson as readJsonBody,
} from '#/host/lib/http.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';

const LIMIT = 100_000;
const METADATA_LIMIT = 8_000;

/** An optional string. Null (which auth-js sends) and undefined become ''. */
export const text = (maxLength = 1000) =>
  v.pipe(
    v.nullish(v.string(), ''),
    v.maxLength(maxLength),
    v.check((value) => !value.includes('\0'), 'must not contain NUL'),
  );

/** Free-form metadata. It is part of every access token, so its size is limited. */
export const metadata = v.nullish(
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.check((data) => JSON.stringify(data).length <= METADATA_LIMIT, 'is too large'),
  ),
);

/** A captcha token, which every unauthenticated request may contain. */
export const security = v.nullish(v.object({ captcha_token: text(10_000) }));

function reject(error: unknown): never {
  if (error instanceof BodyTooLargeError)
    throw new AuthError(413, 'validation_failed', error.message);
  if (!(error instanceof InvalidJsonError)) throw error;
  if (error.path === null)
    throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON');
  throw invalid(`${error.path || 'body'}: ${error.message}`);
}

export const readText = async (request: Request): Promise<string> =>
  (await readBody(request, LIMIT).catch(reject)).toString();

/**
 * Reads and validates a JSON body; an empty body counts as `{}`. @throws AuthError 400 bad_json or validation_failed, 413 above 100
 * KB
 */
export const readJson = <const S extends v.GenericSchema>(
  request: Request,
  schema: S,
): Promise<v.InferOutput<S>> => readJsonBody(request, LIMIT, schema).catch(reject);
