// The settings `response.status` and `response.headers`, with which database functions change the response.
import { RestError, WITHOUT_BODY } from '#/host/rest/errors.ts';

/** The values of the two settings; each may be empty. */
export interface ResponseSettings {
  status: string;
  headers: string;
}

/** Both settings are cleared at the start of each transaction, because an earlier transaction may have set them for the session. */
export const NO_RESPONSE_SETTINGS = { 'response.status': '', 'response.headers': '' };

const SEPARATOR = '\t';

/** SQL for both settings in one column: the status, a tab, and the headers. It is evaluated after the rows were computed. */
export const RESPONSE_SETTINGS_SQL = `current_setting('response.status') || '${SEPARATOR}' || current_setting('response.headers')`;

/** Parses the column; returns null if neither setting is set. */
export function readResponseSettings(column: string | null): ResponseSettings | null {
  if (column === null || column === SEPARATOR) return null;
  const [status = '', ...headers] = column.split(SEPARATOR);
  return { status, headers: headers.join(SEPARATOR) };
}

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
 * Sets the status and the headers of the response. Existing headers are replaced.
 * @throws PGRST111, PGRST112
 */
export function applyResponseSettings(response: Response, set: ResponseSettings): Response {
  const status = set.status === '' ? response.status : Number(set.status);
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RestError(500, 'PGRST112', 'response.status guc must be a valid status code');
  const headers = new Headers(response.headers);
  const pairs = set.headers === '' ? [] : headerPairs(set.headers);
  try {
    for (const [name] of pairs) headers.delete(name);
    for (const [name, value] of pairs) headers.append(name, value);
  } catch {
    throw new RestError(500, 'PGRST111', 'response.headers has what HTTP cannot carry');
  }
  return new Response(WITHOUT_BODY.has(status) ? null : response.body, { status, headers });
}
