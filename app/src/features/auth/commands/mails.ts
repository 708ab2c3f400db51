// The mails of signing up and of a forgotten password: asking for one, and typing its code.
import { requestAuth } from '#/data/session/auth-call.ts';
import { watchSession } from '#/data/session/session.ts';
import { siteUrl } from '#/platform/site-url.ts';

/** A forgotten password: asks for the mail. The answer does not tell whether the account exists. @throws AppError */
export const requestReset = (email: string, captchaToken?: string) =>
  requestAuth((auth) =>
    auth.resetPasswordForEmail(email.trim(), {
      redirectTo: siteUrl('/update-password'),
      ...(captchaToken && { captchaToken }),
    }),
  );

/** Sends the confirming mail once more. @throws AppError */
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

/** Logs in with the six digits of a mail, for those who opened it on another device than this one. @throws AppError */
export async function enterMailCode(email: string, token: string, type: 'signup' | 'recovery') {
  await watchSession();
  await requestAuth((auth) => auth.verifyOtp({ email: email.trim(), token, type }));
}
