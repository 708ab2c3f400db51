// What others answer to a report, as a command: it names the report, and is worth sending only while that may still be true.
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { withinReportLife } from '#/features/live-reports/report-life.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';

export const reportInput = v.object({
  reportId: v.string(),
  /** Where it was reported. */
  parkId: v.number(),
});
export type ReportInput = v.InferOutput<typeof reportInput>;

export const reportAnswer = (name: 'confirm_report' | 'end_report') =>
  defineCommand<ReportInput, unknown>({
    name,
    input: reportInput,
    send: ({ reportId }, { client, key, ask }) =>
      ask(client.rpc(name, { p_report_id: reportId, p_key: key })),
    changes: ({ parkId }) => [parkKeys.live, parkKeys.status(parkId)],
    adjustForDelay: withinReportLife,
  });
