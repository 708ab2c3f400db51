// Stores cached queries on this device, so they are available offline after a restart: for a day, the user's own data for a month.
import { type DehydratedState, dehydrate, hydrate, type QueryKey } from '@tanstack/react-query';
import { openStore } from '#/offline/device-store.ts';
import { MAX_QUERIES } from '#/offline/cache-limits.ts';
import { onHide } from '#/platform/lifecycle.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { queryClient } from '#/data/query-client.ts';
import { getSession, storedSession } from '#/data/session/session.ts';
import { readStoredSession } from '#/platform/stored-session.ts';

/** Increase it when the shape of a cached response changes; older caches are then deleted. */
const SHAPE = 2;
const KEY = 'seen';
const PAUSE_MS = 1000;

type CachedQuery = DehydratedState['queries'][number];

interface Cached {
  shape: number;
  /** The user whose data it is; null for a visitor. */
  userId: string | null;
  queries: CachedQuery[];
}

const store = openStore<Cached>('packpark-seen', 'queries');

/** The app's rules for caching; this module does not know any entity. */
interface CacheRules {
  isCached: (key: QueryKey) => boolean;
  /** The queries that are worth caching, the most important first. @param now milliseconds since the epoch */
  worthCaching: (
    queries: readonly CachedQuery[],
    userId: string | null,
    now: number,
  ) => CachedQuery[];
  toStore: (key: QueryKey, data: unknown) => unknown;
  toShow: (key: QueryKey, data: unknown, now: number) => unknown;
}

/** Restores this user's queries of the last day, and their own data of the last month. Deletes other users' data. */
export async function restoreQueries({ worthCaching, toShow }: CacheRules): Promise<void> {
  const cached = await store.get(KEY);
  if (!cached) return;
  await readStoredSession();
  const userId = storedSession()?.user.id ?? null;
  if (cached.shape !== SHAPE || cached.userId !== userId) return clearQueryCache();
  const now = Date.now();
  const queries = worthCaching(cached.queries, userId, now).map((query) => ({
    ...query,
    state: { ...query.state, data: toShow(query.queryKey, query.state.data, now) },
  }));
  hydrate(queryClient, { mutations: [], queries });
}

/** Deletes the cache: after a logout, or when access to a user's data was lost. */
export async function clearQueryCache(): Promise<void> {
  writeLocal('cachedQueries', null);
  await store.delete(KEY);
}

function seen({ isCached, toStore }: CacheRules): CachedQuery[] {
  const { queries } = dehydrate(queryClient, {
    shouldDehydrateQuery: ({ queryKey, state }) => isCached(queryKey) && state.data !== undefined,
  });
  // Omit errors, because they are not relevant after a restart and may contain values that cannot be stored.
  return queries.map(({ queryKey, queryHash, state, queryType, dehydratedAt }) => ({
    queryKey,
    queryHash,
    dehydratedAt,
    ...(queryType && { queryType }),
    state: {
      ...state,
      data: toStore(queryKey, state.data),
      status: 'success',
      fetchStatus: 'idle',
      error: null,
      errorUpdateCount: 0,
      fetchFailureCount: 0,
      fetchFailureReason: null,
      fetchMeta: null,
      isInvalidated: true,
    },
  }));
}

async function save(rules: CacheRules): Promise<void> {
  const { status, userId } = getSession();
  if (status === 'unknown') return;
  const now = Date.now();
  const mine = rules.worthCaching(seen(rules), userId, now);
  await store.update(KEY, (before) => {
    // Keeps the queries that another tab has stored.
    const others =
      before?.shape === SHAPE && before.userId === userId
        ? before.queries.filter(
            ({ queryHash }) => !mine.some((query) => query.queryHash === queryHash),
          )
        : [];
    const queries = rules.worthCaching([...mine, ...others], userId, now).slice(0, MAX_QUERIES);
    return { shape: SHAPE, userId, queries };
  });
  writeLocal('cachedQueries', 'yes');
}

/** Call once: stores the cache shortly after each change, and when the page is hidden. */
export function startCaching(rules: CacheRules): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveNow = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    // If the disk is full, the app works without a stored cache.
    save(rules).catch((error: unknown) => console.warn('No more queries can be cached:', error));
  };
  const saveSoon = () => {
    timer ??= setTimeout(saveNow, PAUSE_MS);
  };
  queryClient.getQueryCache().subscribe((event) => {
    const changed =
      event.type === 'updated' &&
      (event.action.type === 'success' || event.action.type === 'setState');
    if (changed && rules.isCached(event.query.queryKey)) saveSoon();
  });
  onHide(saveNow);
  // Store the queries that were fetched before caching started.
  saveSoon();
}
