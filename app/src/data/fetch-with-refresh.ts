// The fetch function of the official client: adds a timeout, and refreshes a session that only the server considers expired.
import { noteRejection } from '#/core/app-error.ts';
import { isPage } from '#/core/is-page.ts';
import { type Rejection, isTokenExpired } from '#/data/retry-policy.ts';
import { ownerOf } from '#/data/session/session-rules.ts';
import type { Supabase } from '#/data/supabase.ts';
import { whenOnline } from '#/platform/online.ts';

/** Requests are aborted after this time. Commands have idempotency keys, so retrying them is safe. */
const TIMEOUT_MS = 15_000;
/** Exporting a user's data takes longer than other requests. */
const FUNCTION_TIMEOUT_MS = 60_000;

/**
 * Returns a new access token after the server has rejected the old one as expired, or null. This device's clock may be slow, so the
 * client still considers the session fresh.
 * @param owner ID of the user who sent the request: another tab may have logged in another user in the meantime
 */
export async function refreshToken(client: Supabase, owner: string | null): Promise<string | null> {
  const { session } = (await client.auth.refreshSession()).data;
  return session && session.user.id === owner ? session.access_token : null;
}

/** @param refresh returns a new access token of the same user, or null @param timeoutMs timeout including the body */
export const fetchWithRefresh =
  (
    refresh: (owner: string | null) => Promise<string | null>,
    timeoutMs = TIMEOUT_MS,
  ): typeof fetch =>
  async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    // The client waits a minute after a failed refresh, so send the refresh only once the device is online.
    if (search.includes('grant_type=refresh_token')) await whenOnline();
    const timeout = pathname.startsWith('/functions/') ? FUNCTION_TIMEOUT_MS : timeoutMs;
    const response = await timed(input, init, timeout);
    // The API never returns HTML. Such a response comes from a captive portal, or from a proxy that cannot reach the host.
    if (isPage(response)) throw new TypeError('Failed to fetch: received a web page');
    if (![400, 401].includes(response.status) || pathname.includes('/auth/v1/')) return response;
    if (!isTokenExpired(response.status, await readRejection(response))) return response;
    const headers = new Headers(init.headers);
    const token = await refresh(ownerOf(headers.get('authorization')));
    if (!token) return response;
    headers.set('authorization', `Bearer ${token}`);
    return timed(input, { ...init, headers }, timeout);
  };

async function readRejection(response: Response): Promise<Rejection> {
  try {
    return (await response.clone().json()) as Rejection;
  } catch {
    return {};
  }
}

/** @throws a DOMException 'AbortError' on a timeout */
async function timed(
  input: RequestInfo | URL,
  init: RequestInit,
  timeout: number,
): Promise<Response> {
  const stop = new AbortController();
  const forward = () => stop.abort(init.signal?.reason);
  if (init.signal?.aborted) forward();
  init.signal?.addEventListener('abort', forward, { once: true });
  const timer = setTimeout(
    () => stop.abort(new DOMException('Request timed out', 'AbortError')),
    timeout,
  );
  try {
    // The timer keeps running, so that it also limits reading the body. Aborting after the last byte has no effect.
    const response = await fetch(input, { ...init, signal: stop.signal });
    if (!response.ok) noteRejection(response.status, response.headers.get('sb-request-id'));
    return response;
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}
