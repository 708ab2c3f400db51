// My meetings, as every screen shows them: the server's answer, and my answers to invites that wait. Pure.
import type { AnswerInput } from '#/features/park-invites/commands/answer-invite.command.ts';
import type { PackAnswer } from '#/features/park-invites/commands/answer-pack-time.command.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { type Waiting, withWaiting } from '#/offline/command-queue/waiting.ts';

export const myMeetings = (answer: readonly Meeting[], queue: readonly Waiting[]) =>
  answer.map((meeting) =>
    meeting.pack_time_id
      ? withWaiting<Meeting, PackAnswer>(
          meeting,
          queue,
          'answer_pack_time',
          (shown, { packTimeId, comes }) =>
            packTimeId === shown.pack_time_id
              ? { ...shown, status: comes ? 'accepted' : 'declined' }
              : undefined,
        )
      : withWaiting<Meeting, AnswerInput>(
          meeting,
          queue,
          'answer_invite',
          (shown, { inviteId, accept }) =>
            inviteId === shown.invite_id
              ? { ...shown, status: accept ? 'accepted' : 'declined' }
              : undefined,
        ),
  );
