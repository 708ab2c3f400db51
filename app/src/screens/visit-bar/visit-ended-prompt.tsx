// The prompt after a visit: stars with one tap, or the review form, and then the offer to add a photo.
import { type ReactNode, useState } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import type { EndedVisit } from '#/features/check-ins/ended-visit.ts';
import { VisitEndedSheet } from '#/features/check-ins/components/visit-ended-sheet.tsx';
import type { MyVisit } from '#/features/check-ins/my-visit.ts';
import { useFormatMinutes } from '#/features/check-ins/format-minutes.ts';
import { OneTapStars } from '#/features/reviews/components/one-tap-stars.tsx';
import { useMyReview } from '#/features/reviews/queries/my-review.ts';
import { loadLazyMessages, useT } from '#/i18n/i18n.ts';
import type { VisitPhotoOfferProps } from '#/screens/visit-bar/visit-photo-offer.tsx';
import { useEndedVisits } from '#/screens/visit-bar/use-ended-visits.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import { showToast } from '#/ui/toast.ts';

const ReviewSheet = lazyPart(
  () => import('#/features/reviews/components/review-sheet.tsx'),
  PartMissing,
);

const VisitPhotoOffer = lazyPart<VisitPhotoOfferProps>(() =>
  Promise.all([import('#/screens/visit-bar/visit-photo-offer.tsx'), loadLazyMessages()]).then(
    ([file]) => file,
  ),
);

/** @param beforePost asks the user to accept the terms before the first post */
export function useVisitEndedPrompt(
  visit: MyVisit | null | undefined,
  beforePost: () => Promise<boolean>,
): { onLeft: (visit: EndedVisit) => void; sheets: ReactNode } {
  const t = useT();
  const formatMinutes = useFormatMinutes();
  const [prompted, setPrompted] = useState<EndedVisit | null>(null);
  const [photographed, setPhotographed] = useState<EndedVisit | null>(null);
  const [reviewing, setReviewing] = useState<EndedVisit | null>(null);
  const myReview = useMyReview(reviewing?.parkId ?? 0, reviewing !== null);

  const offerReview = (text: string, label: string, left: EndedVisit) =>
    showToast(text, { type: 'success', action: { label, onSelect: () => setReviewing(left) } });
  const onLeft = (left: EndedVisit) => {
    const { parkName: name, minutes } = left;
    const text = t('checkIns.goodbye.visit', { name, time: formatMinutes(minutes) });
    if (left.first) setPrompted(left);
    // Each user has one review per park, so opening its form after every visit would be annoying; offer it in a toast.
    else {
      offerReview(text, t('reviews.form.editTitle'), left);
      setPhotographed(left);
    }
  };
  useEndedVisits(visit, onLeft);

  const sheets = (
    <>
      {prompted && (
        <VisitEndedSheet
          visit={prompted}
          stars={
            <OneTapStars
              parkId={prompted.parkId}
              beforePost={beforePost}
              onSaved={(outcome) => {
                setPrompted(null);
                setPhotographed(prompted);
                if (outcome === 'saved')
                  offerReview(t('reviews.form.thanks'), t('reviews.oneTap.addText'), prompted);
              }}
            />
          }
          onClose={() => {
            setPrompted(null);
            setPhotographed(prompted);
          }}
        />
      )}
      {photographed && !visit && (
        <VisitPhotoOffer
          visit={photographed}
          beforePost={beforePost}
          onDone={() => setPhotographed(null)}
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
