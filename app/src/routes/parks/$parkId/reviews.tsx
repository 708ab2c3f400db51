// /parks/{id}/reviews: what people think of the park.
import { createFileRoute } from '@tanstack/react-router';
import { useParkStatus } from '#/data/parks/park-status.ts';
import { ParkReviewsList } from '#/features/reviews/components/park-reviews-list.tsx';
import { ReviewColumns } from '#/features/reviews/components/review-columns.tsx';
import { ReviewSummary } from '#/features/reviews/components/review-summary.tsx';
import { useParkContext } from './-park-context.ts';

export const Route = createFileRoute('/parks/$parkId/reviews')({ component: ReviewsPage });

function ReviewsPage() {
  const { parkId } = Route.useParams();
  const { guard, openReview } = useParkContext();
  const status = useParkStatus(parkId).data;
  return (
    <ReviewColumns>
      {status && (
        <ReviewSummary
          average={status.average_rank}
          count={status.review_count}
          distribution={status.rank_distribution}
        />
      )}
      <ParkReviewsList
        parkId={parkId}
        guard={guard}
        writing={{ written: Boolean(status?.my_review_id), onWrite: openReview }}
      />
    </ReviewColumns>
  );
}
