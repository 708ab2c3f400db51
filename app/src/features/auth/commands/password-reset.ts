// A forgotten password: the mail that leads to a new one.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { siteUrl } from '#/platform/site-url.ts';
import { supabase } from '#/data/supabase.ts';

/** Asks for the mail. The answer does not tell whether the account exists. @throws AppError */
export async function requestReset(email: string, captchaToken?: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.resetPasswordForEmail(email.trim(), {
    redirectTo: siteUrl('/update-password'),
    ...(captchaToken && { captchaToken }),
  });
  if (error) throw toAuthError(error);
}
