// The reviews of a park with their order and actions, below the button to write one.
import { PenLine } from 'lucide-react';
import { useState } from 'react';
import { useDeleteReview } from '#/features/reviews/commands/delete-review.ts';
import {
  REVIEW_ORDERS,
  useParkReviews,
  type ReviewOrder,
} from '#/features/reviews/queries/park-reviews.ts';
import { reportReview } from '#/features/reviews/commands/report-review.ts';
import { ReviewCard } from '#/features/reviews/components/review-card.tsx';
import { ReportSheet } from '#/entities/reports/report-sheet.tsx';
import { type MyReview, myReviewQueryOptions } from '#/features/reviews/queries/my-review.ts';
import { useT } from '#/i18n/i18n.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { Button } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { FetchFailed } from '#/ui/fetch-failed.tsx';
import { setNamedOverlays, useNamedOverlay } from '#/ui/overlays.ts';
import { SegmentedControl } from '#/ui/segmented-control.tsx';
import { SkeletonText } from '#/ui/skeleton.tsx';
import { Stars } from '#/ui/stars.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import styles from './park-reviews-list.module.css';

interface ParkReviewsListProps {
  parkId: number;
  guard: LoginGate['guard'];
  /** Null for a closed park, which accepts no reviews. */
  writing: {
    /** True if the user has already written a review. The button then edits it. */
    written: boolean;
    onWrite: () => void;
  } | null;
}

export function ParkReviewsList({ parkId, guard, writing }: ParkReviewsListProps) {
  const t = useT();
  const [order, setOrder] = useState<ReviewOrder>('newest');
  const [reporting, setReporting] = useNamedOverlay<string>('report-review');
  const [deleting, setDeleting] = useState<string | null>(null);
  const reviews = useParkReviews(parkId, order);
  const remove = useDeleteReview(parkId);
  const rows = reviews.data?.pages.flat() ?? [];
  const { data: queued } = useWithUnsent<MyReview | null>(
    myReviewQueryOptions(parkId).queryKey,
    null,
  );
  const isWritten = queued !== null || writing?.written;
  const write =
    writing &&
    (() => guard(t('reviews.form.newTitle'), t('reviews.gate'), writing.onWrite, { review: true }));
  const writeButton = write && (
    <Button icon={PenLine} onClick={write}>
      {t(isWritten ? 'reviews.form.editTitle' : 'reviews.form.newTitle')}
    </Button>
  );

  // The button is usable while the reviews are loading or if loading failed.
  if (!reviews.data && !queued)
    return (
      <section className="grid-4">
        <div className={styles.tools}>{writeButton}</div>
        {reviews.isError ? (
          <FetchFailed error={reviews.error} onRetry={() => void reviews.refetch()} />
        ) : (
          <Card aria-busy>
            <SkeletonText lines={4} />
          </Card>
        )}
      </section>
    );
  if (rows.length === 0 && !queued)
    return (
      writeButton && (
        <EmptyState pose="playing" text={t('reviews.list.none')} action={writeButton} />
      )
    );

  return (
    <section className="grid-4" aria-label={t('ui.reviews')}>
      {!writing && <h2 className="text-3">{t('ui.reviews')}</h2>}
      <div className={styles.tools}>
        {writeButton}
        {rows.length > 1 && (
          <SegmentedControl<ReviewOrder>
            label={t('reviews.list.order')}
            options={REVIEW_ORDERS.map((value) => ({
              value,
              label: t(`reviews.list.order.${value}`),
            }))}
            value={order}
            onChange={setOrder}
          />
        )}
      </div>
      {queued && (
        <Card as="article" className={styles.queued}>
          <Stars rank={queued.rank} />
          {[queued.title, queued.content].map(
            (text, index) =>
              text !== '' && (
                <p key={index} dir="auto">
                  {text}
                </p>
              ),
          )}
          <p>{t('ui.notSentYet')}</p>
        </Card>
      )}
      {rows.map((review) => (
        <ReviewCard
          key={review.id}
          review={review}
          onEdit={write}
          onDelete={() => setDeleting(review.id)}
          onReport={() => {
            const reported = { 'report-review': review.id };
            guard(
              t('reviews.report.title'),
              t('reviews.report.gate'),
              () => setNamedOverlays(reported),
              reported,
            );
          }}
        />
      ))}
      {reviews.hasNextPage && (
        <Button
          variant="secondary"
          busy={reviews.isFetchingNextPage}
          onClick={() => void reviews.fetchNextPage()}
        >
          {t('ui.showMore')}
        </Button>
      )}
      {reporting !== null && (
        <ReportSheet
          title={t('reviews.report.title')}
          report={(reason) => reportReview(reporting, reason)}
          onClose={() => setReporting(null)}
        />
      )}
      <ConfirmSheet
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t('reviews.delete.title')}
        text={t(
          rows.find(({ id }) => id === deleting)?.anonymous
            ? 'reviews.delete.anonymousText'
            : 'reviews.delete.text',
        )}
        confirmLabel={t('reviews.card.delete')}
        danger
        busy={remove.isPending}
        onConfirm={() => {
          if (deleting === null) return;
          remove.mutate(deleting, {
            onSuccess: () => {
              setDeleting(null);
              showSuccess(t('reviews.delete.done'));
            },
            onError: showError,
          });
        }}
      />
    </section>
  );
}
