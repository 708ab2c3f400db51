// Checks in. Asks first which dogs come along, unless that is clear, and whether to switch parks if the user is checked in
// elsewhere.
import { useEffect, useEffectEvent, useState } from 'react';
import { useCheckIn } from '#/features/check-ins/commands/check-in.command.ts';
import { CheckInSheet, type CheckInChoice } from './check-in-sheet.tsx';
import type { Companion } from './companion-choice.tsx';
import { useWelcome } from './use-welcome.tsx';
import { isAt } from '#/features/check-ins/device-at-park.ts';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { needsNoQuestion, saveUsualDogs, usualDogs } from '#/features/check-ins/usual-dogs.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import type { LatLong } from '#/core/distance.ts';
import { currentHere } from '#/platform/here.ts';
import { DEFAULT_STAY } from '#/features/check-ins/check-in-limits.ts';
import { isOnline } from '#/platform/online.ts';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showPopup } from '#/ui/popup.ts';
import { showToast } from '#/ui/toast.ts';

export interface CheckInFlowProps {
  parkId: number;
  parkName: string;
  location: LatLong;
  /** The user's dogs; undefined while they are loading or while logged out. */
  companions: readonly Companion[] | undefined;
  dogsNow: number | null;
  /** A warning in the sheet, for example that the park is closed. */
  warning: string | null;
  /** True if the flow was opened by a login instead of a tap. The sheet then asks even if the dogs are the usual ones. */
  openedByLogin?: boolean;
  onClose: () => void;
}

/** Render this component only while the flow is open. */
export default function CheckInFlow(props: CheckInFlowProps) {
  const { parkId, parkName, companions, warning, openedByLogin = false, onClose } = props;
  const t = useT();
  const checkIn = useCheckIn();
  const welcome = useWelcome();
  const current = useMyVisit();
  const [problem, setProblem] = useState<string | null>(null);
  const [elsewhere, setElsewhere] = useState<{ name: string; choice: CheckInChoice } | null>(null);

  const [usual] = useState(usualDogs);
  /**
   * True if the check-in needs no question; null until the dogs are known. Decided only once, because an open sheet could otherwise
   * check in without a tap when the location arrives.
   */
  const [decision, setDecision] = useState<boolean | null>(openedByLogin ? false : null);
  if (decision === null && companions) {
    const { place } = currentHere();
    const isThere = place !== null && isAt(place, props.location);
    setDecision(warning === null && needsNoQuestion(usual, companions, isThere));
  }
  const isDirect = decision === true;

  const send = async (choice: CheckInChoice, switching: boolean) => {
    // If the device is offline or the current visit is queued, the server cannot ask whether to switch, so use the visit known to
    // this device.
    if (current && current.park_id !== parkId && !switching && (current.isQueued || !isOnline()))
      return setElsewhere({ name: current.park_name, choice });
    setProblem(null);
    // Save the dogs before the response, because the user may have undone the check-in by then.
    saveUsualDogs(choice.dogIds);
    try {
      const answer = await checkIn.mutateAsync({ parkId, parkName, ...choice, switch: switching });
      if (answer !== 'queued' && answer.status === 'elsewhere')
        return setElsewhere({ name: answer.elsewhere?.name ?? '', choice });
      setElsewhere(null);
      onClose();
      if (answer !== 'queued') welcome({ ...props, answer, choice });
    } catch (error) {
      const text = errorText(error);
      showPopup({ type: 'error', text });
      if (isDirect) {
        showToast(text, { type: 'error', lasts: null });
        onClose();
      } else setProblem(text);
    }
  };

  const sendUsual = useEffectEvent(
    () => void send({ dogIds: usual, dogCount: null, stayMinutes: DEFAULT_STAY }, false),
  );
  const mustSend = isDirect && checkIn.isIdle && elsewhere === null;
  useEffect(() => {
    if (!mustSend) return undefined;
    const timer = setTimeout(sendUsual);
    return () => clearTimeout(timer);
  }, [mustSend]);

  return (
    <>
      {!isDirect && (
        <CheckInSheet
          companions={companions}
          busy={checkIn.isPending}
          warning={warning}
          problem={problem}
          onClose={onClose}
          onCheckIn={(choice) => void send(choice, false)}
        />
      )}
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
          if (elsewhere) void send(elsewhere.choice, true);
        }}
      />
    </>
  );
}
