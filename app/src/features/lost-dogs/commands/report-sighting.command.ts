// Reports a place where the user saw a lost dog to the dog's owners.
import * as v from 'valibot';
import { userKeys } from '#/entities/users/user-keys.ts';
import { LIFETIMES_MS } from '#/offline/command-queue/command-lifetimes.ts';
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
  queue: { expiresAfterMs: LIFETIMES_MS.sighting },
});

export const useReportSighting = () => useCommand(command);
