// Actions below an enlarged photo. Its contributor can remove it, and other logged-in users can report it.
import { Flag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRemovePhoto } from '#/features/photos/commands/remove-photo.ts';
import { useT } from '#/i18n/i18n.ts';
import { request } from '#/data/request.ts';
import { ReportSheet } from '#/entities/reports/report-sheet.tsx';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';
import { Button } from '#/ui/button.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { setNamedOverlays, useNamedOverlay } from '#/ui/overlays.ts';
import { showError } from '#/ui/toast.ts';

interface PhotoActionsProps {
  parkId: number;
  path: string;
  mine: boolean;
  guard: LoginGate['guard'];
  onRemoved: () => void;
}

export function PhotoActions({ parkId, path, mine, guard, onRemoved }: PhotoActionsProps) {
  const t = useT();
  const remove = useRemovePhoto();
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  return (
    <>
      {mine ? (
        <Button variant="quiet" icon={Trash2} onClick={() => setConfirming(true)}>
          {t('photos.remove')}
        </Button>
      ) : (
        <Button
          variant="quiet"
          icon={Flag}
          onClick={() => {
            const reported = { 'report-photo': path };
            guard(
              t('photos.report'),
              t('photos.report.gate'),
              () => setNamedOverlays(reported),
              reported,
            );
          }}
        >
          {t('photos.report')}
        </Button>
      )}
      <ConfirmSheet
        open={confirming}
        onClose={close}
        danger
        title={t('photos.remove')}
        text={t('photos.remove.text')}
        confirmLabel={t('photos.remove')}
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            { parkId, path },
            {
              onSuccess: () => {
                close();
                onRemoved();
              },
              onError: showError,
            },
          )
        }
      />
    </>
  );
}

/** Render this once on each screen with photos. */
export function PhotoReport() {
  const t = useT();
  const [path, setPath] = useNamedOverlay<string>('report-photo');
  return (
    path !== null && (
      <ReportSheet
        title={t('photos.report')}
        report={(reason) =>
          request((client) => client.rpc('report_photo', { p_path: path, p_reason: reason }))
        }
        onClose={() => setPath(null)}
      />
    )
  );
}
