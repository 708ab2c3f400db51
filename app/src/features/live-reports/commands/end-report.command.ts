// Says that a reported condition is over.
import * as v from 'valibot';
import { parkKeys } from '#/data/park-keys.ts';
import { withinReportLife } from '#/features/live-reports/report-life.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const endInput = v.object({
  reportId: v.string(),
  /** Where it was reported. */
  parkId: v.number(),
});

export const command = defineCommand<v.InferOutput<typeof endInput>, unknown>({
  name: 'end_report',
  input: endInput,
  send: ({ reportId }, { client, key, ask }) =>
    ask(client.rpc('end_report', { p_report_id: reportId, p_key: key })),
  changes: ({ parkId }) => [parkKeys.live, parkKeys.status(parkId)],
  about: ({ parkId }) => ({ parkId }),
  adjustForDelay: withinReportLife,
});

export const useEndReport = () => useCommand(command);
