// Waits, once per page, until the page's link has become a session.
import { useEffect, useState } from 'react';
import { openLink } from '#/features/auth/commands/open-link.ts';
import type { OfferedAccount } from '#/features/auth/commands/offered-account.ts';
import { readLink } from '#/features/auth/link.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { openedUrl } from '#/platform/opened-url.ts';
import type { AppError } from '#/core/app-error.ts';

type LinkResult =
  | { state: 'waiting' }
  /** `verified` is true if the link's code was used. `isHalf` is true if the other mail of an email change is still unconfirmed. */
  | { state: 'opened'; loggedIn: boolean; verified: boolean; isHalf: boolean }
  /** The link would log in to this account if the user accepts; `accept` never rejects. */
  | { state: 'offered'; email: string; accept: () => Promise<void> }
  | { state: 'failed'; error: AppError; code: string | null };

let opening: Promise<boolean | OfferedAccount> | null = null;

/**
 * Converts the result or error of a link into the page's state. @param show called with the new state when the user accepts an
 * offered account
 */
async function outcome(
  result: Promise<boolean | OfferedAccount>,
  show: (link: LinkResult) => void,
): Promise<LinkResult> {
  try {
    const found = await result;
    if (typeof found === 'boolean') {
      const { code, isHalf } = readLink(openedUrl);
      return { state: 'opened', loggedIn: found, verified: found && code !== null, isHalf };
    }
    return {
      state: 'offered',
      email: found.email,
      async accept() {
        opening = found.take().then(() => true);
        show(await outcome(opening, show));
      },
    };
  } catch (error) {
    return { state: 'failed', error: toAuthError(error), code: readLink(openedUrl).code };
  }
}

/** @param takeTokens as in `openLink` */
export function useAuthLink(takeTokens = false): LinkResult {
  const [link, setLink] = useState<LinkResult>({ state: 'waiting' });
  useEffect(() => {
    let here = true;
    // A code can be used only once, but StrictMode runs effects twice, so both runs share one call.
    opening ??= openLink(openedUrl, takeTokens);
    // The client removes a used code from the URL. Remove tokens here, so that they do not stay in the history.
    if (readLink(location.href).tokens)
      history.replaceState(history.state, '', location.pathname + location.search);
    const show = (result: LinkResult) => {
      if (here) setLink(result);
    };
    void outcome(opening, show).then(show);
    return () => {
      here = false;
    };
  }, [takeTokens]);
  return link;
}

/** Call this after a login with a typed code. An error of the page's link is then irrelevant. */
export function loggedInByCode(): void {
  opening = Promise.resolve(true);
}
