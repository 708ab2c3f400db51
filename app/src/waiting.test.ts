// What waits on this device lies over the server's answer, once each; and what was rejected is undone.
import { expect, it } from 'vitest';
import { isFavourite, myFavourites } from '#/features/favourites/my-favourites.ts';
import { friendshipWith } from '#/features/friendships/friendship-with.ts';
import { myMeetings } from '#/features/park-invites/my-meetings.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { myReviewOf } from '#/features/reviews/my-review.ts';

const queued = (command: string, input: unknown, rejection: string | null = null) => ({
  command,
  input,
  rejection,
});
const heart = (parkId: number, favourite: boolean, rejection?: string) =>
  queued('set_favourite', { parkId, favourite }, rejection);

it('favourites: the last tap counts, and others stay as they were', () => {
  const queue = [heart(3, true), heart(1, false), heart(3, true), heart(2, true, 'errors.generic')];
  expect(myFavourites([1, 9], queue)).toEqual({ shown: [3, 9], isWaiting: true });
  expect(isFavourite(false, queue, 3)).toEqual({ shown: true, isWaiting: true });
  expect(isFavourite(false, queue, 2)).toEqual({ shown: false, isWaiting: false });
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
] as const)('friendships: of %s, %s that waits makes %s', (before, step, after) => {
  const steps = [queued('friendship_step', { userId: 'ann', step })];
  const shown = after ? { friendship: after, waiting: step } : { friendship: before };
  expect(friendshipWith(before, steps, 'ann')).toEqual(shown);
  expect(friendshipWith(before, steps, 'bob')).toEqual({ friendship: before });
});

it('reviews: what was written last is mine, of this park alone', () => {
  const written = { parkId: 7, rank: 5, title: '', content: 'Shade', anonymous: false };
  const queue = [queued('save_review', { ...written, rank: 4 }), queued('save_review', written)];
  expect(myReviewOf(null, queue, 7)).toEqual({ shown: written, isWaiting: true });
  expect(myReviewOf(null, queue, 8)).toEqual({ shown: null, isWaiting: false });
});

it('meetings: what I answered, called off and invited to shows, and what was rejected is undone', () => {
  const asked = { invite_id: 'i', status: 'pending', meet_at: '2026-05-02T10:00:00Z' } as Meeting;
  const mine = { status: null, park_id: 7, meet_at: '2026-05-02T12:00:00+00:00' } as Meeting;
  const waiting = (rejection?: string) =>
    myMeetings(
      [asked, mine],
      [
        queued('answer_invite', { inviteId: 'i', accept: true }, rejection),
        queued('call_off_meeting', { parkId: 7, meetAt: mine.meet_at }, rejection),
        queued(
          'invite_to_park',
          { parkId: 7, guests: [{ id: 'ann' }], meetAt: '2026-05-02T11:00:00Z' },
          rejection,
        ),
      ],
    );
  expect(waiting()).toMatchObject([
    { status: 'accepted', isWaiting: true },
    { guests: [{ id: 'ann', status: 'pending' }], invite_id: null, isWaiting: true },
    { isCalledOff: true, isWaiting: true },
  ]);
  expect(waiting('errors.unexpected')).toEqual([asked, mine]);
});
