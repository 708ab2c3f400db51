// Parses an auth link's query or fragment: a code, tokens, or an error.
import { parseUrl } from '#/core/parse-url.ts';

export interface AuthLink {
  /** PKCE code. Only the browser that requested it has the verifier to exchange it. */
  code: string | null;
  tokens: { access_token: string; refresh_token: string } | null;
  failure: { code: string; message: string } | null;
  /** One of the two mails of an email change was confirmed; the other is pending. */
  isHalf: boolean;
}

/** Parses a URL. Returns an empty result for any URL that is not an auth link. */
export function readLink(href: string): AuthLink {
  const url = parseUrl(href);
  const query = url?.searchParams ?? new URLSearchParams();
  const fragment = new URLSearchParams(url?.hash.slice(1) ?? '');
  const get = (name: string) => fragment.get(name) ?? query.get(name);

  const [access, refresh] = [get('access_token'), get('refresh_token')];
  const failed = get('error_code') ?? get('error');
  return {
    code: query.get('code'),
    tokens: access && refresh ? { access_token: access, refresh_token: refresh } : null,
    isHalf: get('message') !== null,
    failure: failed ? { code: failed, message: get('error_description') ?? '' } : null,
  };
}

/**
 * Checks whether the tokens of a link may be used. Attackers can create links with tokens of their own account, so tokens never
 * replace another session. @param takes true if this page accepts such links @param userId of the logged-in user
 */
export function mayTake(link: AuthLink, takes: boolean, userId: string | null): boolean {
  return takes && link.tokens !== null && (userId === null || userId === subjectOf(link));
}

/** Returns the user of an access token. The server verifies the signature; this function does not. */
function subjectOf({ tokens }: AuthLink): string | null {
  const payload = (tokens?.access_token.split('.')[1] ?? '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  try {
    return (JSON.parse(atob(payload)) as { sub?: string }).sub ?? null;
  } catch {
    return null;
  }
}
