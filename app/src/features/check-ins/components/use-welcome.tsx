// Announces the result of a check-in: the arrival animation, or a toast if the visit does not count.
import type { CheckInResponse } from '#/features/check-ins/commands/check-in.command.ts';
import { ArrivalPicture } from '#/features/check-ins/components/arrival-picture.tsx';
import type { CheckInChoice } from '#/features/check-ins/components/check-in-sheet.tsx';
import type { Companion } from '#/features/check-ins/components/companion-choice.tsx';
import { UNDO_OFFERED_MS } from '#/features/check-ins/check-in-limits.ts';
import { useT } from '#/i18n/i18n.ts';
import { feelSuccess } from '#/platform/haptics.ts';
import { currentHere } from '#/platform/here.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { showPopup } from '#/ui/popup.ts';
import { showToast } from '#/ui/toast.ts';

interface Arrival {
  answer: CheckInResponse;
  choice: CheckInChoice;
  /** The user's dogs. */
  companions: readonly Companion[] | undefined;
  /** Dogs at the park before the check-in. */
  dogsNow: number | null;
}

export function useWelcome(): (arrival: Arrival) => void {
  const t = useT();
  return ({ answer, choice, companions, dogsNow }) => {
    const explain = (text: string) => void showToast(text, { lasts: UNDO_OFFERED_MS });
    if (answer.status === 'planned') return explain(t('checkIns.planned'));
    writeLocal('checkedIn', 'yes');
    feelSuccess();
    if (answer.counted === false)
      return explain(t(currentHere().place ? 'checkIns.uncounted' : 'checkIns.unplaced'));
    const arrived = answer.status === 'checked_in' ? choice.dogIds.length || choice.dogCount : null;
    showPopup({
      text: t('checkIns.welcome'),
      picture: (
        <ArrivalPicture
          before={arrived ? dogsNow : null}
          arrived={arrived ?? 0}
          companions={companions?.filter(({ id }) => choice.dogIds.includes(id)) ?? []}
        />
      ),
    });
  };
}
