// The history of notifications in the cache: however far somebody scrolls, never more than 200.
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import {
  HISTORY_PAGE,
  historyQueryOptions,
} from '#/features/notifications/queries/notifications.ts';
import { type AppNotification, MOST_CACHED } from '#/features/notifications/notification.ts';

it('holds 200 of a longer history, in whole pages', async () => {
  let made = 0;
  const page = (): AppNotification[] =>
    Array.from({ length: HISTORY_PAGE }, () => ({
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
    }));
  const { pages } = await new QueryClient().fetchInfiniteQuery({
    ...historyQueryOptions('me'),
    queryFn: page,
    pages: 12,
  });
  expect(made).toBeGreaterThan(MOST_CACHED);
  expect(pages.flat()).toHaveLength(MOST_CACHED);
});
