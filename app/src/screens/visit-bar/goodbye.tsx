// The goodbye after a visit: its stars in one tap, and the form for words. Put together from check-ins and reviews.
import { type ReactNode, useState } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import type { Goodbye } from '#/features/check-ins/goodbye.ts';
import { GoodbyeSheet } from '#/features/check-ins/components/goodbye-sheet.tsx';
import type { MyVisit } from '#/features/check-ins/my-visit.ts';
import { useFormatMinutes } from '#/features/check-ins/format-minutes.ts';
import { OneTapStars } from '#/features/reviews/components/one-tap-stars.tsx';
import { useMyReview } from '#/features/reviews/queries/my-review.ts';
import { useT } from '#/i18n/i18n.ts';
import { useGoodbye } from '#/screens/visit-bar/use-goodbye.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import { showToast } from '#/ui/toast.ts';

const ReviewSheet = lazyPart(
  () => import('#/features/reviews/components/review-sheet.tsx'),
  PartMissing,
);

/** @param beforePost asks for the terms before the first post */
export function useGoodbyes(
  visit: MyVisit | null | undefined,
  beforePost: () => Promise<boolean>,
): { onLeft: (goodbye: Goodbye) => void; sheets: ReactNode } {
  const t = useT();
  const formatMinutes = useFormatMinutes();
  const [goodbye, setGoodbye] = useState<Goodbye | null>(null);
  const [reviewing, setReviewing] = useState<Goodbye | null>(null);
  const myReview = useMyReview(reviewing?.parkId ?? 0, reviewing !== null);

  const offerReview = (text: string, label: string, left: Goodbye) =>
    showToast(text, { kind: 'success', action: { label, onSelect: () => setReviewing(left) } });
  const onLeft = (left: Goodbye) => {
    const { parkName: name, minutes } = left;
    const text = t('checkIns.goodbye.visit', { name, time: formatMinutes(minutes) });
    if (left.first) setGoodbye(left);
    // One review per person and park: a form that opens after every visit would be in the way.
    else offerReview(text, t('reviews.form.editTitle'), left);
  };
  useGoodbye(visit, onLeft);

  const sheets = (
    <>
      {goodbye && (
        <GoodbyeSheet
          goodbye={goodbye}
          stars={
            <OneTapStars
              parkId={goodbye.parkId}
              beforePost={beforePost}
              onSaved={(answer) => {
                setGoodbye(null);
                if (answer === 'saved')
                  offerReview(t('reviews.form.thanks'), t('reviews.oneTap.words'), goodbye);
              }}
            />
          }
          onClose={() => setGoodbye(null)}
        />
      )}
      {reviewing && (
        <ReviewSheet
          open
          parkId={reviewing.parkId}
          parkName={reviewing.parkName}
          review={myReview.isLoading ? undefined : (myReview.data ?? null)}
          beforePost={beforePost}
          onClose={() => setReviewing(null)}
        />
      )}
    </>
  );
  return { onLeft, sheets };
}
