// What follows a logged-in person on every screen: the bar of the park they are at, the goodbye, and the offer to check in
// where the device finds itself at a park. Put together from check-ins, reviews and dogs.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { GoodbyeSheet } from '#/features/check-ins/components/goodbye-sheet.tsx';
import type { Goodbye } from '#/features/check-ins/commands/ask-for-review.ts';
import { HereBar } from '#/features/check-ins/components/here-bar.tsx';
import { presenceKeys } from '#/features/check-ins/presence-keys.ts';
import { useCountOwnDogs, useWhereabouts } from '#/features/check-ins/use-whereabouts.ts';
import { useFormatMinutes } from '#/features/check-ins/use-format-minutes.ts';
import { useAccountAppearance } from '#/features/shell/use-account-appearance.ts';
import { useTermsGate } from '#/features/consents/use-terms-gate.tsx';
import type { ReportSheetProps } from '#/features/live-reports/components/report-sheet.tsx';
import { useAnswerParkQuestion } from '#/features/fact-answers/commands/answer-park-question.command.ts';
import { QuestionCard } from '#/features/fact-answers/components/question-card.tsx';
import {
  type ParkQuestion,
  useParkQuestion,
} from '#/features/fact-answers/queries/park-question.ts';
import { questionWords } from '#/features/fact-answers/question-words.ts';
import { OneTapStars } from '#/features/reviews/components/one-tap-stars.tsx';
import type { ReviewSheetProps } from '#/features/reviews/components/review-sheet.tsx';
import { useMyReview } from '#/features/reviews/queries/my-review.ts';
import { useT } from '#/i18n/i18n.ts';
import { MINUTE_MS } from '#/core/durations.ts';
import { useSession } from '#/data/session/session.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useNow } from '#/core/use-now.ts';
import type { ArrivalOfferProps } from '#/routes/-presence/arrival-offer.tsx';
import type { DiaryKeeperProps } from '#/routes/-presence/diary-keeper.tsx';
import { useGoodbye } from '#/routes/-presence/use-goodbye.ts';
import { useFloatingCard } from '#/ui/floating-cards.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import { showError, showSuccess, showToast } from '#/ui/toast.ts';

const ReviewSheet = lazyPart<ReviewSheetProps>(
  () => import('#/features/reviews/components/review-sheet.tsx'),
  PartMissing,
);
const ReportSheet = lazyPart<ReportSheetProps>(
  () => import('#/features/live-reports/components/report-sheet.tsx'),
  PartMissing,
);
const DiaryKeeper = lazyPart<DiaryKeeperProps>(() => import('#/routes/-presence/diary-keeper.tsx'));
const ArrivalOffer = lazyPart<ArrivalOfferProps>(
  () => import('#/routes/-presence/arrival-offer.tsx'),
);

/** The arrival comes first, and a person who has just come has not looked around yet. */
const QUESTION_AFTER_MINUTES = 5;

/** Numbers of people are asked for again once one's own stay ends, however it did. */
function useFreshCounts(parkId: number | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (parkId === undefined) return undefined;
    return () => void invalidateAll(queryClient, presenceKeys(parkId));
  }, [parkId, queryClient]);
}

export default function Presence() {
  useAccountAppearance();
  const t = useT();
  const formatMinutes = useFormatMinutes();
  const terms = useTermsGate();
  const { userId } = useSession();
  const stay = useWhereabouts();
  const [left, setLeft] = useState<number | null>(null);
  if (stay && stay.park_id !== left) setLeft(stay.park_id);
  useFreshCounts(stay?.park_id);
  useCountOwnDogs(stay);
  const [reporting, setReporting] = useState(false);
  const [goodbye, setGoodbye] = useState<Goodbye | null>(null);
  const [reviewing, setReviewing] = useState<Goodbye | null>(null);
  const myReview = useMyReview(reviewing?.parkId ?? 0, reviewing !== null);

  const failed = showError;
  const now = useNow(MINUTE_MS);
  const minutesThere = stay ? (now - Date.parse(stay.started_at)) / MINUTE_MS : 0;
  const isSettled = minutesThere >= QUESTION_AFTER_MINUTES;
  const question = useParkQuestion(isSettled ? stay?.check_in_id : undefined).data;
  const words = question ? questionWords(question.fact, t) : null;
  const asks = useFloatingCard('question', isSettled && words !== null);
  const answer = useAnswerParkQuestion();
  const onAnswer = ({ check_in_id, park_id }: ParkQuestion, value: string | null) => {
    const send = (agreed: boolean) => {
      if (!agreed) return;
      answer.mutate(
        { checkInId: check_in_id, parkId: park_id, value },
        {
          onSuccess: () => {
            if (value !== null) showSuccess(t('factAnswers.thanks'));
          },
          onError: failed,
        },
      );
    };
    (value === null ? Promise.resolve(true) : terms.askForFacts()).then(send, failed);
  };

  const onLeft = (left: Goodbye) => {
    if (left.first) setGoodbye(left);
    // One review per person and park: a form that opens after every visit would be in the way.
    else
      showToast(
        t('checkIns.goodbye.visit', { name: left.parkName, time: formatMinutes(left.minutes) }),
        {
          kind: 'success',
          action: { label: t('reviews.form.editTitle'), onSelect: () => setReviewing(left) },
        },
      );
  };
  useGoodbye(stay, onLeft);
  const onStars = (left: Goodbye, answer: 'saved' | 'queued') => {
    setGoodbye(null);
    if (answer === 'saved')
      showToast(t('reviews.form.thanks'), {
        kind: 'success',
        action: { label: t('reviews.oneTap.words'), onSelect: () => setReviewing(left) },
      });
  };
  return (
    <>
      {stay && (
        <HereBar
          stay={stay}
          onReport={() => terms.ask().then(setReporting, failed)}
          onLeft={onLeft}
        />
      )}
      {stay && !stay.isWaiting && userId && <DiaryKeeper userId={userId} stay={stay} />}
      {asks && words && question && (
        <QuestionCard {...words} onAnswer={(value) => onAnswer(question, value)} />
      )}
      {stay && reporting && (
        <ReportSheet parkId={stay.park_id} onClose={() => setReporting(false)} />
      )}
      {stay === null && <ArrivalOffer left={left} />}
      {goodbye && (
        <GoodbyeSheet
          goodbye={goodbye}
          stars={
            <OneTapStars
              parkId={goodbye.parkId}
              beforePost={terms.ask}
              onSaved={(answer) => onStars(goodbye, answer)}
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
          beforePost={terms.ask}
          onClose={() => setReviewing(null)}
        />
      )}
      {terms.sheet}
    </>
  );
}
