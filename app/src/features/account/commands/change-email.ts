// A new email for the account: it takes effect once the links of two mails, to the old and to the new address, were opened.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';
import { siteUrl } from '#/platform/site-url.ts';

const KEY = ['account', 'email'] as const;

export interface OwnEmail {
  email: string;
  /** Asked for, and not confirmed by both mails yet. */
  next: string | null;
}

export const emailQueryOptions = () =>
  queryOptions({
    queryKey: KEY,
    // The session's own copy is as old as its token, and the mails may be opened on another device.
    queryFn: async (): Promise<OwnEmail> => {
      const client = await supabase();
      const { data, error } = await client.auth.getUser();
      if (error) throw toAuthError(error);
      return { email: data.user.email ?? '', next: data.user.new_email ?? null };
    },
  });

export function useRefreshEmail() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: KEY });
}

/** Sends the two mails; asked again, it sends them again. @throws {AppError} */
export async function changeEmail(email: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.updateUser(
    { email: email.trim() },
    { emailRedirectTo: siteUrl('/email-callback') },
  );
  if (error) throw toAuthError(error);
}
