// The user's own review of a park, for editing.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ParkReview } from '#/features/reviews/queries/park-reviews.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';

export type MyReview = Pick<
  ParkReview,
  'id' | 'title' | 'content' | 'rank' | 'anonymous' | 'updated_at'
>;

/** Returns null if the user has not reviewed the park. @throws {AppError} */
async function fetchMyReview(parkId: number): Promise<MyReview | null> {
  const rows = await request((client) =>
    client
      .from('park_reviews')
      .select('id,title,content,rank,anonymous,updated_at')
      .eq('park_id', parkId)
      .eq('mine', true)
      .limit(1),
  );
  return rows[0] ?? null;
}

export const myReviewQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: [...parkKeys.reviews(parkId), 'mine'],
    queryFn: () => fetchMyReview(parkId),
    staleTime: STALE.live,
  });

/** @param enabled false while logged out */
export const useMyReview = (parkId: number, enabled: boolean) =>
  useQuery({ ...myReviewQueryOptions(parkId), enabled });
