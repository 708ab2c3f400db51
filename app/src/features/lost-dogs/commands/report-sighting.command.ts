// Reports a place where the user saw a lost dog to the dog's owners.
import * as v from 'valibot';
import { DAY_MS } from '../../../../../shared/durations.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const sightingInput = v.object({
  /** ID of the sighting, generated on the client so that a queued photo can refer to it. */
  id: v.string(),
  lostId: v.string(),
  lat: v.number(),
  long: v.number(),
});

export const command = defineCommand<v.InferOutput<typeof sightingInput>, unknown>({
  name: 'report_sighting',
  input: sightingInput,
  send: ({ id, lostId, lat, long }, { client, request }) =>
    request(
      client.rpc('report_sighting', { p_id: id, p_lost_id: lostId, p_lat: lat, p_long: long }),
    ),
  invalidates: () => [userKeys.lostDogs],
  // A lost dog's card expires after a day.
  queue: { expiresAfterMs: DAY_MS },
});

export const useReportSighting = () => useCommand(command);
