// Tests the order of friends in the invite sheet.
import { expect, it } from 'vitest';
import { recentGuestsFirst } from '#/features/park-invites/recent-guests.ts';

it('recently invited friends are first, and the others keep their order', () => {
  const friends = ['Ann', 'Ben', 'Cleo', 'Dan'].map((user_id) => ({ user_id }));
  const invites = [
    { sender_id: 'me', receiver_id: 'Dan' },
    // An invite from Ben does not count as an invite to Ben.
    { sender_id: 'Ben', receiver_id: 'me' },
    { sender_id: 'me', receiver_id: 'Cleo' },
    { sender_id: 'me', receiver_id: 'Dan' },
    { sender_id: 'me', receiver_id: 'former friend' },
  ];
  expect(recentGuestsFirst(friends, invites, 'me').map(({ user_id }) => user_id)).toEqual([
    'Dan',
    'Cleo',
    'Ann',
    'Ben',
  ]);
});
