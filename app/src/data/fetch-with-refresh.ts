// The fetch of the official client: never waits for ever, renews a session that only the server calls old, and keeps renewals for when there is a network.
import { type Refusal, saysExpired } from '#/data/retry-policy.ts';
import { ownerOf } from '#/data/session/session-rules.ts';
import { whenOnline } from '#/platform/online.ts';

/** Nobody looks at a spinner for longer; an answer that comes later is lost, and the keys of a repeat make that harmless. */
const LATEST_MS = 15_000;
/** A copy of all my data takes its time. */
const FUNCTION_LATEST_MS = 60_000;

/**
 * @param renew gives a new access token, or null when there is none to be had
 * @param latestMs how long an answer may take, its last byte included
 */
export function fetchWithRefresh(
  renew: () => Promise<string | null>,
  latestMs = LATEST_MS,
): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    // A renewal that fails is not tried again for a minute, so it had better not fail for want of a network.
    if (search.includes('grant_type=refresh_token')) await whenOnline();
    const latest = pathname.startsWith('/functions/') ? FUNCTION_LATEST_MS : latestMs;
    const response = await timed(input, init, latest);
    if (![400, 401].includes(response.status) || pathname.includes('/auth/v1/')) return response;
    // This device's clock is behind: the session looks fresh here and is not.
    if (!saysExpired(response.status, await refusal(response))) return response;
    const headers = new Headers(init.headers);
    const token = await renew();
    // Another tab may have logged somebody else in meanwhile: what one asked for does not go out as another's.
    if (!token || ownerOf(token) !== ownerOf(headers.get('authorization'))) return response;
    headers.set('authorization', `Bearer ${token}`);
    return timed(input, { ...init, headers }, latest);
  };
}

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
    // The clock goes on when the answer begins: its end may never come, either. Once it is here, stopping it does nothing.
    return await fetch(input, { ...init, signal: stop.signal });
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}
