// Announces in how many minutes the user arrives at a park.
import { type ReactNode, useState } from 'react';
import {
  ARRIVAL_CHOICES,
  arrivalChoice,
  PLAN_GRACE,
} from '#/features/check-ins/check-in-limits.ts';
import { useCheckIn } from '#/features/check-ins/commands/check-in.command.ts';
import { formatMinutesShort, useFormatMinutes } from '#/features/check-ins/format-minutes.ts';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { errorText } from '#/i18n/errors.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { isOnline } from '#/platform/online.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showProblem, showSuccess, showToast } from '#/ui/toast.ts';

interface OnMyWaySheetProps {
  parkId: number;
  parkName: string;
  /** Minutes on foot from the device's position, which is not sent. Null if the position is unknown or too far away. */
  walk: number | null;
  /** A switch for the setting that lets friends be notified, shown while it is off. */
  permission: ReactNode;
  onClose: () => void;
}

export function OnMyWaySheet({ parkId, parkName, walk, permission, onClose }: OnMyWaySheetProps) {
  const t = useT();
  const locale = useLocale();
  const formatMinutes = useFormatMinutes();
  const checkIn = useCheckIn();
  const current = useMyVisit();
  const [chosen, setChosen] = useState<number | null>(null);
  const [elsewhere, setElsewhere] = useState<string | null>(null);
  const arrivesIn = chosen ?? arrivalChoice(walk);

  const send = async (isSwitch: boolean) => {
    // If the device is offline or the current visit is queued, the server cannot ask whether to switch parks.
    if (current && !isSwitch && (current.isQueued || !isOnline()))
      return setElsewhere(current.park_name);
    try {
      const answer = await checkIn.mutateAsync({
        parkId,
        parkName,
        dogIds: [],
        stayMinutes: arrivesIn,
        arrivesIn,
        switch: isSwitch,
      });
      if (answer !== 'queued' && answer.status === 'elsewhere')
        return setElsewhere(answer.elsewhere?.name ?? '');
      onClose();
      if (answer === 'queued') return;
      if (answer.status === 'already_here') showToast(t('checkIns.onMyWay.there'));
      else showSuccess(t('checkIns.onMyWay.sent', { name: parkName }));
    } catch (error) {
      showProblem(errorText(error));
    }
  };

  return (
    <>
      <Sheet
        size="small"
        onClose={onClose}
        title={t('ui.onMyWay')}
        footer={
          <Button busy={checkIn.isPending} onClick={() => void send(false)}>
            {t('checkIns.onMyWay.send')}
          </Button>
        }
      >
        <div className="grid-5">
          <ChipGroup
            label={t('checkIns.onMyWay.when')}
            hint={t('checkIns.onMyWay.note', { delay: formatMinutes(PLAN_GRACE) })}
            options={ARRIVAL_CHOICES.map((choice) => ({
              value: String(choice),
              label: formatMinutesShort(choice, locale, t),
            }))}
            value={String(arrivesIn)}
            onChange={(value) => setChosen(Number(value))}
          />
          {permission}
        </div>
      </Sheet>
      <ConfirmSheet
        open={elsewhere !== null}
        onClose={() => setElsewhere(null)}
        title={t('checkIns.switch.title')}
        text={t('checkIns.onMyWay.switch', { name: elsewhere ?? '' })}
        confirmLabel={t('checkIns.switch.confirm')}
        busy={checkIn.isPending}
        onConfirm={() => void send(true)}
      />
    </>
  );
}
