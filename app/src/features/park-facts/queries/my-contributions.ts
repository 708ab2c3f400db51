// What I added to parks, and what became of it.
import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';

export interface Contribution {
  kind: 'park' | 'suggestion' | 'photo';
  id: string;
  park_id: number;
  park_name: string;
  status: 'pending' | 'approved' | 'rejected';
  /** ISO 8601; of photos the day only. */
  created_at: string;
}

export const myContributionsQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.myContributions,
    queryFn: async () => {
      const client = await supabase();
      return unwrap(await client.rpc('my_contributions').overrideTypes<Contribution[]>());
    },
    staleTime: STALE.minute,
  });
