// Reads a session without the server: its user, and whether the second factor is missing.

/** The properties of supabase-js's session that we read. */
export interface SessionLike {
  access_token: string;
  /** Expiry in seconds since the epoch. */
  expires_at?: number | undefined;
  user: {
    id: string;
    email?: string | undefined;
    factors?: readonly { status: string }[] | undefined;
  };
}

/** The session that the client has stored in local storage, or null if it is not valid. */
export function parseStoredSession(text: string | null): SessionLike | null {
  if (!text) return null;
  try {
    const value = JSON.parse(text) as Partial<SessionLike> | null;
    return value?.access_token && value.user?.id ? (value as SessionLike) : null;
  } catch {
    return null;
  }
}

/** True if the user has a verified factor and this session was created with the password alone. */
export function secondFactorMissing(session: SessionLike): boolean {
  const enrolled = session.user.factors?.some((factor) => factor.status === 'verified') ?? false;
  return enrolled && claimsOf(session.access_token).aal !== 'aal2';
}

/** ID of the token's user, or null if it has none. @param token with or without the prefix 'Bearer ' */
export const ownerOf = (token: string | null): string | null => claimsOf(token ?? '').sub ?? null;

/** Empty if the token cannot be parsed. The signature is not checked here; the server does that. */
function claimsOf(token: string): { aal?: string; sub?: string } {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { aal?: string; sub?: string } | null) ?? {};
  } catch {
    return {};
  }
}
