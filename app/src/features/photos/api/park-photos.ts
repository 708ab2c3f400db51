// The photos that people gave to a park: approved ones for all, their own waiting ones for those who sent them.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/lib/park-keys.ts';
import { unwrap } from '#/lib/errors.ts';
import { STALE } from '#/lib/stale.ts';
import { supabase } from '#/lib/supabase.ts';

export interface ParkPhoto {
  /** The object's path in bucket parks. */
  path: string;
  status: 'pending' | 'approved' | 'rejected';
}

/** @throws {AppError} */
export async function fetchParkPhotos(parkId: number): Promise<ParkPhoto[]> {
  const client = await supabase();
  return unwrap(
    await client
      .from('park_photos')
      .select('path,status')
      .eq('park_id', parkId)
      .neq('status', 'rejected')
      .limit(60),
  ) as unknown as ParkPhoto[];
}

export const parkPhotosQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.photos(parkId),
    queryFn: () => fetchParkPhotos(parkId),
    staleTime: STALE.minute,
  });

export function useParkPhotos(parkId: number) {
  return useQuery(parkPhotosQueryOptions(parkId));
}
