// Validates the redirect URLs of links and provider logins: URLs of the site, links of the native apps, and the URLs in the
// settings are allowed.
import { isLoopbackName } from '#/host/lib/ip-addresses.ts';
import type { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth } from '#/host/auth/context.ts';

const MAX_LENGTH = 2000;

function pattern(glob: string): RegExp {
  const source = glob
    .split(/(\*\*|\*)/)
    .map((part) => {
      if (part === '**') return '.*';
      return part === '*' ? '[^./]*' : part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}

function isAllowed(auth: Auth, target: string): boolean {
  // Browsers remove control characters and treat a backslash as a slash, so they would open another URL than the one that was
  // validated. Such URLs are rejected.
  if (target.length > MAX_LENGTH || /[\s\\\p{Cc}]/u.test(target) || !URL.canParse(target))
    return false;
  const url = new URL(target);
  if (url.username !== '' || url.password !== '') return false;
  if (auth.product.appLinks.includes(target.replace(/[?#].*$/, ''))) return true;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return auth.redirectPatterns.some((allowed) => allowed.test(target));
  const site = new URL(auth.siteUrl);
  if (url.origin === site.origin) return true;
  // If the site runs on this machine, localhost and 127.0.0.1 are the same site.
  const sameDoor = url.protocol === site.protocol && url.port === site.port;
  if (sameDoor && isLoopbackName(site.host) && isLoopbackName(url.host)) return true;
  return auth.redirectPatterns.some((allowed) => allowed.test(url.href));
}

export const redirectPatterns = (globs: string[]) => globs.map(pattern);

/** Returns the requested URL if it is on the allow-list, otherwise the site's URL. */
export const allowedRedirect = (auth: Auth, requested: string | null | undefined): string =>
  requested !== null && requested !== undefined && isAllowed(auth, requested)
    ? requested
    : auth.siteUrl;

/** Redirects to a URL with tokens or an error. The response is never cached, and the URL is never sent as a referrer. */
export function redirectTo(url: string, status: 302 | 303 = 303): Response {
  const headers = {
    location: url,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return new Response(null, { status, headers });
}

/** Adds parameters to the query or the fragment of a URL. */
export function withParameters(
  redirect: string,
  part: 'query' | 'fragment',
  parameters: Record<string, string>,
): string {
  const url = new URL(redirect);
  if (part === 'fragment') url.hash = new URLSearchParams(parameters).toString();
  else for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export function errorParameters(error: AuthError): Record<string, string> {
  const names: Record<number, string> = {
    400: 'invalid_request',
    401: 'unauthorized_client',
    403: 'access_denied',
    500: 'server_error',
  };
  const name = names[error.status];
  return {
    ...(name === undefined ? {} : { error: name }),
    error_code: error.code,
    error_description: error.message,
  };
}
