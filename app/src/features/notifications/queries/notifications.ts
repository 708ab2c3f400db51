// The user's notifications. Unseen ones are one list, and seen ones are pages by time. The cache contains at most 200 in total.
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { type AppNotification, MAX_CACHED } from '#/features/notifications/notification.ts';
import { unwrap } from '#/i18n/errors.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import { supabase } from '#/data/supabase.ts';

const COLUMNS =
  'id,type,sender_id,title,app_message,read_at,seen_at,created_at,data,sender:users!notifications_sender_id_fkey(id,name,picture)';

/** Columns whose types the generated types lack. */
type Typed = Pick<AppNotification, 'data'>;

export const HISTORY_PAGE = 25;

/** @param before only rows older than this time; null for the newest @throws {AppError} */
async function fetchHistory(
  userId: string,
  before: string | null,
  limit: number,
): Promise<AppNotification[]> {
  if (limit === 0) return [];
  const client = await supabase();
  let rows = client
    .from('notifications')
    .select(COLUMNS)
    .eq('receiver_id', userId)
    .eq('is_ready', true)
    .not('seen_at', 'is', null);
  if (before) rows = rows.lt('created_at', before);
  return unwrap(
    await rows.order('created_at', { ascending: false }).limit(limit).overrideTypes<Typed[]>(),
  );
}

/** Fetches a notification with its sender; null if it belongs to another user or is not ready. @throws {AppError} */
export const fetchNotification = (id: string): Promise<AppNotification | null> =>
  request((client) =>
    client.from('notifications').select(COLUMNS).eq('id', id).maybeSingle().overrideTypes<Typed>(),
  );

/** Unseen notifications, newest first. @throws {AppError} */
const unseenQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: userKeys.unseen,
    queryFn: (): Promise<AppNotification[]> =>
      request((client) =>
        client
          .from('notifications')
          .select(COLUMNS)
          .eq('receiver_id', userId)
          .eq('is_ready', true)
          .is('seen_at', null)
          .order('created_at', { ascending: false })
          .limit(MAX_CACHED)
          .overrideTypes<Typed[]>(),
      ),
    staleTime: STALE.minute,
  });

/** The start of a page of the history, and the number of rows that still fit into the cache. */
interface HistoryPage {
  before: string | null;
  room: number;
}

export const historyQueryOptions = (userId: string) =>
  infiniteQueryOptions({
    queryKey: userKeys.history,
    queryFn: ({ pageParam: { before, room }, client }) =>
      fetchHistory(userId, before, Math.min(HISTORY_PAGE, Math.max(0, room - countUnseen(client)))),
    initialPageParam: { before: null, room: MAX_CACHED } as HistoryPage,
    // The history ends when the cache is full, because the cache must contain the newest rows.
    getNextPageParam: (last, _pages, { room }): HistoryPage | undefined => {
      const oldest = last.at(-1);
      const left = room - last.length;
      return !oldest || last.length < HISTORY_PAGE || left === 0
        ? undefined
        : { before: oldest.created_at, room: left };
    },
    staleTime: STALE.minute,
  });

const countUnseen = (client: QueryClient): number =>
  client.getQueryData<AppNotification[]>(userKeys.unseen)?.length ?? 0;

/**
 * Adds a new notification to the front of the unseen ones without duplicates, and removes the oldest one of the history if the
 * cache is full.
 */
export function cacheArrival(client: QueryClient, notification: AppNotification): void {
  client.setQueryData<AppNotification[]>(
    userKeys.unseen,
    (list) =>
      list &&
      [notification, ...list.filter(({ id }) => id !== notification.id)].slice(0, MAX_CACHED),
  );
  let room = MAX_CACHED - countUnseen(client);
  client.setQueryData<InfiniteData<AppNotification[], HistoryPage>>(
    userKeys.history,
    (history) =>
      history && {
        ...history,
        pages: history.pages.map((page) => {
          const held = page.slice(0, Math.max(0, room));
          room -= held.length;
          return held;
        }),
      },
  );
}

export const useUnseen = (userId: string) => useQuery(unseenQueryOptions(userId));
export const useHistory = (userId: string) => useInfiniteQuery(historyQueryOptions(userId));
