// Reads the request's body up to a size limit and validates its JSON. The body is passed to PostgreSQL as text.
import { BodyTooLargeError, readBody } from '#/host/lib/http.ts';
import { JsonDepthError, parseJson } from '#/host/lib/json-problem.ts';
import { badBody } from '#/host/rest/errors.ts';

export interface Payload {
  text: string;
  isArray: boolean;
  /** The keys of the body's objects; empty if the body is neither an object nor an array of objects. */
  keys: string[];
  rows: number;
  isObject: boolean;
}

/** Anonymous callers only send a few arguments of functions. */
const MAX_BODY_BYTES = { anonymous: 64_000, known: 1_000_000 };

/** Reads the body as text. @throws PGRST102 (not UTF-8), 413 */
export async function readText(request: Request, anonymous: boolean): Promise<string> {
  const limit = MAX_BODY_BYTES[anonymous ? 'anonymous' : 'known'];
  const bytes = await readBody(request, limit).catch((error: unknown) => {
    throw error instanceof BodyTooLargeError ? badBody(error.message, 413) : error;
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badBody('The body is not valid UTF-8');
  }
}

/** Validates a JSON body and lists its keys. @throws PGRST102 */
export function inspectJson(text: string, sameKeys: boolean): Payload {
  let value: unknown;
  try {
    value = parseJson(text === '' ? '{}' : text);
  } catch (error) {
    throw badBody(error instanceof JsonDepthError ? error.message : 'Empty or invalid json');
  }
  const isArray = Array.isArray(value);
  const objects: unknown[] = isArray ? (value as unknown[]) : [value];
  const isObject = objects.every(
    (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
  const [first] = objects;
  const keys = isObject && first !== undefined ? Object.keys(first as object) : [];
  if (sameKeys && isObject) {
    const wanted = new Set(keys);
    for (const each of objects) {
      const own = Object.keys(each as object);
      if (own.length !== wanted.size || own.some((key) => !wanted.has(key)))
        throw badBody('All object keys must match');
    }
  }
  return { text: text === '' ? '{}' : text, isArray, keys, rows: objects.length, isObject };
}
