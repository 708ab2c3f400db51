// Validates the emails of accounts.
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import type { Auth } from '#/host/auth/context.ts';

/** The normalised form in which emails are stored and compared. */
export const foldEmail = (input: string): string => input.trim().toLowerCase();

/** Normalises and validates an email. @throws AuthError 400 validation_failed */
export function normalEmail(input: string): string {
  const email = foldEmail(input);
  if (
    email.length > 254 ||
    !/^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@.]{2,}$/u.test(email)
  )
    throw invalid('Unable to validate email address: invalid format');
  return email;
}

/** Rejects emails that AUTH_EMAILS_ALLOWED does not list. @throws AuthError 400 email_address_not_authorized */
export function checkAllowed(auth: Auth, email: string): void {
  const allowed = auth.settings.AUTH_EMAILS_ALLOWED;
  const domain = email.slice(email.lastIndexOf('@'));
  if (allowed?.every((entry) => ![email, domain].includes(entry.toLowerCase())))
    throw new AuthError(
      400,
      'email_address_not_authorized',
      `Email address "${email}" cannot be used as it is not authorized`,
    );
}

export const emailExists = () =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
