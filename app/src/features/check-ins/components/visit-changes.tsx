// Buttons that change the current visit: extend it up to the maximum, or undo it within the first minutes.
import { Clock, Undo2 } from 'lucide-react';
import { useExtendStay } from '#/features/check-ins/commands/extend-stay.command.ts';
import { useUndoCheckIn } from '#/features/check-ins/use-undo-check-in.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { useFormatMinutes } from '#/features/check-ins/format-minutes.ts';
import { extensionLeft, VISIT_UNDO_MS } from '#/features/check-ins/check-in-limits.ts';
import { useT } from '#/i18n/i18n.ts';
import { useNow } from '#/core/use-now.ts';
import { Button } from '#/ui/button.tsx';
import { showError } from '#/ui/toast.ts';

export function VisitChanges({ visit }: { visit: MyCheckIn }) {
  const t = useT();
  const formatMinutes = useFormatMinutes();
  const extend = useExtendStay();
  const more = extensionLeft(visit.started_at, visit.expires_at);
  const undo = useUndoCheckIn();
  const now = useNow(10_000);
  const { check_in_id: visitId, park_id: parkId } = visit;
  return (
    <>
      {more > 0 && (
        <Button
          variant="secondary"
          icon={Clock}
          busy={extend.isPending}
          onClick={() =>
            extend.mutate(
              { visitId, parkId, minutes: more, from: visit.expires_at },
              { onError: showError },
            )
          }
        >
          {t('checkIns.here.extend', { time: formatMinutes(more) })}
        </Button>
      )}
      {now - Date.parse(visit.started_at) < VISIT_UNDO_MS && (
        <Button
          variant="quiet"
          icon={Undo2}
          directionalIcon
          onClick={() => undo({ visitId, parkId })}
        >
          {t('checkIns.undo')}
        </Button>
      )}
    </>
  );
}
