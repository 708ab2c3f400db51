// The account's email, and the requested new one while it is unconfirmed.
import { queryOptions } from '@tanstack/react-query';
import { requestAuth } from '#/data/session/auth-call.ts';

export const emailQueryOptions = () =>
  queryOptions({
    queryKey: ['account', 'email'],
    // Fetch the user from the server. The copy in the session is as old as its token, and the links in the mails may be opened on
    // another device.
    queryFn: async () => {
      const { user } = await requestAuth((auth) => auth.getUser());
      // The new email is not confirmed by both mails yet.
      return { email: user.email ?? '', next: user.new_email ?? null };
    },
  });
