// My dogs, as far as the check-in sheet needs them: who may come along.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { unwrap } from '#/lib/errors.ts';
import { STALE } from '#/lib/stale.ts';
import { supabase } from '#/lib/supabase.ts';

export interface Companion {
  id: string;
  name: string;
}

/** @throws {AppError} */
export async function fetchCompanions(ownerId: string): Promise<Companion[]> {
  const client = await supabase();
  return unwrap(
    await client
      .from('dogs')
      .select('id,name')
      .eq('owner', ownerId)
      .is('deleted_at', null)
      .order('created_at'),
  ) as unknown as Companion[];
}

export const companionsQueryOptions = (ownerId: string) =>
  queryOptions({
    queryKey: ['check-ins', 'companions', ownerId],
    queryFn: () => fetchCompanions(ownerId),
    // A dog that was just added should be there to come along.
    staleTime: STALE.live,
  });

export function useCompanions(ownerId: string) {
  return useQuery(companionsQueryOptions(ownerId));
}
