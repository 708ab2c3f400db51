// Calls a database function that returns the same to everyone, without a session and without the client library.
import { AppError, noteRejection } from '#/core/app-error.ts';
import { toAppError, type Failure } from '#/i18n/errors.ts';
import { getConfig } from '#/platform/config.ts';
import { isOnline } from '#/platform/online.ts';

const TIMEOUT_MS = 15_000;

/**
 * Sends a plain GET without anything about the caller, so shared caches can store the response. It sets no headers, not even for
 * the language, because they would be most of its bytes and require a CORS preflight.
 * @returns the parsed JSON without validation
 * @throws {AppError}
 */
export async function fetchPublicRpc(
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return await response.json();
    noteRejection(response.status, response.headers.get('sb-request-id'));
    const failure = (await response.json().catch(() => ({}))) as Failure;
    throw toAppError({ ...failure, status: response.status });
  } catch (error) {
    // Treat a timeout as being offline.
    if (error instanceof DOMException) throw new AppError('errors.offline', 503, { cause: error });
    throw toAppError(error);
  }
}
