// The cache of what the server said: 24 hours fresh and 24 hours kept, as the spec says.
import { QueryClient } from '@tanstack/react-query';
import { STALE } from '#/lib/stale.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE.day, gcTime: STALE.day, retry: 1, refetchOnWindowFocus: false },
    // Without a network a mutation fails and says so; paused, its button would spin for ever.
    mutations: { networkMode: 'always' },
  },
});
