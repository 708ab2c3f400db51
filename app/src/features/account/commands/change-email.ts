// A new email for the account: it takes effect once the links of two mails, to the old and to the new address, were opened.
import { requestAuth } from '#/data/session/auth-call.ts';
import { siteUrl } from '#/platform/site-url.ts';

/** Sends the two mails; asked again, it sends them again. @throws {AppError} */
export const changeEmail = (email: string) =>
  requestAuth((auth) =>
    auth.updateUser({ email: email.trim() }, { emailRedirectTo: siteUrl('/email-callback') }),
  );
