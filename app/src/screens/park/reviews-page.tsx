// The reviews of a park, with their summary.
import { getRouteApi } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { useParkStatus } from '#/entities/parks/park-status.ts';
import { ParkReviewsList } from '#/features/reviews/components/park-reviews-list.tsx';
import { ReviewSummary } from '#/features/reviews/components/review-summary.tsx';
import { useParkContext } from '#/screens/park/park-context.ts';
import styles from './reviews.module.css';

const route = getRouteApi('/parks/$parkId/reviews');

export function ReviewsPage() {
  const { parkId } = route.useParams();
  const { guard, openReview } = useParkContext();
  const status = useParkStatus(parkId).data;
  const queryClient = useQueryClient();
  const ranks = status && JSON.stringify(status.rank_distribution);
  const shown = useRef(ranks);
  // Summary and list are separate queries, so refetch the list if the summary's numbers have changed.
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== ranks)
      void queryClient.invalidateQueries({ queryKey: parkKeys.reviews(parkId) });
    shown.current = ranks;
  }, [ranks, parkId, queryClient]);
  return (
    <div className={styles.columns}>
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
    </div>
  );
}
