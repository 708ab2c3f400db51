// The fetch of the official client: ends requests that take too long, and renews a session that only the server calls old.
import { isPage } from '#/core/is-page.ts';
import { type Refusal, saysExpired } from '#/data/retry-policy.ts';
import { ownerOf } from '#/data/session/session-rules.ts';
import type { Supabase } from '#/data/supabase.ts';
import { whenOnline } from '#/platform/online.ts';

/** An answer that comes later is lost; commands carry keys, so that a repeat does nothing twice. */
const LATEST_MS = 15_000;
/** The export of a person's data takes longer than other requests. */
const FUNCTION_LATEST_MS = 60_000;

/**
 * A new access token for a request that the server refused because its token is old, or null. This device's clock may be
 * behind, so that the client still takes the session for fresh.
 * @param owner whose request it is: another tab may have logged another person in meanwhile
 */
export async function renewToken(client: Supabase, owner: string | null): Promise<string | null> {
  const { session } = (await client.auth.refreshSession()).data;
  return session && session.user.id === owner ? session.access_token : null;
}

/** `renew`: gives a new access token of the same person, or null. `latestMs`: how long an answer may take, its last byte included. */
export const fetchWithRefresh =
  (renew: (owner: string | null) => Promise<string | null>, latestMs = LATEST_MS): typeof fetch =>
  async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    // The client does not repeat a failed renewal for a minute, so it is only sent when there is a network.
    if (search.includes('grant_type=refresh_token')) await whenOnline();
    const latest = pathname.startsWith('/functions/') ? FUNCTION_LATEST_MS : latestMs;
    const response = await timed(input, init, latest);
    // The host answers no pages here: a network that asks for a login of its own does, or a proxy whose host is gone.
    if (isPage(response)) throw new TypeError('Failed to fetch: a page came instead of an answer');
    if (![400, 401].includes(response.status) || pathname.includes('/auth/v1/')) return response;
    if (!saysExpired(response.status, await refusal(response))) return response;
    const headers = new Headers(init.headers);
    const token = await renew(ownerOf(headers.get('authorization')));
    if (!token) return response;
    headers.set('authorization', `Bearer ${token}`);
    return timed(input, { ...init, headers }, latest);
  };

async function refusal(response: Response): Promise<Refusal> {
  try {
    return (await response.clone().json()) as Refusal;
  } catch {
    return {};
  }
}

/** @throws a DOMException 'AbortError' when nothing answered in time */
async function timed(
  input: RequestInfo | URL,
  init: RequestInit,
  latest: number,
): Promise<Response> {
  const stop = new AbortController();
  const forward = () => stop.abort(init.signal?.reason);
  if (init.signal?.aborted) forward();
  init.signal?.addEventListener('abort', forward, { once: true });
  const timer = setTimeout(
    () => stop.abort(new DOMException('Nothing answered in time', 'AbortError')),
    latest,
  );
  try {
    // The timer also limits how long the body takes. After the last byte an abort does nothing.
    return await fetch(input, { ...init, signal: stop.signal });
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}
