// Reads a session without the server: whose it is, and whether its second factor is missing.

/** The parts of supabase-js's session that we read. */
export interface SessionLike {
  access_token: string;
  /** Seconds since the epoch. */
  expires_at?: number | undefined;
  user: {
    id: string;
    email?: string | undefined;
    factors?: readonly { status: string }[] | undefined;
  };
}

/** The session that the client keeps in local storage, or null for anything that is not one. */
export function parseStoredSession(text: string | null): SessionLike | null {
  if (!text) return null;
  try {
    const value = JSON.parse(text) as Partial<SessionLike> | null;
    return value?.access_token && value.user?.id ? (value as SessionLike) : null;
  } catch {
    return null;
  }
}

/** True when the user has a verified factor and this session was made with the password alone. */
export function secondFactorMissing(session: SessionLike): boolean {
  const enrolled = session.user.factors?.some((factor) => factor.status === 'verified') ?? false;
  return enrolled && claimsOf(session.access_token).aal !== 'aal2';
}

/** Whose token it is, or null where it has no user. @param token with or without 'Bearer ' before it */
export const ownerOf = (token: string | null): string | null => claimsOf(token ?? '').sub ?? null;

/** Empty where it cannot be read. The signature is not checked: the server does that. */
function claimsOf(token: string): { aal?: string; sub?: string } {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { aal?: string; sub?: string } | null) ?? {};
  } catch {
    return {};
  }
}
