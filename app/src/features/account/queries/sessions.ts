import { queryOptions } from '@tanstack/react-query';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { Database } from '../../../../../shared/database.types.ts';

/** `last_used_at` changes when the session is refreshed, about hourly; `user_agent` may be null. */
export type OwnSession = Database['public']['Functions']['my_sessions']['Returns'][number];

export const sessionsQueryOptions = () =>
  queryOptions({
    queryKey: ['account', 'sessions'],
    queryFn: () => request((client) => client.rpc('my_sessions')),
    staleTime: STALE.minute,
  });
