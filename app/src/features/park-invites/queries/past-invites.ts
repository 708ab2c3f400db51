// The user's latest invites, newest first; the database deletes them after 90 days.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { PastInvite } from '#/features/park-invites/recent-guests.ts';

export const pastInvitesQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.pastInvites,
    queryFn: (): Promise<PastInvite[]> =>
      request((client) =>
        client
          .from('park_invites')
          .select('sender_id,receiver_id')
          .order('created_at', { ascending: false })
          .limit(200),
      ),
    staleTime: STALE.minute,
  });
