// Announces the result of a check-in, offers to undo it, and shows the arrival animation.
import type { CheckInResponse } from '#/features/check-ins/commands/check-in.command.ts';
import { ArrivalPicture } from '#/features/check-ins/components/arrival-picture.tsx';
import type { CheckInChoice } from '#/features/check-ins/components/check-in-sheet.tsx';
import type { Companion } from '#/features/check-ins/components/companion-choice.tsx';
import { offerUndo, useUndoCheckIn } from '#/features/check-ins/check-in-toast.ts';
import { useT } from '#/i18n/i18n.ts';
import { feelSuccess } from '#/platform/haptics.ts';
import { currentHere } from '#/platform/here.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { showPopup } from '#/ui/popup.ts';

interface Arrival {
  parkId: number;
  parkName: string;
  answer: CheckInResponse;
  choice: CheckInChoice;
  /** The user's dogs. */
  companions: readonly Companion[] | undefined;
  /** Dogs at the park before the check-in. */
  dogsNow: number | null;
}

export function useWelcome(): (arrival: Arrival) => void {
  const t = useT();
  const undo = useUndoCheckIn();
  return ({ parkId, parkName, answer, choice, companions, dogsNow }) => {
    const offer = (text: string): void => {
      const visitId = answer.check_in_id;
      if (visitId === null) return;
      const onSelect = () => undo({ visitId, parkId });
      offerUndo(visitId, text, { label: t('ui.undo'), onSelect });
    };
    if (answer.status === 'planned') return offer(t('checkIns.planned'));
    writeLocal('checkedIn', 'yes');
    feelSuccess();
    if (answer.counted === false)
      return offer(t(currentHere().place ? 'checkIns.uncounted' : 'checkIns.unplaced'));
    const isNew = answer.status === 'checked_in';
    if (isNew) offer(t('checkIns.done', { name: parkName }));
    const arrived = isNew ? choice.dogIds.length || choice.dogCount : null;
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
