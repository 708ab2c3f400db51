// Parses links that open the app. They are untrusted: only the screens named here are opened, and everything else is ignored.
import { parseUrl } from '#/core/parse-url.ts';
import { readLink, type AuthLink } from '#/features/auth/link.ts';
import { SECRET } from '#/features/auth/expected-link.ts';

export type DeepLink =
  /** A link to a screen; `/profile` opens the current user's profile. */
  | { type: 'screen'; path: string }
  /** A link with which a login provider returns to the app. */
  | { type: 'signIn'; link: AuthLink; secret: string | null }
  /**
   * A link in a mail. Only its code is used, which works only with the verifier that this app stored when it requested the mail.
   */
  | { type: 'mail'; code: string | null; next: '/profile' | '/update-password' };

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const SCREENS = [
  '/',
  '/parks(?:/new|/[1-9][0-9]{0,14}(?:/reviews|/visitors)?)?',
  '/users',
  '/notifications',
  '/meetings',
  '/desk',
  '/(?:dog-invites|tag|meet)/[0-9a-f]{32}',
  `/profile(?:/${ID}(?:/dogs|/reviews|/friends|/favorites|/info|/settings|/diary|/dogs/${ID})?)?`,
].map((pattern) => new RegExp(`^${pattern}$`));
const SHARED = /^\/share(\/parks\/[1-9][0-9]{0,14})$/;

/** The path of one of our links, without a trailing slash; null for any other URL. */
function pathOf(url: URL, site: string): string | null {
  if (url.username || url.password) return null;
  // For our own scheme, `URL` parses the first path segment as the host.
  if (url.protocol === 'packpark:') return tidy(`/${url.host}${url.pathname}`);
  return url.origin === new URL(site).origin ? tidy(url.pathname) : null;
}

const tidy = (path: string): string => path.replace(/\/+$/, '') || '/';

/** @param href URL as received from the device @param site URL of the site @returns null for any other URL */
export function readDeepLink(href: string, site: string): DeepLink | null {
  const url = parseUrl(href);
  const path = url && pathOf(url, site);
  if (!url || !path) return null;
  const code = url.searchParams.get('code');
  switch (path) {
    case '/auth-callback':
      return { type: 'signIn', link: readLink(href), secret: url.searchParams.get(SECRET) };
    case '/email-callback':
      return { type: 'mail', code, next: '/profile' };
    case '/update-password':
      return { type: 'mail', code, next: '/update-password' };
  }
  const shown = SHARED.exec(path)?.[1] ?? path;
  if (!SCREENS.some((screen) => screen.test(shown))) return null;
  return { type: 'screen', path: shown };
}
