// The channel that Android shows our notifications in.
import { expect, test, vi } from 'vitest';
import { makeChannel } from '#/platform/push.ts';

const createChannel = vi.hoisted(() => vi.fn());
vi.mock('@capacitor/push-notifications', () => ({ PushNotifications: { createChannel } }));

test('it is the default one, and sounds without covering the screen', async () => {
  await makeChannel('News');
  expect(createChannel.mock.calls).toEqual([[{ id: 'default', name: 'News', importance: 3 }]]);
});
