// The email of my account, and the one that it moves to.
import { queryOptions } from '@tanstack/react-query';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';

interface OwnEmail {
  email: string;
  /** Asked for, and not confirmed by both mails yet. */
  next: string | null;
}

export const emailQueryOptions = () =>
  queryOptions({
    queryKey: ['account', 'email'],
    // The session's own copy is as old as its token, and the mails may be opened on another device.
    queryFn: async (): Promise<OwnEmail> => {
      const client = await supabase();
      const { data, error } = await client.auth.getUser();
      if (error) throw toAuthError(error);
      return { email: data.user.email ?? '', next: data.user.new_email ?? null };
    },
  });
