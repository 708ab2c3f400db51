// Reports a post to the moderators.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { Sheet } from '#/ui/sheet.tsx';
import { showError, showSuccess } from '#/ui/toast.ts';
import { REPORT_REASONS, type ReportReason } from '../../../../shared/enums.ts';

interface ReportSheetProps {
  title: string;
  /** Sends the report. @throws {AppError} */
  report: (reason: ReportReason) => Promise<void>;
  onClose: () => void;
}

/** Render this component only while the flow is open. */
export function ReportSheet({ title, report, onClose }: ReportSheetProps) {
  const t = useT();
  const sending = useMutation({ mutationFn: report });
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [missing, setMissing] = useState(false);

  const send = () => {
    setMissing(reason === null);
    if (reason === null) return focusFirstProblem();
    sending.mutate(reason, {
      onSuccess: () => {
        showSuccess(t('ui.report.thanks'));
        onClose();
      },
      onError: showError,
    });
  };

  return (
    <Sheet
      onClose={onClose}
      title={title}
      size="small"
      footer={
        <Button busy={sending.isPending} onClick={send}>
          {t('ui.report.send')}
        </Button>
      }
    >
      <ChipGroup<ReportReason>
        label={t('ui.report.reason')}
        options={REPORT_REASONS.map((value) => ({ value, label: t(`ui.report.reason.${value}`) }))}
        value={reason}
        onChange={(chosen) => {
          setReason(chosen);
          setMissing(false);
        }}
        error={missing ? t('ui.report.reasonMissing') : null}
      />
    </Sheet>
  );
}
