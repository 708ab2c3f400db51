// Where a tapped push leads, also one that is not as we send them.
import { expect, it } from 'vitest';
import { pushTarget } from '#/features/notifications/push-target.ts';

const ID = '0d5f6f3e-1111-4222-8333-444455556666';

it.each([
  [{ type: 'parkInvite', park_id: '7' }, '/parks/7', false],
  [{ type: 'parkInviteResponse', park_id: '7' }, '/parks/7', false],
  [{ type: 'parkInvite' }, '/notifications', false],
  [{ type: 'friendRequest' }, '/notifications', false],
  [{ type: 'friendApproval' }, '/notifications', true],
])('%j leads to %s', (data, path, isPerson) => {
  expect(pushTarget({ ...data, notification_id: ID })).toEqual({
    path,
    notificationId: ID,
    isPerson,
  });
});

it.each([
  null,
  'text',
  {},
  { type: 'somethingNew', notification_id: ID },
  { type: 'parkInvite', park_id: '7/../../login', notification_id: ID },
  { type: 'friendRequest', notification_id: '1 or 1=1' },
])('%j leads to the list', (data) => {
  expect(pushTarget(data)).toEqual({
    path: '/notifications',
    notificationId: null,
    isPerson: false,
  });
});
