// Signing up, and the mail that confirms it.
import { currentLanguage } from '#/i18n/i18n.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { AppError } from '#/core/app-error.ts';
import { watchSession } from '#/data/session/session.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { siteUrl } from '#/platform/site-url.ts';
import { supabase } from '#/data/supabase.ts';
import type { Credentials } from '#/features/auth/credentials.ts';

const CALLBACK = '/email-callback';

/**
 * Makes an account. A returned user without identities is one that existed already.
 * @param captchaToken the captcha's answer, where one is set
 * @returns 'in' when that also logs in, 'mail' when the address has to be confirmed first
 * @throws AppError
 */
export async function signUp(values: Credentials, captchaToken?: string): Promise<'in' | 'mail'> {
  await watchSession();
  const client = await supabase();
  const { data, error } = await client.auth.signUp({
    email: values.email.trim(),
    password: values.password,
    options: {
      emailRedirectTo: siteUrl(CALLBACK),
      ...(captchaToken && { captchaToken }),
      data: {
        full_name: values.name.trim(),
        language: currentLanguage(),
        age_confirmed: values.ageConfirmed,
      },
    },
  });
  if (error) throw toAuthError(error);
  if (!data.user?.identities?.length) throw new AppError('errors.email_exists', 422);
  writeLocal('newcomer', 'yes');
  return data.session ? 'in' : 'mail';
}

/** Sends the confirming mail once more. @throws AppError */
export async function resendConfirmation(email: string, captchaToken?: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.resend({
    type: 'signup',
    email: email.trim(),
    options: { emailRedirectTo: siteUrl(CALLBACK), ...(captchaToken && { captchaToken }) },
  });
  if (error) throw toAuthError(error);
}
