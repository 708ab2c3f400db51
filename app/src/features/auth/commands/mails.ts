// Requests the mails for signup and password reset, and logs in with the codes in them.
import { requestAuth } from '#/data/session/auth-call.ts';
import { watchSession } from '#/data/session/session.ts';
import { siteUrl } from '#/platform/site-url.ts';

/**
 * Requests a password reset mail. The response does not reveal whether the account exists.
 * @throws AppError
 */
export const requestReset = (email: string, captchaToken?: string) =>
  requestAuth((auth) =>
    auth.resetPasswordForEmail(email.trim(), {
      redirectTo: siteUrl('/update-password'),
      ...(captchaToken && { captchaToken }),
    }),
  );

/**
 * Resends the confirmation mail.
 * @throws AppError
 */
export const resendConfirmation = (email: string, captchaToken?: string) =>
  requestAuth((auth) =>
    auth.resend({
      type: 'signup',
      email: email.trim(),
      options: {
        emailRedirectTo: siteUrl('/email-callback'),
        ...(captchaToken && { captchaToken }),
      },
    }),
  );

/** Logs in with the six digits in a mail, for users who read the mail on another device. @throws AppError */
export async function enterMailCode(email: string, token: string, type: 'signup' | 'recovery') {
  await watchSession();
  await requestAuth((auth) => auth.verifyOtp({ email: email.trim(), token, type }));
}
