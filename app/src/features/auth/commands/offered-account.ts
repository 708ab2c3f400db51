// Finds out which account a link with tokens (or a token hash) logs in to, before it becomes this browser's session.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { getConfig } from '#/platform/config.ts';
import { AppError } from '#/core/app-error.ts';
import { requestAuth } from '#/data/session/auth-call.ts';
import type { AuthLink } from '#/features/auth/link.ts';

export interface OfferedAccount {
  email: string;
  /**
   * Logs in to it.
   * @throws AppError
   */
  take(): Promise<void>;
}

/**
 * Queries the server, because a link's own claims are untrusted.
 * @throws AppError if the link is no longer valid
 */
export async function offeredAccount(link: AuthLink): Promise<OfferedAccount> {
  const { createClient } = await import('@supabase/supabase-js');
  const { supabaseUrl, anonKey } = getConfig();
  // A separate client without storage, so neither other tabs nor a reload see the session.
  const aside = createClient(supabaseUrl, anonKey, {
    auth: {
      storageKey: 'offered-account',
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
    },
  });
  let tokens = link.tokens;
  let email: string | undefined;
  if (link.tokenHash) {
    const { data, error } = await aside.auth.verifyOtp(link.tokenHash);
    if (error) throw toAuthError(error);
    tokens = data.session;
    email = data.user?.email;
  } else if (tokens) {
    const { data, error } = await aside.auth.getUser(tokens.access_token);
    if (error) throw toAuthError(error);
    email = data.user.email;
  }
  if (!tokens || !email) throw new AppError('errors.otp_expired', 400);
  const { access_token, refresh_token } = tokens;
  return {
    email,
    async take() {
      await requestAuth((auth) => auth.setSession({ access_token, refresh_token }));
    },
  };
}
