// Confirms a condition that somebody else reported.
import * as v from 'valibot';
import { parkKeys } from '#/data/park-keys.ts';
import { withinReportLife } from '#/features/live-reports/report-life.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const confirmInput = v.object({
  reportId: v.string(),
  /** Where it was reported. */
  parkId: v.number(),
});

export const command = defineCommand<v.InferOutput<typeof confirmInput>, unknown>({
  name: 'confirm_report',
  input: confirmInput,
  send: ({ reportId }, { client, key, ask }) =>
    ask(client.rpc('confirm_report', { p_report_id: reportId, p_key: key })),
  changes: ({ parkId }) => [parkKeys.live, parkKeys.status(parkId)],
  about: ({ parkId }) => ({ parkId }),
  adjustForDelay: withinReportLife,
});

export const useConfirmReport = () => useCommand(command);
