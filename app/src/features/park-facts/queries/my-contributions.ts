// The user's contributions to parks, with their status.
import { queryOptions } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';

export interface Contribution {
  type: 'park' | 'suggestion' | 'photo';
  id: string;
  park_id: number;
  park_name: string;
  status: 'pending' | 'approved' | 'rejected';
  /** ISO 8601; photos have only a date. */
  created_at: string;
}

export const myContributionsQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.myContributions,
    queryFn: () =>
      request((client) => client.rpc('my_contributions').overrideTypes<Contribution[]>()),
    staleTime: STALE.minute,
  });
