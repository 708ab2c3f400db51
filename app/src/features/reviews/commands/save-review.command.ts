// Writes or changes my review of a park: one per person and park.
import * as v from 'valibot';
import { myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import {
  type ParkReview,
  parkReviewsQueryOptions,
  withReview,
} from '#/features/reviews/queries/park-reviews.ts';
import { reviewsKeys } from '#/features/reviews/reviews-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const LONGEST_TITLE = 120;
export const LONGEST_CONTENT = 4000;

/** What the form asks for. The texts of issues are message keys; the form shows them beside the field. */
export const reviewInput = v.object({
  rank: v.pipe(v.number('reviews.form.rankMissing'), v.integer(), v.minValue(1), v.maxValue(5)),
  title: v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_TITLE, 'ui.field.tooLong')),
  content: v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_CONTENT, 'ui.field.tooLong')),
  anonymous: v.boolean(),
});

const saveReviewInput = v.object({
  ...reviewInput.entries,
  parkId: v.number(),
  /** The `updated_at` of my review as I saw it; null where there was none. */
  seen: v.nullish(v.string()),
  /** ISO 8601. The server refuses to write over a review that is newer; null: it writes over whatever is there. */
  basedOn: v.nullish(v.string()),
});

export type SaveReviewInput = v.InferOutput<typeof saveReviewInput>;

/** Older than any review: a person who saw none may not overwrite one that came since. */
const NONE_YET = '1970-01-01T00:00:00Z';

const forceOverwrite = (input: SaveReviewInput): SaveReviewInput => ({ ...input, basedOn: null });

/** Answers the review as its author reads it; null where a moderator hid it. */
export const command = defineCommand<SaveReviewInput, ParkReview | null>({
  name: 'save_review',
  input: saveReviewInput,
  send: ({ parkId, title, content, rank, anonymous, basedOn }, { client, key, ask }) =>
    ask<ParkReview | null>(
      client.rpc('save_review', {
        p_park_id: parkId,
        p_title: title,
        p_content: content,
        p_rank: rank,
        p_anonymous: anonymous,
        p_key: key,
        p_based_on: basedOn ?? null,
      }),
    ),
  changes: ({ parkId }) => reviewsKeys(parkId),
  show(queryClient, { parkId }, review) {
    if (review === null) return [];
    const { queryKey: mine } = myReviewQueryOptions(parkId);
    const { queryKey: newest } = parkReviewsQueryOptions(parkId, 'newest');
    queryClient.setQueryData(mine, review);
    queryClient.setQueryData(
      newest,
      (known) => known && { ...known, pages: withReview(known.pages, review) },
    );
    return [mine, newest];
  },
  // What waited must not write over a newer one.
  whenQueued: (input) => ({ ...input, basedOn: input.seen ?? NONE_YET }),
  // A later review of the same park was written over that one, which is now the newest.
  afterDone: (later, done) => (later.parkId === done.parkId ? forceOverwrite(later) : later),
  decisions: {
    'errors.review_changed': { label: 'queuedCommands.replaceNewer', change: forceOverwrite },
  },
  preview: ({ rank, title, content }) => ({ stars: rank, texts: [title, content] }),
});

export const useSaveReview = () => useCommand(command);
