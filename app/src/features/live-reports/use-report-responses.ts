// Confirms or ends a reported condition or hazard, after the user has logged in and accepted the terms.
import { useConfirmReport } from '#/features/live-reports/commands/confirm-report.command.ts';
import { useEndReport } from '#/features/live-reports/commands/end-report.command.ts';
import { useT } from '#/i18n/i18n.ts';
import type { NamedOverlays } from '#/ui/overlays.ts';
import { showError, showProblem, showSuccess } from '#/ui/toast.ts';
import type { LoginGate } from '#/entities/session/use-login-gate.tsx';

export interface ReportGate {
  guard: LoginGate['guard'];
  /** Asks the user to accept the terms before the first post. */
  beforePost: () => Promise<boolean>;
}

/** Runs an action that requires a login and the terms. */
export function useReportGate({
  guard,
  beforePost,
}: ReportGate): (action: () => void, opens?: NamedOverlays) => void {
  const t = useT();
  return (action, opens) => {
    const ask = () =>
      void beforePost().then((agreed) => {
        if (agreed) action();
      }, showError);
    guard(t('liveReports.report'), t('liveReports.gate'), ask, opens);
  };
}

export interface ReportResponses {
  confirm: (reportId: string) => void;
  end: (reportId: string) => void;
  /** Returns true while a response to this report is being sent. */
  sending: (reportId: string) => boolean;
}

export function useReportResponses(
  parkId: number,
  gate: (action: () => void) => void,
): ReportResponses {
  const t = useT();
  const confirm = useConfirmReport();
  const end = useEndReport();
  const isPending = confirm.isPending || end.isPending;
  const callbacks = (type: 'confirm' | 'end') => ({
    onSuccess: (outcome: unknown) => {
      // One response may not end the report, especially if its author is not at the park.
      if (outcome !== 'queued')
        showSuccess(
          t(outcome === false && type === 'end' ? 'liveReports.notOverYet' : 'ui.thanksUpdate'),
        );
    },
    onError: () => showProblem(t(`liveReports.rejected.${type}`)),
  });
  return {
    confirm: (reportId) =>
      gate(() => {
        if (!isPending) confirm.mutate({ reportId, parkId }, callbacks('confirm'));
      }),
    end: (reportId) =>
      gate(() => {
        if (!isPending) end.mutate({ reportId, parkId }, callbacks('end'));
      }),
    sending: (reportId) =>
      [confirm, end].some((sent) => sent.isPending && sent.variables.reportId === reportId),
  };
}
