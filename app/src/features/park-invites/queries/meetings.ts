// The meetings to come: those I invited to, and those I am invited to.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNow } from '#/core/use-now.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { InviteStatus } from '../../../../../shared/enums.ts';

interface Guest {
  id: string;
  name: string;
  /** Path of a dog's photo in bucket users. */
  picture: string | null;
  status: InviteStatus;
}

export interface Meeting {
  park_id: number;
  park_name: string;
  meet_at: string;
  /** Of a weekly meeting only a friend, or I. */
  host_id: string | null;
  host_name: string | null;
  /** Path of a dog's photo in bucket users. */
  host_picture: string | null;
  /** Mine to answer; null where I invited, and of weekly meetings. */
  invite_id: string | null;
  pack_time_id: string | null;
  /** Null where I invited. */
  status: InviteStatus | null;
  /** Everybody I invited; where I am a guest, the friends of mine who come. Null where the device kept the meeting alone. */
  guests: Guest[] | null;
  more_coming: number;
}

export const meetingsQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.meetings,
    queryFn: () => request((client) => client.rpc('my_meetings').overrideTypes<Meeting[]>()),
    staleTime: STALE.minute,
  });

/** Without those whose time has passed since they were fetched. @param enabled false while logged out */
export function useMeetings(enabled = true) {
  const now = useNow(60_000);
  const select = useCallback(
    (meetings: Meeting[]) => meetings.filter(({ meet_at }) => Date.parse(meet_at) > now),
    [now],
  );
  return useQuery({ ...meetingsQueryOptions(), enabled, select });
}
