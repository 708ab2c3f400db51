// The query client: data is fresh for 24 hours and is kept for 24 hours. Queries that change sooner use a time of stale.ts.
import { onlineManager, QueryClient } from '@tanstack/react-query';
import { retryQuery } from '#/data/retry-policy.ts';
import { STALE } from '#/data/stale.ts';
import { isOnline, onOnlineChange } from '#/platform/online.ts';

// TanStack Query's online manager assumes that the device is online until an event reports otherwise, and it listens only while a
// query is mounted. An app that starts offline would be considered online, so set the state here.
onlineManager.setOnline(isOnline());
onlineManager.setEventListener(onOnlineChange);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE.day,
      gcTime: STALE.day,
      refetchOnWindowFocus: false,
      // When offline a query must fail; if it were paused, its skeleton would stay forever.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: retryQuery,
    },
    // When offline a mutation must fail; if it were paused, its button would stay busy forever.
    mutations: { networkMode: 'always' },
  },
});
