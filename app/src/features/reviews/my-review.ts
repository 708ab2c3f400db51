// My review of a park, as every screen shows it: the server's answer, and what I wrote that waits. Pure.
import type { SaveReviewInput } from '#/features/reviews/commands/save-review.command.ts';
import type { MyReview } from '#/features/reviews/queries/my-review.ts';
import { type Waiting, withWaiting } from '#/offline/command-queue/waiting.ts';

type Written = Pick<MyReview, 'title' | 'content' | 'rank' | 'anonymous'>;

export const myReviewOf = (answer: Written | null, queue: readonly Waiting[], parkId: number) =>
  withWaiting(answer, queue, 'save_review', (_shown, input: SaveReviewInput) =>
    input.parkId === parkId ? input : undefined,
  );
