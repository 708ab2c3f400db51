// Creates an account.
import { currentLanguage } from '#/i18n/i18n.ts';
import { requestAuth } from '#/data/session/auth-call.ts';
import { AppError } from '#/core/app-error.ts';
import { watchSession } from '#/data/session/session.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { siteUrl } from '#/platform/site-url.ts';
import type { Credentials } from '#/features/auth/credentials.ts';

/** @returns 'in' if the user is now logged in, 'mail' if the email must be confirmed first @throws AppError */
export async function signUp(values: Credentials, captchaToken?: string): Promise<'in' | 'mail'> {
  await watchSession();
  const { user, session } = await requestAuth((auth) =>
    auth.signUp({
      email: values.email.trim(),
      password: values.password,
      options: {
        emailRedirectTo: siteUrl('/email-callback'),
        ...(captchaToken && { captchaToken }),
        data: {
          full_name: values.name.trim(),
          language: currentLanguage(),
          age_confirmed: values.ageConfirmed,
        },
      },
    }),
  );
  // If the account exists already, the service responds with a user without identities.
  if (!user?.identities?.length) throw new AppError('errors.email_exists', 422);
  writeLocal('newcomer', 'yes');
  return session ? 'in' : 'mail';
}
