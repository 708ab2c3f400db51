// Handles links that are opened in a browser, from mails and from login providers. Native apps use deep-link-session.ts.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { AppError } from '#/core/app-error.ts';
import { sessionReady, watchSession } from '#/data/session/session.ts';
import { requestAuth } from '#/data/session/auth-call.ts';
import { supabase } from '#/data/supabase.ts';
import { offeredAccount, type OfferedAccount } from '#/features/auth/commands/offered-account.ts';
import { mayTake, readLink } from '#/features/auth/link.ts';

/**
 * Waits until the link that opened this page has become a session or failed.
 * @param href URL with which the page was opened, because the client removes a code from the current URL after using it
 * @param takeTokens true to accept links with tokens, which log in without a code. An attacker could send such a link to their own
 * account, so only the page for a new password accepts them, and they never replace another user's session.
 * @returns true if a user is logged in; or the account that the link would log in to, which the user must confirm first
 * @throws AppError if the link reports an error or has expired
 */
export async function openLink(
  href: string,
  takeTokens = false,
): Promise<boolean | OfferedAccount> {
  const link = readLink(href);
  if (link.failure) throw toAuthError(link.failure);
  await watchSession();
  // Throws when offline, because a link cannot be verified without a network.
  await supabase();
  const { userId } = await sessionReady();
  const { tokens } = link;
  // Tokens on any other page are ignored without an error.
  if (takeTokens && tokens) {
    if (!mayTake(link, takeTokens, userId)) throw new AppError('errors.otp_expired', 400);
    if (userId === null) return offeredAccount(tokens);
    await requestAuth((auth) => auth.setSession(tokens));
  }
  const { status } = await sessionReady();
  if (link.code && (status === 'out' || isUnused(link.code)))
    throw new AppError('errors.otp_expired', 400);
  return status !== 'out';
}

/** The client removes a used code from the URL, so a code that is still there has created no session. */
const isUnused = (code: string): boolean => readLink(location.href).code === code;
