// Stays longer at the park one is at; nothing where the longest stay is reached.
import { Clock } from 'lucide-react';
import { useExtendStay } from '#/features/check-ins/commands/extend-stay.command.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { useFormatMinutes } from '#/features/check-ins/use-format-minutes.ts';
import { extensionLeft } from '#/features/check-ins/stay.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { Button } from '#/ui/button.tsx';
import { showToast } from '#/ui/toast.ts';

export function StayLonger({ stay }: { stay: MyCheckIn }) {
  const t = useT();
  const formatMinutes = useFormatMinutes();
  const extend = useExtendStay();
  const more = extensionLeft(stay.started_at, stay.expires_at);
  if (more === 0) return null;
  return (
    <Button
      variant="secondary"
      icon={Clock}
      busy={extend.isPending}
      onClick={() => {
        extend.mutate(
          { visitId: stay.check_in_id, parkId: stay.park_id, minutes: more, from: stay.expires_at },
          { onError: (error) => void showToast(errorText(error), { kind: 'error' }) },
        );
      }}
    >
      {t('checkIns.here.extend', { time: formatMinutes(more) })}
    </Button>
  );
}
