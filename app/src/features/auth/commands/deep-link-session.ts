// Turns a deep link into a session, if it belongs to a login that this app started or whose verifier it holds.
import type { AuthError } from '@supabase/supabase-js';
import type { DeepLink } from '#/features/auth/deep-link.ts';
import { noteNewcomer } from '#/features/auth/commands/sign-in.ts';
import { takeExpected } from '#/features/auth/expected-link.ts';
import { fetchOwnUser, getSession, sessionReady, watchSession } from '#/data/session/session.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import { isOnline } from '#/platform/online.ts';
import { supabase } from '#/data/supabase.ts';

const LOGIN = '/login?mode=login';
/** The client's storage key for the PKCE verifier of a login in progress. */
const VERIFIER = `${SESSION_KEY}-code-verifier`;

interface Arrived {
  /** The path to navigate to: / if the link is invalid, or the login if the device is offline or fetching the link's user fails. */
  to: string;
  /** False if the link was rejected or has failed. */
  ok: boolean;
  /** True if the link was not used because there was no network, so it is still valid. */
  offline?: boolean;
}

const REJECTED: Arrived = { to: '/', ok: false };

/** Navigates to / if the link is invalid. Never throws. */
export async function sessionFromDeepLink(
  link: Exclude<DeepLink, { type: 'screen' }>,
): Promise<Arrived> {
  // Without a network, the attempt would fail but use up the secret of the expected link.
  if (!isOnline()) return { to: LOGIN, ok: false, offline: true };
  try {
    await watchSession();
    if (link.type === 'mail')
      return link.code ? await leadTo(await exchange(link.code), link.next) : REJECTED;
    if (!(await takeExpected(link.secret))) {
      console.warn('A login link was rejected, because this app did not request it');
      return REJECTED;
    }
    const { code, tokens } = link.link;
    if (code) return await leadTo(await exchange(code), '/profile');
    const { auth } = await supabase();
    if (tokens) return await leadTo((await auth.setSession(tokens)).error, '/profile');
  } catch (error) {
    console.warn('A link could not become a session:', error);
  }
  return REJECTED;
}

/**
 * Exchanges a code for a session. Restores the verifier after a failure, because an attacker's code must not end a login in
 * progress.
 */
async function exchange(code: string): Promise<AuthError | null> {
  const client = await supabase();
  const { deviceStorage } = await import('#/platform/native-session-storage.ts');
  const verifier = await deviceStorage.getItem(VERIFIER);
  const { error } = await client.auth.exchangeCodeForSession(code);
  if (error && verifier) await deviceStorage.setItem(VERIFIER, verifier);
  return error;
}

async function leadTo(error: AuthError | null, next: '/profile' | '/update-password') {
  if (error) {
    console.warn('A link could not become a session:', error.message);
    return REJECTED;
  }
  const client = await supabase();
  const { data, error: lost } = await client.auth.getUser();
  if (lost || !data.user) return { to: LOGIN, ok: false };
  await sessionReady();
  await noteNewcomer();
  const known = getSession().status !== 'in' || (await fetchOwnUser());
  if (!known) return { to: LOGIN, ok: false };
  return { to: next === '/profile' ? `/profile/${data.user.id}` : next, ok: true };
}
