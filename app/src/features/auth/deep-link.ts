// What a link that opened the app asks for. Anybody can make one: only the screens named here are opened, and the rest of it is ignored.
import { readLink, type AuthLink } from '#/features/auth/link.ts';
import { SECRET } from '#/features/auth/expected-link.ts';

export type DeepLink =
  /** A screen; `/profile` is one's own. */
  | { kind: 'screen'; path: string }
  /** Back from a provider. */
  | { kind: 'signIn'; link: AuthLink; secret: string | null }
  /** From a mail: only its code is used, which needs the verifier that this app stored. */
  | { kind: 'mail'; code: string | null; next: '/profile' | '/update-password' };

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const SCREENS = [
  '/',
  '/parks(?:/new|/[1-9][0-9]{0,14}(?:/reviews|/visitors)?)?',
  '/users',
  '/notifications',
  '/meetings',
  '/desk',
  '/(?:dog-invites|tag)/[0-9a-f]{32}',
  `/profile(?:/${ID}(?:/dogs|/reviews|/friends|/favorites|/info|/settings|/diary|/dogs/${ID})?)?`,
].map((pattern) => new RegExp(`^${pattern}$`));
const SHARED = /^\/share(\/parks\/[1-9][0-9]{0,14})$/;

/** The path of a link of ours, without a slash at its end; null for any other address. */
function pathOf(url: URL, site: string): string | null {
  if (url.username || url.password) return null;
  // In our own scheme, the first part of the path is parsed as the host.
  if (url.protocol === 'packpark:') return tidy(`/${url.host}${url.pathname}`);
  return url.origin === new URL(site).origin ? tidy(url.pathname) : null;
}

const tidy = (path: string): string => path.replace(/\/+$/, '') || '/';

/** `href`: as the device handed it over. `site`: the address of our own site. Returns null for any other address. */
export function readDeepLink(href: string, site: string): DeepLink | null {
  const url = URL.canParse(href) ? new URL(href) : null;
  const path = url && pathOf(url, site);
  if (!url || !path) return null;
  const code = url.searchParams.get('code');
  switch (path) {
    case '/auth-callback':
      return { kind: 'signIn', link: readLink(href), secret: url.searchParams.get(SECRET) };
    case '/email-callback':
      return { kind: 'mail', code, next: '/profile' };
    case '/update-password':
      return { kind: 'mail', code, next: '/update-password' };
  }
  const shown = SHARED.exec(path)?.[1] ?? path;
  if (!SCREENS.some((screen) => screen.test(shown))) return null;
  return { kind: 'screen', path: shown };
}
