// Each unsent command is applied to the server's data exactly once.
import { expect, it, vi } from 'vitest';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { command as setFavourite } from '#/features/favourites/commands/set-favourite.command.ts';
import { command as friendshipStep } from '#/features/friendships/commands/friendship-step.command.ts';
import { friendshipWith } from '#/features/friendships/friendship-with.ts';
import { command as respondToInvite } from '#/features/park-invites/commands/respond-to-invite.command.ts';
import { command as callOff } from '#/features/park-invites/commands/call-off-meeting.command.ts';
import { command as invite } from '#/features/park-invites/commands/invite-to-park.command.ts';
import { command as packTime } from '#/features/park-invites/commands/respond-to-pack-time.command.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { command as saveReview } from '#/features/reviews/commands/save-review.command.ts';
import { myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import type { AnyCommand, Command } from '#/offline/command-queue/define-command.ts';
import { applyUnsent, type UnsentCommand } from '#/offline/command-queue/unsent-commands.ts';

// The modules of the commands read these globals when they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('addEventListener', () => undefined);
});

const queued = <Input, Response>(
  command: Command<Input, Response>,
  input: unknown,
): UnsentCommand => ({ id: 'id', at: 0, isQueued: true, command: command as AnyCommand, input });
const heart = (parkId: number, favourite: boolean) => queued(setFavourite, { parkId, favourite });

it('favourites: the last tap counts, and other favourites are unchanged', () => {
  const unsent = [heart(3, true), heart(1, false), heart(3, true)];
  expect(applyUnsent(unsent, parkKeys.favourites, [1, 9])).toEqual({
    data: [3, 9],
    isQueued: true,
  });
  const status = (parkId: number) =>
    applyUnsent(unsent, parkKeys.status(parkId), { is_favourite: false });
  expect(status(3)).toEqual({ data: { is_favourite: true }, isQueued: true });
  expect(status(2)).toEqual({ data: { is_favourite: false }, isQueued: false });
});

it('weekly meetings: skipping one keeps the user in the group, leaving does not', () => {
  const NEXT = '2026-11-22T16:00:00Z';
  const pack = { id: 'p', meet_at: NEXT, joined: true, skips: false };
  const input = { packTimeId: 'p', parkId: 3, comes: false };
  const shown = (skip: string | null) =>
    applyUnsent([queued(packTime, { ...input, skip })], userKeys.packTimes(3), [pack]).data;
  expect(shown(NEXT)).toMatchObject([{ joined: true, skips: true }]);
  expect(shown(null)).toMatchObject([{ joined: false, skips: false }]);
});

it('a command on its first attempt is shown, but not as queued', () => {
  const sending = [{ ...heart(3, true), isQueued: false }];
  expect(applyUnsent(sending, parkKeys.status(3), { is_favourite: false })).toEqual({
    data: { is_favourite: true },
    isQueued: false,
  });
});

it.each([
  ['none', 'send', 'outgoing'],
  ['incoming', 'send', 'friends'],
  ['outgoing', 'cancel', 'none'],
  ['incoming', 'accept', 'friends'],
  ['incoming', 'decline', 'none'],
  ['friends', 'unfriend', 'none'],
  ['friends', 'send', undefined],
  ['none', 'unfriend', undefined],
] as const)('friendships: from %s, a queued %s leads to %s', (before, step, after) => {
  const steps = [queued(friendshipStep, { userId: 'ann', step })];
  const shown = after ? { friendship: after, queuedStep: step } : { friendship: before };
  expect(friendshipWith('ann', before, steps)).toEqual(shown);
  expect(friendshipWith('bob', before, steps)).toEqual({ friendship: before });
});

it('reviews: the last one written is the user’s, for this park only', () => {
  const written = { rank: 5, title: '', content: 'Shade', anonymous: false };
  const unsent = [4, 5].map((rank) => queued(saveReview, { ...written, parkId: 7, rank }));
  const mine = (parkId: number) => applyUnsent(unsent, myReviewQueryOptions(parkId).queryKey, null);
  expect(mine(7)).toMatchObject({ data: written, isQueued: true });
  expect(mine(8)).toEqual({ data: null, isQueued: false });
});

it('meetings: queued responses, cancellations and invites are shown, soonest meeting first', () => {
  const asked = { invite_id: 'i', status: 'pending', meet_at: '2026-05-02T10:00:00Z' } as Meeting;
  const mine = { status: null, park_id: 7, meet_at: '2026-05-02T12:00:00+00:00' } as Meeting;
  const unsent = [
    queued(respondToInvite, { inviteId: 'i', accept: true }),
    queued(callOff, { parkId: 7, meetAt: mine.meet_at }),
    queued(invite, { parkId: 7, guests: [{ id: 'ann' }], meetAt: '2026-05-02T11:00:00Z' }),
  ];
  expect(applyUnsent(unsent, userKeys.meetings, [asked, mine]).data).toMatchObject([
    { status: 'accepted', isQueued: true },
    { guests: [{ id: 'ann', status: 'pending' }], invite_id: null, isQueued: true },
    { isCalledOff: true, isQueued: true },
  ]);
});

it('notifications: a queued response to an invite or friend request is shown', () => {
  const unsent = [
    queued(respondToInvite, { inviteId: 'i', accept: false }),
    queued(friendshipStep, { userId: 'ann', step: 'accept' }),
  ];
  const notification = (type: string, sender_id: string, data: object) => ({
    type,
    sender_id,
    data,
  });
  expect(
    applyUnsent(unsent, userKeys.unseen, [
      notification('parkInvite', 'ann', { invite_id: 'i' }),
      notification('friendRequest', 'ann', {}),
      notification('friendRequest', 'bob', {}),
    ]).data.map(({ data }) => data),
  ).toEqual([{ invite_id: 'i', accepted: false }, { accepted: true }, {}]);
});
