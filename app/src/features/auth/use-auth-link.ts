// Waits once per page until its link has become a session.
import { useEffect, useState } from 'react';
import { openLink } from '#/features/auth/commands/open-link.ts';
import type { OfferedAccount } from '#/features/auth/commands/offered-account.ts';
import { readLink } from '#/features/auth/link.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import type { AppError } from '#/core/app-error.ts';

type LinkResult =
  | { state: 'waiting' }
  /** `verified`: the link's code was used; `isHalf`: an email change whose other mail is still unconfirmed. */
  | { state: 'opened'; loggedIn: boolean; verified: boolean; isHalf: boolean }
  /** The link would log a visitor in to this account; `accept` never rejects. */
  | { state: 'offered'; email: string; accept: () => Promise<void> }
  | { state: 'failed'; error: AppError; code: string | null };

/** The URL as it was opened, because the client and the router change it after use. */
const opened = location.href;
let opening: Promise<boolean | OfferedAccount> | null = null;

/**
 * Converts a result or an error into the page's state.
 * @param show called when an accepted offer has completed
 */
async function outcome(
  result: Promise<boolean | OfferedAccount>,
  show: (link: LinkResult) => void,
): Promise<LinkResult> {
  try {
    const found = await result;
    if (typeof found === 'boolean') {
      const { code, isHalf } = readLink(opened);
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
    return { state: 'failed', error: toAuthError(error), code: readLink(opened).code };
  }
}

/** @param takeTokens see `openLink` */
export function useAuthLink(takeTokens = false): LinkResult {
  const [link, setLink] = useState<LinkResult>({ state: 'waiting' });
  useEffect(() => {
    let here = true;
    // A code is valid once, so the second run of an effect must not use it again.
    opening ??= openLink(opened, takeTokens);
    // The client removes a code that it has used; tokens would stay in the address and in the history.
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

/** Call after a login with a typed code: an error of the page's own link no longer matters. */
export function loggedInByCode(): void {
  opening = Promise.resolve(true);
}
