// Shown to logged-in users on every screen: the bar of their current park or plan, the visit-ended prompt, and the offer to check in if the
// device is at a park.
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { lazyPart } from '#/core/lazy-part.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { visitKeys } from '#/entities/parks/park-keys.ts';
import { useSession } from '#/data/session/session.ts';
import type { PlanBarProps } from '#/features/check-ins/components/plan-bar.tsx';
import { VisitBar } from '#/features/check-ins/components/visit-bar.tsx';
import { useCountOwnDogs, useMyPlan, useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { useTermsGate } from '#/features/consents/use-terms-gate.tsx';
import { QuestionCard } from '#/features/fact-answers/components/question-card.tsx';
import { useAccountAppearance } from '#/features/shell/use-account-appearance.ts';
import { loadLazyMessages } from '#/i18n/i18n.ts';
import { useVisitEndedPrompt } from '#/screens/visit-bar/visit-ended-prompt.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { showError } from '#/ui/toast.ts';

const LiveReportSheet = lazyPart(
  () => import('#/features/live-reports/components/live-report-sheet.tsx'),
  PartMissing,
);
const DiaryRecorder = lazyPart(() => import('#/screens/visit-bar/diary-recorder.tsx'));
const PlanBar = lazyPart<PlanBarProps>(() =>
  Promise.all([import('#/features/check-ins/components/plan-bar.tsx'), loadLazyMessages()]).then(
    ([file]) => file,
  ),
);
const ArrivalOffer = lazyPart(() => import('#/screens/visit-bar/arrival-offer.tsx'));

/** Refetches the counts once the user's visit ends, in whatever way. */
function useFreshCounts(parkId: number | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (parkId === undefined) return undefined;
    return () => void invalidateAll(queryClient, visitKeys(parkId));
  }, [parkId, queryClient]);
}

export default function CurrentVisit() {
  useAccountAppearance();
  const terms = useTermsGate();
  const { userId } = useSession();
  const visit = useMyVisit();
  const plan = useMyPlan();
  const companions = useCompanions(plan && userId);
  const [left, setLeft] = useState<number | null>(null);
  if (visit && visit.park_id !== left) setLeft(visit.park_id);
  useFreshCounts(visit?.park_id);
  useCountOwnDogs(visit);
  const [reporting, setReporting] = useState(false);
  // On other screens, the question would cover what the user is doing.
  const mayAsk = useLocation({
    select: ({ pathname }) =>
      pathname === '/' || `${pathname}/`.startsWith(`/parks/${visit?.park_id ?? ''}/`),
  });
  const { onLeft, sheets } = useVisitEndedPrompt(visit, terms.ask);
  return (
    <>
      {visit && (
        <VisitBar
          visit={visit}
          onReport={() => terms.ask().then(setReporting, showError)}
          onLeft={onLeft}
        />
      )}
      {visit && !visit.isQueued && userId && <DiaryRecorder userId={userId} visit={visit} />}
      {visit && mayAsk && <QuestionCard visit={visit} agreed={terms.askForFacts} />}
      {visit && reporting && (
        <LiveReportSheet parkId={visit.park_id} onClose={() => setReporting(false)} />
      )}
      {plan && <PlanBar plan={plan} companions={companions} />}
      {visit === null && !plan && <ArrivalOffer left={left} />}
      {sheets}
      {terms.sheet}
    </>
  );
}
