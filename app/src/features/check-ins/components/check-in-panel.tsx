// The check-in button of a park, with its sheet and the prompt to switch when one is checked in elsewhere.
import { PawPrint } from 'lucide-react';
import { useState } from 'react';
import { useCheckIn } from '#/features/check-ins/commands/check-in.command.ts';
import {
  CheckInSheet,
  type Companion,
  type Visit,
} from '#/features/check-ins/components/check-in-sheet.tsx';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { feelSuccess } from '#/platform/haptics.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { Button } from '#/ui/button.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showPopup } from '#/ui/popup.ts';
import { showToast } from '#/ui/toast.ts';
import type { LoginGate } from '#/data/session/use-login-gate.tsx';

interface CheckInPanelProps {
  parkId: number;
  /** My dogs; undefined while they are on their way, or nobody is logged in. */
  companions: readonly Companion[] | undefined;
  guard: LoginGate['guard'];
}

export function CheckInPanel({ parkId, companions, guard }: CheckInPanelProps) {
  const t = useT();
  const checkIn = useCheckIn();
  const [choosing, setChoosing] = useState(false);
  const [elsewhere, setElsewhere] = useState<{ name: string; visit: Visit } | null>(null);

  const go = (visit: Visit, switching: boolean) => {
    // A promise, for by the time of the answer this panel may have given way to the bar.
    void checkIn.mutateAsync({ parkId, ...visit, switch: switching }).then(
      (answer) => {
        if (answer !== 'queued' && answer.status === 'elsewhere') {
          setElsewhere({ name: answer.elsewhere?.name ?? '', visit });
          return;
        }
        setElsewhere(null);
        setChoosing(false);
        if (answer === 'queued') return;
        // A good moment: the app may now say that it can be installed.
        writeLocal('checkedIn', 'yes');
        feelSuccess();
        showPopup({ text: t('checkIns.welcome') });
      },
      (error: unknown) => showToast(errorText(error), { kind: 'error' }),
    );
  };

  return (
    <>
      <Button
        wide
        icon={PawPrint}
        onClick={() => {
          guard(t('checkIns.gate'), () => {
            setChoosing(true);
          });
        }}
      >
        {t('checkIns.button')}
      </Button>
      <CheckInSheet
        open={choosing}
        companions={companions}
        busy={checkIn.isPending}
        onClose={() => {
          setChoosing(false);
        }}
        onCheckIn={(visit) => {
          go(visit, false);
        }}
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
          if (elsewhere) go(elsewhere.visit, true);
        }}
      />
    </>
  );
}
