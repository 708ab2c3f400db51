// Upcoming meetings that the user hosts or is invited to.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNow } from '#/core/use-now.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { InviteStatus } from '../../../../../shared/enums.ts';

interface Guest {
  id: string;
  name: string;
  /** Path of a dog's photo in the users bucket. */
  picture: string | null;
  status: InviteStatus;
}

export interface Meeting {
  park_id: number;
  park_name: string;
  meet_at: string;
  /** ID of the host. Null for a weekly meeting unless the host is the user or a friend. */
  host_id: string | null;
  host_name: string | null;
  /** Path of a dog's photo in the users bucket. */
  host_picture: string | null;
  /** The invite to respond to; null if the user is the host, and for weekly meetings. */
  invite_id: string | null;
  pack_time_id: string | null;
  /** Null if the user is the host. */
  status: InviteStatus | null;
  /** All invited users if the user is the host; otherwise only friends who accepted. Null if only the meeting is cached. */
  guests: Guest[] | null;
  more_coming: number;
}

export const meetingsQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.meetings,
    queryFn: () => request((client) => client.rpc('my_meetings').overrideTypes<Meeting[]>()),
    staleTime: STALE.minute,
  });

/** Omits meetings whose time has passed since they were fetched. @param enabled false while logged out */
export function useMeetings(enabled = true) {
  const now = useNow(60_000);
  const select = useCallback(
    (meetings: Meeting[]) => meetings.filter(({ meet_at }) => Date.parse(meet_at) > now),
    [now],
  );
  return useQuery({ ...meetingsQueryOptions(), enabled, select });
}
