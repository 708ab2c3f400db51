// The reviews of a park in pages. Anonymous reviews have no author.
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';
import type { Database } from '../../../../../shared/database.types.ts';

/** `author_picture` is the path of a dog's photo in the users bucket; null if the author has none or the caller may not see it. */
export type ParkReview = Database['public']['Views']['park_reviews']['Row'];

export const REVIEW_ORDERS = ['newest', 'best', 'worst'] as const;
export type ReviewOrder = (typeof REVIEW_ORDERS)[number];

const PAGE = 20;

/** @param page starts at 0 @throws {AppError} */
async function fetchParkReviews(
  parkId: number,
  order: ReviewOrder,
  page: number,
): Promise<ParkReview[]> {
  const client = await supabase();
  let rows = client
    .from('park_reviews')
    .select(
      'id,park_id,title,content,rank,anonymous,author_id,author_name,author_picture,mine,created_at,updated_at',
    )
    .eq('park_id', parkId);
  if (order !== 'newest') rows = rows.order('rank', { ascending: order === 'worst' });
  rows = rows.order('created_at', { ascending: false }).order('id');
  return unwrap(await rows.range(page * PAGE, page * PAGE + PAGE - 1));
}

/**
 * Adds a saved review to the pages of newest reviews. Page sizes stay the same, because the offset of the next page depends on
 * them.
 */
export function withReview(
  pages: readonly (readonly ParkReview[])[],
  review: ParkReview,
): ParkReview[][] {
  const others = pages.flat().filter(({ id }) => id !== review.id);
  // Other users' reviews have a date without a time, so the new review is sorted before those of the same day, as on the server.
  const all = [review, ...others].sort(
    (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at),
  );
  return pages.map((_, page) => all.slice(page * PAGE, (page + 1) * PAGE));
}

export const parkReviewsQueryOptions = (parkId: number, order: ReviewOrder) =>
  infiniteQueryOptions({
    queryKey: [...parkKeys.reviews(parkId), order],
    queryFn: ({ pageParam }) => fetchParkReviews(parkId, order, pageParam),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE ? undefined : all.length),
    staleTime: STALE.minute,
  });

export const useParkReviews = (parkId: number, order: ReviewOrder) =>
  useInfiniteQuery(parkReviewsQueryOptions(parkId, order));
