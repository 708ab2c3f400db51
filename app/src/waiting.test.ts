// What waits on this device lies over the server's answer, once each; and what was refused is undone.
import { expect, it } from 'vitest';
import { isFavourite, myFavourites } from '#/features/favourites/my-favourites.ts';
import { friendshipWith } from '#/features/friendships/friendship-with.ts';
import { myMeetings } from '#/features/park-invites/my-meetings.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { myReviewOf } from '#/features/reviews/my-review.ts';

const queued = (command: string, input: unknown, refused: string | null = null) => ({
  command,
  input,
  refused,
});
const heart = (parkId: number, favourite: boolean, refused?: string) =>
  queued('set_favourite', { parkId, favourite }, refused);

it('favourites: the last tap counts, and others stay as they were', () => {
  const queue = [heart(3, true), heart(1, false), heart(3, true), heart(2, true, 'errors.generic')];
  expect(myFavourites([1, 9], queue)).toEqual({ shown: [3, 9], isWaiting: true });
  expect(isFavourite(false, queue, 3)).toEqual({ shown: true, isWaiting: true });
  expect(isFavourite(false, queue, 2)).toEqual({ shown: false, isWaiting: false });
});

it('friendships: a request that waits is sent for who sent it, and changes nothing once they are friends', () => {
  const queue = [queued('send_friend_request', { userId: 'ann' })];
  expect(friendshipWith('none', queue, 'ann')).toEqual({ shown: 'outgoing', isWaiting: true });
  expect(friendshipWith('friends', queue, 'ann')).toEqual({ shown: 'friends', isWaiting: false });
  expect(friendshipWith('none', queue, 'bob')).toEqual({ shown: 'none', isWaiting: false });
});

it('reviews: what was written last is mine, of this park alone', () => {
  const written = { parkId: 7, rank: 5, title: '', content: 'Shade', anonymous: false };
  const queue = [queued('save_review', { ...written, rank: 4 }), queued('save_review', written)];
  expect(myReviewOf(null, queue, 7)).toEqual({ shown: written, isWaiting: true });
  expect(myReviewOf(null, queue, 8)).toEqual({ shown: null, isWaiting: false });
});

it('meetings: my answer shows, and that of a refused one is the old one again', () => {
  const meeting = { invite_id: 'i', status: 'pending' } as Meeting;
  const answer = (refused?: string) =>
    myMeetings([meeting], [queued('answer_invite', { inviteId: 'i', accept: true }, refused)]);
  expect(answer()).toMatchObject([{ shown: { status: 'accepted' }, isWaiting: true }]);
  expect(answer('errors.invite_expired')).toEqual([{ shown: meeting, isWaiting: false }]);
});
