// Asks a function of the database that answers everybody alike, without a session and without the client library.
import { AppError } from '#/core/app-error.ts';
import { toAppError, type Failure } from '#/i18n/errors.ts';
import { getConfig } from '#/platform/config.ts';
import { isOnline } from '#/platform/online.ts';

const LATEST_MS = 15_000;

/**
 * A plain GET with nothing of the caller in it, so that caches on the way can share the answer. It carries no header of its
 * own: those would be most of its bytes, and before them browsers ask another host for permission. For the same reason it says
 * nothing of languages.
 * @returns the parsed JSON, unchecked
 * @throws {AppError}
 */
export async function publicAnswer(
  name: string,
  parameters: Record<string, string>,
): Promise<unknown> {
  if (!isOnline()) throw new AppError('errors.offline', 503);
  const { supabaseUrl, anonKey } = getConfig();
  const query = new URLSearchParams({ ...parameters, apikey: anonKey });
  try {
    const response = await fetch(`${supabaseUrl}/rest/v1/rpc/${name}?${query}`, {
      headers: { 'accept-language': '*' },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(LATEST_MS),
    });
    if (response.ok) return await response.json();
    const failure = (await response.json().catch(() => ({}))) as Failure;
    throw toAppError({ ...failure, status: response.status });
  } catch (error) {
    // A time that is over is a network that does not answer.
    if (error instanceof DOMException) throw new AppError('errors.offline', 503, { cause: error });
    throw toAppError(error);
  }
}
