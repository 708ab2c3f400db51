// Creates or changes the user's review of a park. Each user has at most one per park.
import * as v from 'valibot';
import { type MyReview, myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import {
  type ParkReview,
  parkReviewsQueryOptions,
  withReview,
} from '#/features/reviews/queries/park-reviews.ts';
import { MAX_CONTENT, MAX_RANK, MAX_TITLE } from '#/features/reviews/review-limits.ts';
import { otherReviewKeys, reviewsKeys } from '#/features/reviews/reviews-keys.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

/** The fields of the form. Issue messages are message keys, which the form shows next to the field. */
export const reviewInput = v.object({
  rank: v.pipe(
    v.number('reviews.form.rankMissing'),
    v.integer(),
    v.minValue(1),
    v.maxValue(MAX_RANK),
  ),
  title: v.pipe(v.string(), v.trim(), v.maxLength(MAX_TITLE, 'ui.field.tooLong')),
  content: v.pipe(v.string(), v.trim(), v.maxLength(MAX_CONTENT, 'ui.field.tooLong')),
  anonymous: v.boolean(),
});

const saveReviewInput = v.object({
  ...reviewInput.entries,
  parkId: v.number(),
  /** The `updated_at` of the review that the user edited; null for a new review. */
  seen: v.nullish(v.string()),
  /**
   * ISO 8601. The server rejects the command if the stored review is newer. Null overwrites any review. If it is undefined, a
   * queued command sends `seen` instead.
   */
  basedOn: v.nullish(v.string()),
});

type SaveReviewInput = v.InferOutput<typeof saveReviewInput>;

/**
 * A timestamp older than any review. With it, the server rejects the command if the user has a review that this device did not
 * know.
 */
const NONE_YET = '1970-01-01T00:00:00Z';

const forceOverwrite = (input: SaveReviewInput): SaveReviewInput => ({ ...input, basedOn: null });

/** The response is the review as its author sees it; null if a moderator has hidden it. */
export const command = defineCommand<SaveReviewInput, ParkReview | null>({
  name: 'save_review',
  input: saveReviewInput,
  send: (
    { parkId, title, content, rank, anonymous, seen, basedOn },
    { client, key, isQueued, request },
  ) =>
    request<ParkReview | null>(
      client.rpc('save_review', {
        p_park_id: parkId,
        p_title: title,
        p_content: content,
        p_rank: rank,
        p_anonymous: anonymous,
        p_key: key,
        p_based_on: basedOn === undefined && isQueued ? (seen ?? NONE_YET) : (basedOn ?? null),
      }),
    ),
  apply({ parkId, rank, title, content, anonymous }, { response }) {
    const { queryKey: mine } = myReviewQueryOptions(parkId);
    if (response === null) return [];
    if (!response)
      return [
        change<MyReview | null | undefined>(mine, (review) => ({
          id: '',
          updated_at: '',
          ...review,
          rank,
          title,
          content,
          anonymous,
        })),
      ];
    const { queryKey: newest } = parkReviewsQueryOptions(parkId, 'newest');
    return [
      change(mine, () => response),
      change<{ pages: ParkReview[][] } | undefined>(
        newest,
        (reviews) => reviews && { ...reviews, pages: withReview(reviews.pages, response) },
      ),
    ];
  },
  invalidates: ({ parkId }, response) => (response ? otherReviewKeys(parkId) : reviewsKeys(parkId)),
  queue: {
    // A later command may overwrite the review that was just sent, because the user wrote it afterwards.
    afterSent: (later, sent) => (later.parkId === sent.parkId ? forceOverwrite(later) : later),
    decisions: {
      'errors.review_changed': {
        label: 'queuedCommands.replaceNewer',
        change: forceOverwrite,
        preview: ({ rank, title, content }) => ({ stars: rank, texts: [title, content] }),
      },
    },
  },
});

export const useSaveReview = () => useCommand(command);
