// Stays longer at the park one is at; nothing where the longest stay is reached.
import { Clock } from 'lucide-react';
import { useExtendStay } from '#/features/check-ins/commands/extend-stay.ts';
import { useFormatMinutes } from '#/features/check-ins/use-format-minutes.ts';
import { extensionLeft } from '#/features/check-ins/stay.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { Button } from '#/ui/button.tsx';
import { showToast } from '#/ui/toast.ts';

interface StayLongerProps {
  parkId: number;
  stay: { started_at: string; expires_at: string };
}

export function StayLonger({ parkId, stay }: StayLongerProps) {
  const t = useT();
  const formatMinutes = useFormatMinutes();
  const extend = useExtendStay(parkId);
  const extending = useIdempotencyKey();
  const more = extensionLeft(stay.started_at, stay.expires_at);
  if (more === 0) return null;
  return (
    <Button
      variant="secondary"
      icon={Clock}
      busy={extend.isPending}
      onClick={() => {
        // The end of the stay as it is seen here: once it has moved, a tap asks for more.
        const key = extending.of([more, stay.expires_at]);
        extend.mutate(
          { minutes: more, key },
          {
            onSuccess: extending.done,
            onError: (error) => void showToast(errorText(error), { kind: 'error' }),
          },
        );
      }}
    >
      {t('checkIns.here.extend', { time: formatMinutes(more) })}
    </Button>
  );
}
