// The meetings to come: those I invited to, and those I am invited to.
import { queryOptions } from '@tanstack/react-query';
import { parkClock } from '#/core/park-time.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { ask } from '#/data/ask.ts';

type InviteStatus = 'pending' | 'accepted' | 'declined';

export interface Guest {
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

/** In how many hours from midnight of a moment's day one goes to a meeting at a park; null where to none. */
export function hourOfMeeting(
  meetings: readonly Meeting[] | undefined,
  parkId: number,
  moment: Date,
): number | null {
  const meeting = meetings?.find(
    ({ park_id, status, invite_id }) =>
      park_id === parkId && (invite_id === null || status === 'accepted'),
  );
  if (!meeting) return null;
  const [then, today] = [parkClock(new Date(meeting.meet_at)), parkClock(moment)];
  return (then.day - today.day) * 24 + then.minute / 60;
}

export const meetingsQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.meetings,
    queryFn: () => ask((client) => client.rpc('my_meetings').overrideTypes<Meeting[]>()),
    staleTime: STALE.minute,
  });
