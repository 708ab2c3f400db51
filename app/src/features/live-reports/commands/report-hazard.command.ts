// Reports a hazard at a park.
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { LIFETIMES_MS } from '#/offline/command-queue/command-lifetimes.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';
import { PARK_HAZARDS } from '../../../../../shared/enums.ts';

/** Hazards alarm other users, so a report is sent only after this time, during which it can be undone. */
export const UNDO_MS = 10_000;

const reportInput = v.object({ parkId: v.number(), hazard: v.picklist(PARK_HAZARDS) });

export const command = defineCommand<v.InferOutput<typeof reportInput>, unknown>({
  name: 'report_hazard',
  input: reportInput,
  send: ({ parkId, hazard }, { client, key, request }) =>
    request(client.rpc('report_hazard', { p_park_id: parkId, p_hazard: hazard, p_key: key }), {
      not_been_there: 'liveReports.hazards.notBeenThere',
    }),
  invalidates: ({ parkId }) => [parkKeys.status(parkId), parkKeys.live],
  queue: {
    undo: { ms: UNDO_MS, rejected: 'liveReports.rejected.report' },
    expiresAfterMs: LIFETIMES_MS.report,
  },
});

export const useReportHazard = () => useCommand(command);
