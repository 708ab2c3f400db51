// Under a photo in large: its giver removes it, others report it.
import { Flag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRemovePhoto } from '#/features/photos/commands/remove-photo.ts';
import { useReportPhoto } from '#/features/photos/commands/report-photo.ts';
import { useT } from '#/i18n/i18n.ts';
import { REPORT_REASONS, type ReportReason } from '#/data/report-reasons.ts';
import type { LoginGate } from '#/data/session/use-login-gate.tsx';
import { errorText } from '#/i18n/errors.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Sheet } from '#/ui/sheet.tsx';
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
        <Button
          variant="quiet"
          icon={Trash2}
          onClick={() => {
            setAsking('remove');
          }}
        >
          {t('photos.remove')}
        </Button>
      ) : (
        <Button
          variant="quiet"
          icon={Flag}
          onClick={() => {
            guard(t('photos.report.gate'), () => {
              setAsking('report');
            });
          }}
        >
          {t('photos.report')}
        </Button>
      )}
      <ConfirmSheet
        open={asking === 'remove'}
        onClose={close}
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
      {asking === 'report' && <ReportSheet path={path} onClose={close} />}
    </>
  );
}

function ReportSheet({ path, onClose }: { path: string; onClose: () => void }) {
  const t = useT();
  const report = useReportPhoto();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [missing, setMissing] = useState(false);
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('photos.report')}
      size="small"
      footer={
        <Button
          busy={report.isPending}
          onClick={() => {
            setMissing(reason === null);
            if (reason === null) {
              focusFirstProblem();
              return;
            }
            report.mutate(
              { path, reason },
              {
                onSuccess: () => {
                  showToast(t('reviews.report.thanks'), { kind: 'success' });
                  onClose();
                },
                onError: (error) => showToast(errorText(error), { kind: 'error' }),
              },
            );
          }}
        >
          {t('reviews.report.send')}
        </Button>
      }
    >
      <ChipGroup<ReportReason>
        label={t('reviews.report.reason')}
        options={REPORT_REASONS.map((value) => ({
          value,
          label: t(`reviews.report.reason.${value}`),
        }))}
        value={reason}
        onChange={(chosen) => {
          setReason(chosen);
          setMissing(false);
        }}
        error={missing ? t('reviews.report.reasonMissing') : null}
      />
    </Sheet>
  );
}
