// What an auth link carries in its query or fragment: a code, a token hash, tokens, or why it failed.
import type { EmailOtpType } from '@supabase/supabase-js';

export interface AuthLink {
  /** Needs the verifier of the browser that asked for it. */
  code: string | null;
  tokens: { access_token: string; refresh_token: string } | null;
  tokenHash: { token_hash: string; type: EmailOtpType } | null;
  failure: { code: string; message: string } | null;
  /** A change of email was confirmed in one of its two mails; the other one is still to come. */
  isHalf: boolean;
}

const TYPES: readonly string[] = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change',
  'email',
] satisfies EmailOtpType[];

/** Reads an address; anything that is not an auth link gives an empty answer, never an error. */
export function readLink(href: string): AuthLink {
  const url = URL.canParse(href) ? new URL(href) : null;
  const query = url?.searchParams ?? new URLSearchParams();
  const fragment = new URLSearchParams(url?.hash.slice(1) ?? '');
  const get = (name: string) => fragment.get(name) ?? query.get(name);

  const [access, refresh] = [get('access_token'), get('refresh_token')];
  const [hash, type] = [get('token_hash'), get('type')];
  const failed = get('error_code') ?? get('error');
  return {
    code: query.get('code'),
    tokens: access && refresh ? { access_token: access, refresh_token: refresh } : null,
    tokenHash:
      hash && type && TYPES.includes(type)
        ? { token_hash: hash, type: type as EmailOtpType }
        : null,
    isHalf: get('message') !== null,
    failure: failed ? { code: failed, message: get('error_description') ?? '' } : null,
  };
}

/**
 * Whether a link that logs in by itself (tokens, or a token's hash) may do so. Anybody can make such a link to an
 * account of their own, so it never replaces another session.
 * @param takes whether this page takes such links at all
 * @param userId who is logged in already
 */
export function mayTake(link: AuthLink, takes: boolean, userId: string | null): boolean {
  if (!takes) return false;
  // Whose a hash is, only the server knows, and asking uses it up.
  return userId === null || (link.tokens !== null && !link.tokenHash && userId === subjectOf(link));
}

/** Whom an access token names; the server checks the token, not we. */
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
