// The buttons 'still there' and 'over' of a report. Reporters cannot confirm their own report.
import { Check } from 'lucide-react';
import type { ReportResponses } from '#/features/live-reports/use-report-responses.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import type { LucideIcon } from '#/ui/icon.tsx';

interface ReportButtonsProps {
  report: { id: string; mine: boolean };
  /** Name of the reported condition or hazard. */
  name: string;
  responses: ReportResponses;
  /** Icon, style and translated label of the second button. */
  end: { icon: LucideIcon; variant: 'secondary' | 'quiet'; label: string };
}

export function ReportButtons({ report, name, responses, end }: ReportButtonsProps) {
  const t = useT();
  const busy = responses.sending(report.id);
  return (
    <>
      {!report.mine && (
        <Button
          variant="secondary"
          icon={Check}
          busy={busy}
          aria-label={t('ui.named', { action: t('liveReports.confirm'), name })}
          onClick={() => responses.confirm(report.id)}
        >
          {t('liveReports.confirm')}
        </Button>
      )}
      <Button
        variant={end.variant}
        icon={end.icon}
        busy={busy}
        aria-label={t('ui.named', { action: end.label, name })}
        onClick={() => responses.end(report.id)}
      >
        {end.label}
      </Button>
    </>
  );
}
