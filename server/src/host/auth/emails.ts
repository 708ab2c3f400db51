// Normalises and validates the email addresses of accounts.
import { domainToASCII } from 'node:url';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import type { Auth } from '#/host/auth/context.ts';
import { MAX_EMAIL_LENGTH } from '../../../../shared/input-lengths.ts';

/**
 * Returns the form in which emails are stored and compared: NFC, ASCII letters in lower case, the domain as in DNS. Nothing else is
 * normalised, because similar addresses may belong to different users.
 */
export function foldEmail(input: string): string {
  const email = input.trim().normalize('NFC');
  const at = email.lastIndexOf('@');
  if (at < 0) return asciiLowerCase(email);
  return `${asciiLowerCase(email.slice(0, at))}@${domainToASCII(email.slice(at + 1))}`;
}

/**
 * Converts only ASCII letters, like PostgreSQL with the collation "C", because the lower case of other letters depends on the
 * locale.
 */
const asciiLowerCase = (text: string) =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Normalises and validates an email. @throws AuthError 400 validation_failed */
export function normalEmail(input: string): string {
  const email = foldEmail(input);
  if (
    email.length > MAX_EMAIL_LENGTH ||
    !/^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@.]{2,}$/u.test(email)
  )
    throw invalid('Unable to validate email address: invalid format');
  return email;
}

/** @throws AuthError 400 email_address_not_authorized if AUTH_EMAILS_ALLOWED does not list the email */
export function checkAllowed(auth: Auth, email: string): void {
  const allowed = auth.settings.AUTH_EMAILS_ALLOWED;
  const domain = email.slice(email.lastIndexOf('@'));
  if (allowed?.every((entry) => ![email, domain].includes(foldEmail(entry))))
    throw new AuthError(
      400,
      'email_address_not_authorized',
      `Email address "${email}" cannot be used as it is not authorized`,
    );
}

export const emailExists = () =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
