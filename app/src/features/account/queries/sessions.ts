// Where I am logged in.
import { queryOptions } from '@tanstack/react-query';
import { STALE } from '#/data/stale.ts';
import { ask } from '#/data/ask.ts';

export interface OwnSession {
  id: string;
  created_at: string;
  /** ISO 8601; told when the session is renewed, about hourly. */
  last_used_at: string;
  /** Null for logins from before it was noted. */
  user_agent: string | null;
  is_current: boolean;
}

const KEY = ['account', 'sessions'] as const;

export const sessionsQueryOptions = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: (): Promise<OwnSession[]> => ask((client) => client.rpc('my_sessions')),
    staleTime: STALE.minute,
  });
