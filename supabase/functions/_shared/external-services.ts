// Calls to external services: with our user agent, a timeout, and no redirects.
import { HttpError } from './serve.ts';

const TIMEOUT_MS = 5000;
const MAX_BYTES = 1_000_000;

/**
 * Parses the JSON of a response. Reads at most one megabyte, because an external service may send an endless body.
 * @throws Error whose message does not quote the response, which may contain a location
 */
export async function jsonOf({ body }: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.length > MAX_BYTES) throw new Error('the response is too large');
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    throw new Error('the response is not JSON');
  }
}

/**
 * Requests JSON by GET.
 * @throws HttpError 503 if that fails for any reason
 */
export async function fetchExternal(
  url: URL,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const site = Deno.env.get('SITE_URL');
  try {
    const response = await fetch(url, {
      // Public services require a user agent that identifies the site.
      headers: { 'user-agent': `Packpark/1.0${site ? ` (+${site})` : ''}`, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    return await jsonOf(response);
  } catch (error) {
    console.warn(`${url.hostname} does not respond: ${(error as Error).message}`);
    throw new HttpError(503, 'The service is not available right now');
  }
}

/** Parses a latitude or longitude from the query: a number within ±`limit`. @throws HttpError 400 */
export function degrees(text: string | null | undefined, limit: 90 | 180): number {
  const value = Number(text || Number.NaN);
  if (!(Math.abs(value) <= limit)) throw new HttpError(400, 'Latitude or longitude is wrong');
  return value;
}
