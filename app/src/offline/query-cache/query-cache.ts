// Caches what was seen on this device for a day, and what is one's own for a month, for one person, so that it is there without a network after a restart.
import { type DehydratedState, dehydrate, hydrate, type QueryKey } from '@tanstack/react-query';
import { openStore } from '#/offline/device-store.ts';
import { MOST_QUERIES } from '#/offline/limits.ts';
import { onHide } from '#/platform/lifecycle.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { queryClient } from '#/data/query-client.ts';
import { getSession, storedSession } from '#/data/session/session.ts';
import { readStoredSession } from '#/platform/stored-session.ts';

/** Raise it whenever the shape of a cached answer changes: old ones are then forgotten. */
const SHAPE = 2;
const KEY = 'seen';
const PAUSE_MS = 1000;

type CachedQuery = DehydratedState['queries'][number];

interface Cached {
  shape: number;
  /** Whose it is; null: a visitor's. */
  userId: string | null;
  queries: CachedQuery[];
}

const store = openStore<Cached>('packpark-seen', 'queries');

/** The app's rules of what is cached and in which form; this file knows no entity. */
interface CacheRules {
  isCached: (key: QueryKey) => boolean;
  /** What is still worth caching, in the order of its worth. @param now milliseconds since the epoch */
  worthCaching: (
    queries: readonly CachedQuery[],
    userId: string | null,
    now: number,
  ) => CachedQuery[];
  toStore: (key: QueryKey, data: unknown) => unknown;
  toShow: (key: QueryKey, data: unknown, now: number) => unknown;
}

/** Restores what this person saw within the last day, and their own data from longer ago. Another person's data is deleted. */
export async function restoreQueries({ worthCaching, toShow }: CacheRules): Promise<void> {
  const cached = await store.get(KEY);
  if (!cached) return;
  await readStoredSession();
  const userId = storedSession()?.user.id ?? null;
  if (cached.shape !== SHAPE || cached.userId !== userId) return forgetQueries();
  const now = Date.now();
  const queries = worthCaching(cached.queries, userId, now).map((query) => ({
    ...query,
    state: { ...query.state, data: toShow(query.queryKey, query.state.data, now) },
  }));
  hydrate(queryClient, { mutations: [], queries });
}

/** Deletes all of it: after a logout, or when access to a person's data was lost. */
export async function forgetQueries(): Promise<void> {
  writeLocal('keptPages', null);
  await store.delete(KEY);
}

function seen({ isCached, toStore }: CacheRules): CachedQuery[] {
  const { queries } = dehydrate(queryClient, {
    shouldDehydrateQuery: ({ queryKey, state }) => isCached(queryKey) && state.data !== undefined,
  });
  // Without what went wrong since: an error is of its moment, and may hold what no store can.
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
    // What another tab saw stays, too.
    const others =
      before?.shape === SHAPE && before.userId === userId
        ? before.queries.filter(
            ({ queryHash }) => !mine.some((query) => query.queryHash === queryHash),
          )
        : [];
    const queries = rules.worthCaching([...mine, ...others], userId, now).slice(0, MOST_QUERIES);
    return { shape: SHAPE, userId, queries };
  });
  writeLocal('keptPages', 'yes');
}

/** Call once: from then on, what is seen is cached a moment later, and when the page is left. */
export function startCaching(rules: CacheRules): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveNow = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    // A full disk is no reason to stop: the app then works as without it.
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
  // What came before this began.
  saveSoon();
}
