// Requests that return the same to everyone, without a session and without the client library.
import { AppError, noteRejection } from '#/core/app-error.ts';
import { toAppError, type Failure } from '#/i18n/errors.ts';
import { getConfig } from '#/platform/config.ts';
import { isOnline } from '#/platform/online.ts';

const TIMEOUT_MS = 15_000;

/** Sends a plain GET without anything about the caller, so shared caches can store the response. */
async function fetchPublic(
  path: string,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<unknown> {
  if (!isOnline()) throw new AppError('errors.offline', 503);
  const query = new URLSearchParams(parameters);
  try {
    const response = await fetch(`${getConfig().supabaseUrl}/${path}?${query}`, {
      headers: { 'accept-language': '*', ...headers },
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

/**
 * The key is in the URL, because a header would require a CORS preflight.
 * @returns the parsed JSON without validation
 * @throws {AppError}
 */
export const fetchPublicRpc = (name: string, parameters: Record<string, string>) =>
  fetchPublic(`rest/v1/rpc/${name}`, { ...parameters, apikey: getConfig().anonKey });

/** Functions accept the key only as a header. @returns the parsed JSON without validation @throws {AppError} */
export const fetchPublicFunction = (name: string, parameters: Record<string, string>) =>
  fetchPublic(`functions/v1/${name}`, parameters, { apikey: getConfig().anonKey });
