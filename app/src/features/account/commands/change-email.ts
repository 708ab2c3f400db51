// Requests a change of the account's email. The change takes effect once the links in both mails, to the old and the new address,
// have been opened.
import { requestAuth } from '#/data/session/auth-call.ts';
import { siteUrl } from '#/platform/site-url.ts';

/** Sends both mails again if called again. @throws {AppError} */
export const changeEmail = (email: string) =>
  requestAuth((auth) =>
    auth.updateUser({ email: email.trim() }, { emailRedirectTo: siteUrl('/email-callback') }),
  );
