// Who is chosen already when friends are told that one leaves.
import { expect, it } from 'vitest';
import { usualCompany } from '#/features/park-invites/usual-company.ts';

const invite = (
  sender_id: string,
  receiver_id: string,
  status: 'pending' | 'accepted' | 'declined',
) => ({ sender_id, receiver_id, status });

it('knows who agreed more often than not, whoever had asked', () => {
  const invites = [
    invite('me', 'Ann', 'accepted'),
    invite('Ben', 'me', 'accepted'),
    invite('me', 'Cleo', 'accepted'),
    invite('me', 'Cleo', 'declined'),
    invite('me', 'Dan', 'pending'),
  ];
  expect(usualCompany(invites, 'me')).toEqual(['Ann', 'Ben']);
});
