// Tells a lost dog's people where the person saw it.
import * as v from 'valibot';
import { DAY_MS } from '#/core/durations.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const sightingInput = v.object({
  /** Of the sighting, made here: a photo of it may wait in the queue as well. */
  id: v.string(),
  lostId: v.string(),
  lat: v.number(),
  long: v.number(),
});

export const command = defineCommand<v.InferOutput<typeof sightingInput>, unknown>({
  name: 'report_sighting',
  input: sightingInput,
  send: ({ id, lostId, lat, long }, { client, ask }) =>
    ask(client.rpc('report_sighting', { p_id: id, p_lost_id: lostId, p_lat: lat, p_long: long })),
  changes: () => [peopleKeys.lostDogs],
  // A card's longest life without being renewed.
  adjustForDelay: (input, waited) => (waited < DAY_MS ? input : null),
});

export const useReportSighting = () => useCommand(command);
