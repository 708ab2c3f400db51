// Under a photo in large: its giver removes it, others report it.
import { Flag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRemovePhoto } from '#/features/photos/commands/remove-photo.ts';
import { reportPhoto } from '#/features/photos/commands/report-photo.ts';
import { useT } from '#/i18n/i18n.ts';
import { ReportSheet } from '#/data/reports/report-sheet.tsx';
import type { LoginGate } from '#/data/session/use-login-gate.tsx';
import { errorText } from '#/i18n/errors.ts';
import { Button } from '#/ui/button.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showToast } from '#/ui/toast.ts';

interface PhotoActionsProps {
  parkId: number;
  path: string;
  mine: boolean;
  guard: LoginGate['guard'];
  /** It is gone. */
  onRemoved: () => void;
}

export function PhotoActions({ parkId, path, mine, guard, onRemoved }: PhotoActionsProps) {
  const t = useT();
  const remove = useRemovePhoto();
  const [asking, setAsking] = useState<'remove' | 'report' | null>(null);
  const close = () => {
    setAsking(null);
  };
  return (
    <>
      {mine ? (
        <Button variant="quiet" icon={Trash2} onClick={() => setAsking('remove')}>
          {t('photos.remove')}
        </Button>
      ) : (
        <Button
          variant="quiet"
          icon={Flag}
          onClick={() => {
            guard(t('photos.report.gate'), () => setAsking('report'));
          }}
        >
          {t('photos.report')}
        </Button>
      )}
      <ConfirmSheet
        open={asking === 'remove'}
        onClose={close}
        danger
        title={t('photos.remove')}
        text={t('photos.remove.text')}
        confirmLabel={t('photos.remove')}
        busy={remove.isPending}
        onConfirm={() => {
          remove.mutate(
            { parkId, path },
            {
              onSuccess: () => {
                close();
                onRemoved();
              },
              onError: (error) => showToast(errorText(error), { kind: 'error' }),
            },
          );
        }}
      />
      {asking === 'report' && (
        <ReportSheet
          title={t('photos.report')}
          report={(reason) => reportPhoto(path, reason)}
          onClose={close}
        />
      )}
    </>
  );
}
