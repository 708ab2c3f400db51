// Writes or changes my review of a park: one per person and park.
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { getSession } from '#/data/session/session.ts';
import { supabase } from '#/data/supabase.ts';

export const LONGEST_TITLE = 120;
export const LONGEST_CONTENT = 4000;

/** The texts of issues are message keys; the form shows them beside the field. */
export const reviewInput = v.object({
  rank: v.pipe(v.number('reviews.form.rankMissing'), v.integer(), v.minValue(1), v.maxValue(5)),
  title: v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_TITLE, 'reviews.form.tooLong')),
  content: v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_CONTENT, 'reviews.form.tooLong')),
  anonymous: v.boolean(),
});

export type ReviewInput = v.InferOutput<typeof reviewInput>;

/** Older than any review: whoever saw none may not write over one that came since. */
const NONE_YET = '1970-01-01T00:00:00Z';

/**
 * The review's id, or 'queued' without a network.
 * @param seen the `updated_at` of my review as I saw it, null where there was none: what waited must not write over a newer one
 * @throws {AppError} `terms_required` before the first post
 */
export async function saveReview(
  parkId: number,
  review: ReviewInput,
  key: string,
  seen: string | null,
): Promise<string> {
  const input = v.parse(reviewInput, review);
  const args = {
    p_park_id: parkId,
    p_title: input.title,
    p_content: input.content,
    p_rank: input.rank,
    p_anonymous: input.anonymous,
    p_key: key,
  };
  const waiting = { ...args, p_based_on: seen ?? NONE_YET };
  return sendOrQueue({ id: key, deed: 'save_review', args: waiting }, async () => {
    const client = await supabase();
    return String(unwrap(await client.rpc('save_review', args)));
  });
}

/** What is stale once a park's reviews changed. */
export async function refreshReviews(queryClient: QueryClient, parkId: number): Promise<void> {
  await Promise.all(
    [
      parkKeys.reviews(parkId),
      parkKeys.status(parkId),
      parkKeys.live,
      peopleKeys.reviews(getSession().userId ?? ''),
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

export function useSaveReview(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({
      review,
      key,
      seen,
    }: {
      review: ReviewInput;
      key: string;
      seen: string | null;
    }) => saveReview(parkId, review, key, seen),
    onSuccess: () => refreshReviews(queryClient, parkId),
  });
}
