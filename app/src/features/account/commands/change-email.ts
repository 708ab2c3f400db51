// A new email for the account: it takes effect once the links of two mails, to the old and to the new address, were opened.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';
import { siteUrl } from '#/platform/site-url.ts';

/** Sends the two mails; asked again, it sends them again. @throws {AppError} */
export async function changeEmail(email: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.updateUser(
    { email: email.trim() },
    { emailRedirectTo: siteUrl('/email-callback') },
  );
  if (error) throw toAuthError(error);
}
