// Reports a condition of a park.
import * as v from 'valibot';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { LIFETIMES_MS } from '#/offline/command-queue/command-lifetimes.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';
import { PARK_CONDITIONS } from '../../../../../shared/enums.ts';

const reportInput = v.object({ parkId: v.number(), condition: v.picklist(PARK_CONDITIONS) });

export const command = defineCommand<v.InferOutput<typeof reportInput>, unknown>({
  name: 'report_condition',
  input: reportInput,
  send: ({ parkId, condition }, { client, key, request }) =>
    request(
      client.rpc('report_condition', { p_park_id: parkId, p_condition: condition, p_key: key }),
    ),
  invalidates: ({ parkId }) => [parkKeys.status(parkId), parkKeys.live],
  queue: { expiresAfterMs: LIFETIMES_MS.report },
});

export const useReportCondition = () => useCommand(command);
