// Determines the account of a link with tokens before the tokens become this browser's session.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { getConfig } from '#/platform/config.ts';
import { AppError } from '#/core/app-error.ts';
import { requestAuth } from '#/data/session/auth-call.ts';
import type { AuthLink } from '#/features/auth/link.ts';

export interface OfferedAccount {
  email: string;
  /** Logs in to the offered account. @throws AppError */
  take(): Promise<void>;
}

/**
 * Queries the server for the account, because the claims in the link's token are untrusted.
 * @throws AppError if the link has expired
 */
export async function offeredAccount(
  tokens: NonNullable<AuthLink['tokens']>,
): Promise<OfferedAccount> {
  const { createClient } = await import('@supabase/supabase-js');
  const { supabaseUrl, anonKey } = getConfig();
  // Use a separate client without storage, so neither other tabs nor a reload see the session.
  const aside = createClient(supabaseUrl, anonKey, {
    auth: {
      storageKey: 'offered-account',
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
    },
  });
  const { data, error } = await aside.auth.getUser(tokens.access_token);
  if (error) throw toAuthError(error);
  if (!data.user.email) throw new AppError('errors.otp_expired', 400);
  return {
    email: data.user.email,
    async take() {
      await requestAuth((auth) => auth.setSession(tokens));
    },
  };
}
