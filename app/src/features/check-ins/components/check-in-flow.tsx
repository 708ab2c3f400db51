// From the question who comes along to the moment of arrival, with the prompt to switch when one is checked in elsewhere.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCheckIn } from '#/features/check-ins/commands/check-in.command.ts';
import { ArrivalPicture } from '#/features/check-ins/components/arrival-picture.tsx';
import {
  CheckInSheet,
  type Companion,
  type Visit,
} from '#/features/check-ins/components/check-in-sheet.tsx';
import { useWhereabouts } from '#/features/check-ins/queries/use-whereabouts.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { feelSuccess } from '#/platform/haptics.ts';
import { DEFAULT_STAY } from '#/features/check-ins/stay.ts';
import { isOnline } from '#/platform/online.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showPopup } from '#/ui/popup.ts';
import { showToast } from '#/ui/toast.ts';

export interface CheckInFlowProps {
  parkId: number;
  parkName: string;
  /** Asking who comes along. */
  open: boolean;
  /** My dogs; undefined while they are on their way, or while logged out. */
  companions: readonly Companion[] | undefined;
  /** Dogs there now; null where it is unknown. */
  dogsNow: number | null;
  /** What to ask before they check in all the same. */
  warning: string | null;
  /** It was opened by a login and not by a tap. */
  alwaysAsks?: boolean;
  onClose: () => void;
}

export function CheckInFlow(props: CheckInFlowProps) {
  const {
    parkId,
    parkName,
    open,
    companions,
    dogsNow,
    warning,
    alwaysAsks = false,
    onClose,
  } = props;
  const t = useT();
  const checkIn = useCheckIn();
  const stay = useWhereabouts();
  const [problem, setProblem] = useState<string | null>(null);
  const [elsewhere, setElsewhere] = useState<{
    name: string;
    visit: Visit;
  } | null>(null);

  const go = async (visit: Visit, switching: boolean) => {
    const before = dogsNow;
    // Without an answer, what this device knows has to do.
    if (stay && stay.park_id !== parkId && !switching && (stay.isWaiting || !isOnline())) {
      setElsewhere({ name: stay.park_name, visit });
      return;
    }
    setProblem(null);
    try {
      const answer = await checkIn.mutateAsync({
        parkId,
        parkName,
        ...visit,
        switch: switching,
      });
      if (answer !== 'queued' && answer.status === 'elsewhere') {
        setElsewhere({ name: answer.elsewhere?.name ?? '', visit });
        return;
      }
      setElsewhere(null);
      onClose();
      if (answer === 'queued') return;
      if (answer.status === 'planned') {
        showToast(t('checkIns.planned'));
        return;
      }
      // A good moment: the app may now say that it can be installed.
      writeLocal('checkedIn', 'yes');
      feelSuccess();
      if (answer.counted === false) {
        showToast(t('checkIns.uncounted'), { kind: 'success' });
        return;
      }
      const arrived = answer.status === 'checked_in' ? visit.dogIds.length || visit.dogCount : null;
      showPopup({
        text: t('checkIns.welcome'),
        picture: (
          <ArrivalPicture
            before={arrived ? before : null}
            arrived={arrived ?? 0}
            companions={companions?.filter(({ id }) => visit.dogIds.includes(id)) ?? []}
          />
        ),
      });
    } catch (error) {
      const text = errorText(error);
      showPopup({ kind: 'error', text });
      if (isDirect) {
        showToast(text, { kind: 'error', stays: true });
        onClose();
      } else setProblem(text);
    }
  };

  // Who has done it before and has one dog is asked nothing where the park is open: the bar takes it back in one tap, and the stay can be made longer.
  const only = companions?.length === 1 ? companions[0] : undefined;
  const [returning] = useState(() => readLocal('checkedIn') !== null);
  const isDirect = !alwaysAsks && returning && only !== undefined && warning === null;
  const begun = useRef(false);
  const begin = useEffectEvent(() => {
    if (!only || begun.current) return;
    begun.current = true;
    void go({ dogIds: [only.id], dogCount: null, stayMinutes: DEFAULT_STAY }, false);
  });
  useEffect(() => {
    if (open && isDirect) begin();
  }, [open, isDirect]);

  return (
    <>
      <CheckInSheet
        open={open && !isDirect}
        companions={companions}
        busy={checkIn.isPending}
        warning={warning}
        problem={problem}
        onClose={onClose}
        onCheckIn={(visit) => void go(visit, false)}
      />
      <ConfirmSheet
        open={elsewhere !== null}
        onClose={() => {
          setElsewhere(null);
          if (isDirect) onClose();
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
