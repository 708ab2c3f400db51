// A command about another user's report. It expires when the report may no longer be true.
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { LIFETIMES_MS } from '#/offline/command-queue/command-lifetimes.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';

export const reportInput = v.object({
  reportId: v.string(),
  parkId: v.number(),
});
export type ReportInput = v.InferOutput<typeof reportInput>;

export const reportResponse = (name: 'confirm_report' | 'end_report') =>
  defineCommand<ReportInput, unknown>({
    name,
    input: reportInput,
    send: ({ reportId }, { client, key, request }) =>
      request(client.rpc(name, { p_report_id: reportId, p_key: key })),
    invalidates: ({ parkId }) => [parkKeys.live, parkKeys.status(parkId)],
    queue: { expiresAfterMs: LIFETIMES_MS.report },
  });
