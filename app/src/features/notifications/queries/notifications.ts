// My notifications: the unseen ones as one list of at most 200, the seen ones in pages by time.
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { type AppNotification, MOST_CACHED } from '#/features/notifications/notification.ts';
import { unwrap } from '#/i18n/errors.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

const COLUMNS =
  'id,type,sender_id,title,app_message,read_at,seen_at,created_at,data,sender:users!notifications_sender_id_fkey(id,name,picture)';

/** What the generated types cannot know of a row. */
type Told = Pick<AppNotification, 'data'>;

/** Divides what the cache holds, so that whole pages never are more. */
export const HISTORY_PAGE = 25;

/** Newest first. @throws {AppError} */
export async function fetchUnseen(userId: string): Promise<AppNotification[]> {
  const client = await supabase();
  return unwrap(
    await client
      .from('notifications')
      .select(COLUMNS)
      .eq('receiver_id', userId)
      .eq('is_ready', true)
      .is('seen_at', null)
      .order('created_at', { ascending: false })
      .limit(MOST_CACHED)
      .overrideTypes<Told[]>(),
  );
}

/** @param before only older than this time, or null for the newest. @throws {AppError} */
export async function fetchHistory(
  userId: string,
  before: string | null,
): Promise<AppNotification[]> {
  const client = await supabase();
  let rows = client
    .from('notifications')
    .select(COLUMNS)
    .eq('receiver_id', userId)
    .eq('is_ready', true)
    .not('seen_at', 'is', null);
  if (before) rows = rows.lt('created_at', before);
  return unwrap(
    await rows
      .order('created_at', { ascending: false })
      .limit(HISTORY_PAGE)
      .overrideTypes<Told[]>(),
  );
}

/** One notification with its sender; null when it is not mine or not ready. @throws {AppError} */
export async function fetchNotification(id: string): Promise<AppNotification | null> {
  const client = await supabase();
  return unwrap(
    await client
      .from('notifications')
      .select(COLUMNS)
      .eq('id', id)
      .maybeSingle()
      .overrideTypes<Told>(),
  );
}

export const unseenQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: peopleKeys.unseen,
    queryFn: () => fetchUnseen(userId),
    staleTime: STALE.minute,
  });

export const historyQueryOptions = (userId: string) =>
  infiniteQueryOptions({
    queryKey: peopleKeys.history,
    queryFn: ({ pageParam }) => fetchHistory(userId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < HISTORY_PAGE ? undefined : last.at(-1)?.created_at),
    maxPages: MOST_CACHED / HISTORY_PAGE,
    staleTime: STALE.minute,
  });

export const useUnseen = (userId: string) => useQuery(unseenQueryOptions(userId));
export const useHistory = (userId: string) => useInfiniteQuery(historyQueryOptions(userId));
