// Coming back to the page by a link: from a mail or from a provider. (A shell's links: deep-link-session.ts.)
import { toAuthError } from '#/data/session/auth-errors.ts';
import { AppError } from '#/core/app-error.ts';
import { sessionReady, watchSession } from '#/data/session/session.ts';
import { requestAuth } from '#/data/session/auth-call.ts';
import { supabase } from '#/data/supabase.ts';
import { offeredAccount, type OfferedAccount } from '#/features/auth/commands/offered-account.ts';
import { mayTake, readLink } from '#/features/auth/link.ts';

/**
 * Waits until the link of this page has become a session, or not.
 * @param href the page's address as it was opened; the client removes a code once it has used it
 * @param takeTokens whether what logs in by itself counts: an operator's invitation or reset link carries tokens or a
 *   token's hash, and only the page that then asks for a new password may take them, or a stranger's link could log a
 *   visitor in as somebody else; it never takes them over another account's session
 * @returns true when somebody is logged in now; the account that a link by itself would log a visitor in to: they ask first
 * @throws AppError when the link says that it failed, or is no longer good
 */
export async function openLink(
  href: string,
  takeTokens = false,
): Promise<boolean | OfferedAccount> {
  const link = readLink(href);
  if (link.failure) throw toAuthError(link.failure);
  await watchSession();
  // Without a network nothing can be found out.
  await supabase();
  const { userId } = await sessionReady();
  // Tokens on any other page are not used, and that is no failure; a hash there means that nothing was verified.
  if ((link.tokenHash ?? (takeTokens && link.tokens)) && !mayTake(link, takeTokens, userId))
    throw new AppError('errors.otp_expired', 400);
  if (takeTokens && userId === null && (link.tokenHash || link.tokens)) return offeredAccount(link);
  // What is left are tokens of who is logged in anyway.
  const { tokens } = link;
  if (tokens && takeTokens) await requestAuth((auth) => auth.setSession(tokens));
  const { status } = await sessionReady();
  if (link.code && (status === 'out' || isUnused(link.code)))
    throw new AppError('errors.otp_expired', 400);
  return status !== 'out';
}

/** The client removes a code from the address once it has used it: one that is still there made no session. */
const isUnused = (code: string): boolean => readLink(location.href).code === code;
