// Which friends are selected initially when the user announces a walk.
import { expect, it } from 'vitest';
import { usualCompany } from '#/features/park-invites/usual-company.ts';

const invite = (
  sender_id: string,
  receiver_id: string,
  status: 'pending' | 'accepted' | 'declined',
) => ({ sender_id, receiver_id, status });

it('returns friends who accepted more often than not, as guests or hosts', () => {
  const invites = [
    invite('me', 'Ann', 'accepted'),
    invite('Ben', 'me', 'accepted'),
    invite('me', 'Cleo', 'accepted'),
    invite('me', 'Cleo', 'declined'),
    invite('me', 'Dan', 'pending'),
  ];
  expect(usualCompany(invites, 'me')).toEqual(['Ann', 'Ben']);
});
