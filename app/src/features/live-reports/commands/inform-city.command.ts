// Says that the person told the city of a hazard.
import * as v from 'valibot';
import { parkKeys } from '#/data/park-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const informInput = v.object({
  reportId: v.string(),
  /** Where it was reported. */
  parkId: v.number(),
});

export const command = defineCommand<v.InferOutput<typeof informInput>, boolean>({
  name: 'inform_city',
  input: informInput,
  send: ({ reportId }, { client, key, ask }) =>
    ask(client.rpc('inform_city', { p_report_id: reportId, p_key: key })),
  changes: ({ parkId }) => [parkKeys.status(parkId)],
  about: ({ parkId }) => ({ parkId }),
  // The server believes who has been there.
  notDone: (written) => (written ? null : 'liveReports.hazards.notBeenThere'),
});

export const useInformCity = () => useCommand(command);
