// My meetings, as every screen shows them: the server's answer, and what I answered, called off or invited to that waits. Pure.
import type { AnswerInput } from '#/features/park-invites/commands/answer-invite.command.ts';
import type { PackAnswer } from '#/features/park-invites/commands/answer-pack-time.command.ts';
import type { CallOffInput } from '#/features/park-invites/commands/call-off-meeting.command.ts';
import type { InviteInput } from '#/features/park-invites/commands/invite-to-park.command.ts';
import { isMine } from '#/features/park-invites/going.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { type Waiting, withWaiting } from '#/offline/command-queue/waiting.ts';

export interface MyMeeting extends Meeting {
  isWaiting?: boolean;
  isCalledOff?: boolean;
}

const invited = ({ parkId, parkName, guests, meetAt }: InviteInput): MyMeeting => ({
  park_id: parkId,
  park_name: parkName,
  meet_at: meetAt,
  host_id: null,
  host_name: null,
  host_picture: null,
  invite_id: null,
  pack_time_id: null,
  status: null,
  guests: guests.map((guest) => ({ ...guest, status: 'pending' })),
  more_coming: 0,
  isWaiting: true,
});

const saying = (meeting: MyMeeting, comes: boolean): MyMeeting => ({
  ...meeting,
  status: comes ? 'accepted' : 'declined',
  isWaiting: true,
});

/** Soonest first. */
export function myMeetings(answer: readonly Meeting[], queue: readonly Waiting[]): MyMeeting[] {
  const known = answer.map((meeting) => {
    const answered = meeting.pack_time_id
      ? withWaiting<MyMeeting, PackAnswer>(
          meeting,
          queue,
          'answer_pack_time',
          (shown, { packTimeId, comes }) =>
            packTimeId === shown.pack_time_id ? saying(shown, comes) : undefined,
        )
      : withWaiting<MyMeeting, AnswerInput>(
          meeting,
          queue,
          'answer_invite',
          (shown, { inviteId, accept }) =>
            inviteId === shown.invite_id ? saying(shown, accept) : undefined,
        );
    return withWaiting<MyMeeting, CallOffInput>(
      answered.shown,
      queue,
      'call_off_meeting',
      (shown, { parkId, meetAt }) =>
        isMine(shown) && parkId === shown.park_id && meetAt === shown.meet_at
          ? { ...shown, isCalledOff: true, isWaiting: true }
          : undefined,
    ).shown;
  });
  return withWaiting<MyMeeting[], InviteInput>(known, queue, 'invite_to_park', (shown, input) => [
    ...shown,
    invited(input),
  ]).shown.sort((one, other) => Date.parse(one.meet_at) - Date.parse(other.meet_at));
}
