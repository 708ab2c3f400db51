// A deep link becomes a session, where it came from a login that this app began or holds the other half of.
import type { AuthError } from '@supabase/supabase-js';
import type { DeepLink } from '#/features/auth/deep-link.ts';
import { noteNewcomer } from '#/features/auth/commands/sign-in.ts';
import { takeExpected } from '#/features/auth/expected-link.ts';
import { fetchOwnUser, getSession, sessionReady, watchSession } from '#/data/session/session.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import { isOnline } from '#/platform/online.ts';
import { supabase } from '#/data/supabase.ts';

const LOGIN = '/login?mode=login';
/** The client's key for its half of a login that is under way. */
const VERIFIER = `${SESSION_KEY}-code-verifier`;

interface Arrived {
  /** Where to go: / where the link is no good, the login where its user cannot be fetched. */
  to: string;
  /** False where the link was refused or has failed. */
  ok: boolean;
  /** Nothing was tried for want of a network: the same link is still good. */
  offline?: boolean;
}

const REFUSED: Arrived = { to: '/', ok: false };

/** Never throws: a link that is no good leads to /. */
export async function sessionFromDeepLink(
  link: Exclude<DeepLink, { kind: 'screen' }>,
): Promise<Arrived> {
  // A try would use up its secret.
  if (!isOnline()) return { to: LOGIN, ok: false, offline: true };
  try {
    await watchSession();
    if (link.kind === 'mail')
      return link.code ? await leadTo(await exchange(link.code), link.next) : REFUSED;
    if (!(await takeExpected(link.secret))) {
      console.warn('A link that would log somebody in was refused: this app did not ask for it');
      return REFUSED;
    }
    const { code, tokens } = link.link;
    if (code) return await leadTo(await exchange(code), '/profile');
    const { auth } = await supabase();
    if (tokens) return await leadTo((await auth.setSession(tokens)).error, '/profile');
  } catch (error) {
    console.warn('A link could not become a session:', error);
  }
  return REFUSED;
}

/** A failure leaves the verifier where it was: a stranger's code must not end a login that is under way. */
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
    return REFUSED;
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
