// The user's meetings with unsent invites, responses and cancellations applied. Pure.
import type { CallOffInput } from '#/features/park-invites/commands/call-off-meeting.command.ts';
import type { InviteInput } from '#/features/park-invites/commands/invite-to-park.command.ts';
import { isMine } from '#/features/park-invites/going.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';

export interface MyMeeting extends Meeting {
  isQueued?: boolean;
  isCalledOff?: boolean;
}

type Meetings = readonly MyMeeting[] | undefined;

export const withInvite = (
  meetings: Meetings,
  { parkId, parkName, guests, meetAt }: InviteInput,
): Meetings =>
  meetings &&
  [
    ...meetings,
    {
      park_id: parkId,
      park_name: parkName,
      meet_at: meetAt,
      host_id: null,
      host_name: null,
      host_picture: null,
      invite_id: null,
      pack_time_id: null,
      status: null,
      guests: guests.map((guest) => ({ ...guest, status: 'pending' as const })),
      more_coming: 0,
      isQueued: true,
    },
  ].sort((one, other) => Date.parse(one.meet_at) - Date.parse(other.meet_at));

export const withResponse = (
  meetings: Meetings,
  isMeant: (meeting: Meeting) => boolean,
  comes: boolean,
): Meetings =>
  meetings?.map((meeting) =>
    isMeant(meeting)
      ? { ...meeting, status: comes ? 'accepted' : 'declined', isQueued: true }
      : meeting,
  );

export const withoutMeeting = (meetings: Meetings, { parkId, meetAt }: CallOffInput): Meetings =>
  meetings?.map((meeting) =>
    isMine(meeting) && meeting.park_id === parkId && meeting.meet_at === meetAt
      ? { ...meeting, isCalledOff: true, isQueued: true }
      : meeting,
  );
