// Tests that the cache contains only the newest 200 notifications, without duplicates.
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { cacheArrival, HISTORY_PAGE, historyQueryOptions } from './notifications.ts';
import {
  type AppNotification,
  MAX_CACHED,
  targetOf,
} from '#/features/notifications/notification.ts';
import { userKeys } from '#/entities/users/user-keys.ts';

let made = 0;
const one = (): AppNotification => ({
  id: String(made++),
  type: 'friendRequest',
  sender_id: null,
  title: '',
  app_message: '',
  read_at: null,
  seen_at: null,
  created_at: new Date(made).toISOString(),
  data: {},
  sender: null,
});
const several = (count: number) => Array.from({ length: count }, one);

/** Returns a cache after the user has scrolled to the end of the history. */
async function scrolled(): Promise<QueryClient> {
  made = 0;
  const client = new QueryClient();
  await client.fetchInfiniteQuery({
    ...historyQueryOptions('me'),
    queryFn: () => several(HISTORY_PAGE),
    pages: 12,
  });
  return client;
}

const historyOf = (client: QueryClient) =>
  client
    .getQueryData(historyQueryOptions('me').queryKey)
    ?.pages.flat()
    .map(({ id }) => id) ?? [];

it('the cache contains the newest 200 of a longer history', async () => {
  const held = historyOf(await scrolled());
  expect(held).toHaveLength(MAX_CACHED);
  expect(held[0]).toBe('0');
});

it('a new notification replaces the oldest one in a full cache', async () => {
  const client = await scrolled();
  const oldest = historyOf(client).at(-1);
  client.setQueryData(userKeys.unseen, []);
  cacheArrival(client, one());
  const held = historyOf(client);
  expect(held).toHaveLength(MAX_CACHED - 1);
  expect(held[0]).toBe('0');
  expect(held).not.toContain(oldest);
});

it('an unseen notification that arrives again moves to the front, and only 200 remain', () => {
  const client = new QueryClient();
  const [newest, second, ...older] = several(MAX_CACHED);
  client.setQueryData(userKeys.unseen, [newest, second, ...older]);
  const again = { ...one(), id: second?.id ?? '' };
  cacheArrival(client, again);
  expect(client.getQueryData(userKeys.unseen)).toEqual([again, newest, ...older]);
  const another = one();
  cacheArrival(client, another);
  const held = [another, again, newest, ...older.slice(0, -1)];
  expect(client.getQueryData(userKeys.unseen)).toEqual(held);
});

it("a friend request opens the sender's profile", () => {
  expect(targetOf({ ...one(), sender_id: 'somebody' })).toBe('/profile/somebody');
});
