// Says what is wrong with a review, to the moderators.
import { useState } from 'react';
import { useReportReview } from '#/features/reviews/commands/report-review.ts';
import { REPORT_REASONS, type ReportReason } from '#/data/report-reasons.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { showToast } from '#/ui/toast.ts';

interface ReportReviewSheetProps {
  /** Null while closed. */
  reviewId: string | null;
  onClose: () => void;
}

export function ReportReviewSheet({ reviewId, onClose }: ReportReviewSheetProps) {
  return reviewId === null ? null : (
    <OpenSheet key={reviewId} reviewId={reviewId} onClose={onClose} />
  );
}

function OpenSheet({ reviewId, onClose }: { reviewId: string; onClose: () => void }) {
  const t = useT();
  const report = useReportReview();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [missing, setMissing] = useState(false);
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('reviews.report.title')}
      size="small"
      footer={
        <Button
          busy={report.isPending}
          onClick={() => {
            if (reason === null) {
              setMissing(true);
              focusFirstProblem();
              return;
            }
            report.mutate(
              { reviewId, reason },
              {
                onSuccess: () => {
                  showToast(t('reviews.report.thanks'), { kind: 'success' });
                  onClose();
                },
                onError: (error) => {
                  showToast(errorText(error), {
                    kind: 'error',
                  });
                },
              },
            );
          }}
        >
          {t('reviews.report.send')}
        </Button>
      }
    >
      <ChipGroup<ReportReason>
        label={t('reviews.report.reason')}
        options={REPORT_REASONS.map((value) => ({
          value,
          label: t(`reviews.report.reason.${value}`),
        }))}
        value={reason}
        onChange={(chosen) => {
          setReason(chosen);
          setMissing(false);
        }}
        error={missing ? t('reviews.report.reasonMissing') : null}
      />
    </Sheet>
  );
}
