// From the question who comes along to the moment of arrival, with the prompt to switch when one is checked in elsewhere.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCheckIn, type CheckInAnswer } from '#/features/check-ins/commands/check-in.command.ts';
import { ArrivalPicture } from '#/features/check-ins/components/arrival-picture.tsx';
import {
  CheckInSheet,
  type CheckInChoice,
} from '#/features/check-ins/components/check-in-sheet.tsx';
import type { Companion } from '#/features/check-ins/components/companion-choice.tsx';
import { offerUndo, useUndo } from '#/features/check-ins/use-undo.ts';
import { isAt } from '#/features/check-ins/device-at-park.ts';
import { useMyStay } from '#/features/check-ins/use-my-stay.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import type { LatLong } from '#/core/distance.ts';
import { feelSuccess } from '#/platform/haptics.ts';
import { currentHere } from '#/platform/here.ts';
import { DEFAULT_STAY } from '#/features/check-ins/stay.ts';
import { isOnline } from '#/platform/online.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showPopup } from '#/ui/popup.ts';
import { showToast } from '#/ui/toast.ts';

export interface CheckInFlowProps {
  parkId: number;
  parkName: string;
  location: LatLong;
  open: boolean;
  /** My dogs; undefined while they are on their way, or while logged out. */
  companions: readonly Companion[] | undefined;
  dogsNow: number | null;
  /** What to ask before they check in all the same. */
  warning: string | null;
  /** Opened after a login rather than by a tap: it then asks, even where the dogs are the usual ones. */
  openedByLogin?: boolean;
  onClose: () => void;
}

export default function CheckInFlow(props: CheckInFlowProps) {
  const {
    parkId,
    parkName,
    location,
    open,
    companions,
    dogsNow,
    warning,
    openedByLogin = false,
    onClose,
  } = props;
  const t = useT();
  const checkIn = useCheckIn();
  const undo = useUndo();
  const stay = useMyStay();
  const [problem, setProblem] = useState<string | null>(null);
  const [elsewhere, setElsewhere] = useState<{ name: string; visit: CheckInChoice } | null>(null);

  // Who has one dog, or stands in the park with those of the last time, is asked nothing where the park is open: it can be undone, and
  // the stay can be made longer.
  const [usual] = useState(() => readLocal('usualDogs')?.split(' ') ?? []);
  const { place } = currentHere();
  const isDirect =
    !openedByLogin &&
    warning === null &&
    usual.length > 0 &&
    usual.every((dog) => companions?.some(({ id }) => id === dog)) &&
    (companions?.length === 1 || (place !== null && isAt(place, location)));

  /** Says what a check-in became, with its undo. @param before dogs there until then */
  function welcome(answer: CheckInAnswer, visit: CheckInChoice, before: number | null): void {
    const offer = (text: string) => {
      const visitId = answer.check_in_id;
      if (visitId === null) return;
      const onSelect = () => {
        // The next check-in asks.
        if (isDirect) writeLocal('usualDogs', null);
        undo({ visitId, parkId });
      };
      offerUndo(visitId, text, { label: t('ui.undo'), onSelect });
    };
    if (answer.status === 'planned') {
      offer(t('checkIns.planned'));
      return;
    }
    writeLocal('usualDogs', visit.dogIds.join(' '));
    writeLocal('checkedIn', 'yes');
    feelSuccess();
    if (answer.counted === false) {
      offer(t(currentHere().place ? 'checkIns.uncounted' : 'checkIns.unplaced'));
      return;
    }
    if (answer.status === 'checked_in') offer(t('checkIns.done', { name: parkName }));
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
  }

  const send = async (visit: CheckInChoice, switching: boolean) => {
    const before = dogsNow;
    // Without an answer, what this device knows has to do.
    if (stay && stay.park_id !== parkId && !switching && (stay.isWaiting || !isOnline())) {
      setElsewhere({ name: stay.park_name, visit });
      return;
    }
    setProblem(null);
    try {
      const answer = await checkIn.mutateAsync({ parkId, parkName, ...visit, switch: switching });
      if (answer !== 'queued' && answer.status === 'elsewhere') {
        setElsewhere({ name: answer.elsewhere?.name ?? '', visit });
        return;
      }
      setElsewhere(null);
      onClose();
      if (answer !== 'queued') welcome(answer, visit, before);
    } catch (error) {
      const text = errorText(error);
      showPopup({ kind: 'error', text });
      if (isDirect) {
        showToast(text, { kind: 'error', lasts: null });
        onClose();
      } else setProblem(text);
    }
  };

  const begun = useRef(false);
  const begin = useEffectEvent(() => {
    if (begun.current) return;
    begun.current = true;
    void send({ dogIds: usual, dogCount: null, stayMinutes: DEFAULT_STAY }, false);
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
        onCheckIn={(visit) => void send(visit, false)}
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
          if (elsewhere) void send(elsewhere.visit, true);
        }}
      />
    </>
  );
}
