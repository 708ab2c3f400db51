// From the question who comes along to the moment of arrival, with the prompt to switch when one is checked in elsewhere.
import { useState } from 'react';
import { useCheckIn } from '#/features/check-ins/commands/check-in.command.ts';
import { ArrivalPicture } from '#/features/check-ins/components/arrival-picture.tsx';
import {
  CheckInSheet,
  type Companion,
  type Visit,
} from '#/features/check-ins/components/check-in-sheet.tsx';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { feelSuccess } from '#/platform/haptics.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showPopup } from '#/ui/popup.ts';
import { showToast } from '#/ui/toast.ts';

export interface CheckInFlowProps {
  parkId: number;
  /** Asking who comes along. */
  open: boolean;
  /** My dogs; undefined while they are on their way, or nobody is logged in. */
  companions: readonly Companion[] | undefined;
  /** Dogs there now; null where nobody knows. */
  dogsNow: number | null;
  onClose: () => void;
}

export function CheckInFlow({ parkId, open, companions, dogsNow, onClose }: CheckInFlowProps) {
  const t = useT();
  const checkIn = useCheckIn();
  const [elsewhere, setElsewhere] = useState<{ name: string; visit: Visit } | null>(null);

  const go = async (visit: Visit, switching: boolean) => {
    const before = dogsNow;
    try {
      const answer = await checkIn.mutateAsync({ parkId, ...visit, switch: switching });
      if (answer !== 'queued' && answer.status === 'elsewhere') {
        setElsewhere({ name: answer.elsewhere?.name ?? '', visit });
        return;
      }
      setElsewhere(null);
      onClose();
      if (answer === 'queued') return;
      // A good moment: the app may now say that it can be installed.
      writeLocal('checkedIn', 'yes');
      feelSuccess();
      const arrived = answer.status === 'checked_in' ? visit.dogIds.length || visit.dogCount : null;
      showPopup({
        text: t('checkIns.welcome'),
        picture: <ArrivalPicture before={arrived ? before : null} arrived={arrived ?? 0} />,
      });
    } catch (error) {
      showToast(errorText(error), { kind: 'error' });
    }
  };

  return (
    <>
      <CheckInSheet
        open={open}
        companions={companions}
        busy={checkIn.isPending}
        onClose={onClose}
        onCheckIn={(visit) => void go(visit, false)}
      />
      <ConfirmSheet
        open={elsewhere !== null}
        onClose={() => {
          setElsewhere(null);
        }}
        title={t('checkIns.switch.title')}
        text={t('checkIns.switch.text', { name: elsewhere?.name ?? '' })}
        confirmLabel={t('checkIns.switch.confirm')}
        busy={checkIn.isPending}
        onConfirm={() => {
          if (elsewhere) void go(elsewhere.visit, true);
        }}
      />
    </>
  );
}
