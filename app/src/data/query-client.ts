// The query cache: answers are fresh for 24 hours and stay for 24 hours; queries that change sooner set a time of stale.ts.
import { onlineManager, QueryClient } from '@tanstack/react-query';
import { retryQuery } from '#/data/retry-policy.ts';
import { STALE } from '#/data/stale.ts';
import { isOnline, onOnlineChange } from '#/platform/online.ts';

// The manager assumes a network until it hears of a change, and listens only while a query is mounted: an app that starts
// without a network would be taken for online.
onlineManager.setOnline(isOnline());
onlineManager.setEventListener(onOnlineChange);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE.day,
      gcTime: STALE.day,
      refetchOnWindowFocus: false,
      // Without a network a query fails at once and says so; paused, its skeleton would stand for ever.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: retryQuery,
    },
    // Without a network a mutation fails and says so; paused, its button would spin for ever.
    mutations: { networkMode: 'always' },
  },
});
