// The check-in button of a park. If a visitor taps it, it continues after the login.
import { PawPrint } from 'lucide-react';
import { useState } from 'react';
import type { CheckInFlowProps } from '#/features/check-ins/components/check-in-flow.tsx';
import { useT } from '#/i18n/i18n.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { useSession } from '#/data/session/session.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { Button } from '#/ui/button.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';

export const CheckInFlow = lazyPart(
  () => import('#/features/check-ins/components/check-in-flow.tsx'),
  PartMissing,
);

interface CheckInButtonProps extends Omit<CheckInFlowProps, 'openedByLogin' | 'onClose'> {
  guard: LoginGate['guard'];
}

export function CheckInButton({ guard, ...park }: CheckInButtonProps) {
  const t = useT();
  const [choosing, setChoosing] = useState(false);
  const { status } = useSession();
  // Set if a logged-out visitor tapped the button; the sheet then opens after the login.
  const [wanted, setWanted] = useNamedOverlay('check-in');
  const open = choosing || (status === 'in' && wanted !== null);
  return (
    <>
      <Button
        wide
        icon={PawPrint}
        onClick={() =>
          guard(
            t('checkIns.gate.title', { name: park.parkName }),
            t('checkIns.gate'),
            () => setChoosing(true),
            { 'check-in': true },
          )
        }
      >
        {t('checkIns.button')}
      </Button>
      {open && (
        <CheckInFlow
          {...park}
          openedByLogin={!choosing}
          onClose={() => {
            setChoosing(false);
            setWanted(null);
          }}
        />
      )}
    </>
  );
}
