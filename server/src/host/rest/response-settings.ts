// What functions of the database decide about the answer: the settings `response.status` and `response.headers`.
import { RestError } from '#/host/rest/errors.ts';

/** The settings' texts as the statement returns them. */
export interface ResponseSettings {
  status: string | null;
  headers: string | null;
}

/** The settings' names with their empty values, by which each transaction begins: one set for a whole session ends here. */
export const NO_RESPONSE_SETTINGS = { 'response.status': '', 'response.headers': '' };

/** Both settings in one column, read after the rows have been made; null where neither is set. */
export const RESPONSE_SETTINGS_SQL = `case when current_setting('response.status', true) <> '' or current_setting('response.headers', true) <> '' then json_build_object('status', nullif(current_setting('response.status', true), ''), 'headers', nullif(current_setting('response.headers', true), ''))::text end`;

/** Statuses that HTTP gives no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** @throws PGRST111 */
function headerPairs(text: string): [name: string, value: string][] {
  try {
    const list = JSON.parse(text) as unknown;
    if (!Array.isArray(list)) throw new TypeError('not a list');
    return list.map((each: unknown) => {
      const [pair, more] = Object.entries(each as Record<string, unknown>);
      if (!pair || more || Array.isArray(each) || typeof pair[1] !== 'string')
        throw new TypeError('not a pair');
      return [pair[0], pair[1]];
    });
  } catch {
    throw new RestError(
      500,
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    );
  }
}

/**
 * The answer with the status and the headers that were set; a header that was set takes the place of the answer's own.
 * @throws PGRST111, PGRST112
 */
export function applyResponseSettings(response: Response, set: ResponseSettings): Response {
  const status = set.status === null ? response.status : Number(set.status);
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RestError(500, 'PGRST112', 'response.status guc must be a valid status code');
  const headers = new Headers(response.headers);
  const pairs = set.headers === null ? [] : headerPairs(set.headers);
  try {
    for (const [name] of pairs) headers.delete(name);
    for (const [name, value] of pairs) headers.append(name, value);
  } catch {
    throw new RestError(500, 'PGRST111', 'response.headers has what HTTP cannot carry');
  }
  return new Response(WITHOUT_BODY.has(status) ? null : response.body, { status, headers });
}
