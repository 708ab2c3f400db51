// Tests which screen a tapped push opens, also for malformed pushes.
import { expect, it } from 'vitest';
import { pushTarget } from '#/features/notifications/push-target.ts';

const ID = '0d5f6f3e-1111-4222-8333-444455556666';
const SENDER = '7c1b2a3d-5555-4666-8777-888899990000';

it.each([
  [{ type: 'parkInvite', park_id: '7', sender_id: SENDER }, '/parks/7'],
  [{ type: 'parkInviteResponse', park_id: '7', sender_id: SENDER }, '/parks/7'],
  [{ type: 'parkInvite' }, '/notifications'],
  [{ type: 'friendRequest', sender_id: SENDER }, '/notifications'],
  [{ type: 'friendApproval', sender_id: SENDER }, `/profile/${SENDER}`],
  [{ type: 'friendApproval' }, '/notifications'],
  [{ type: 'hazard', park_id: '7' }, '/parks/7'],
  [{ type: 'deskDecision', park_id: '7' }, '/parks/7'],
  [{ type: 'lostDog', lost_id: ID }, `/?lost=${ID}`],
  [{ type: 'dogSighting', dog_id: ID, owner_id: SENDER }, `/profile/${SENDER}/dogs/${ID}`],
])('%j leads to %s', (data, path) => {
  expect(pushTarget({ ...data, notification_id: ID })).toEqual({ path, notificationId: ID });
});

it.each([
  null,
  'text',
  {},
  { type: 'somethingNew', notification_id: ID },
  { type: 'parkInvite', park_id: '7/../../login', notification_id: ID },
  { type: 'friendApproval', sender_id: '../../login', notification_id: ID },
  { type: 'lostDog', lost_id: '1&park=2', notification_id: ID },
  { type: 'friendRequest', notification_id: '1 or 1=1' },
])('%j leads to the list', (data) => {
  expect(pushTarget(data)).toEqual({ path: '/notifications', notificationId: null });
});
