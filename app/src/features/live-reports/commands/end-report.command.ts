// Says that a reported condition is over.
import { parkKeys } from '#/data/park-keys.ts';
import {
  type ReportInput,
  reportInput,
  withinReportLife,
} from '#/features/live-reports/report-life.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = defineCommand<ReportInput, unknown>({
  name: 'end_report',
  input: reportInput,
  send: ({ reportId }, { client, key, ask }) =>
    ask(client.rpc('end_report', { p_report_id: reportId, p_key: key })),
  changes: ({ parkId }) => [parkKeys.live, parkKeys.status(parkId)],
  adjustForDelay: withinReportLife,
});

export const useEndReport = () => useCommand(command);
