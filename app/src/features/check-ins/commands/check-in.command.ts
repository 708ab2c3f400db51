// Checks in at a park: the server says when the person is elsewhere, and changes nothing until told to switch; far away, they
// plan to come.
import * as v from 'valibot';
import { parkKeys, visitKeys } from '#/entities/parks/park-keys.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import {
  MAX_STAY,
  minutesAfterDelay,
  MOST_DOGS,
  MIN_STAY,
} from '#/features/check-ins/check-in-limits.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';
import type { DevicePlace } from '#/platform/device-location.ts';
import { locateQuietly } from '#/platform/here.ts';

/** How long a check-in waits for the device's place at most, in ms. */
const PATIENCE_MS = 3000;

/** Null without permission, which this never asks for, and where the device does not find out soon. */
const placeOfCheckIn = (): Promise<DevicePlace | null> =>
  Promise.race([
    locateQuietly(),
    new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), PATIENCE_MS);
    }),
  ]);

const checkInInput = v.object({
  parkId: v.pipe(v.number(), v.integer()),
  dogIds: v.optional(v.array(v.pipe(v.string(), v.uuid())), []),
  /** Counts where no own dogs are named. */
  dogCount: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_DOGS))),
  stayMinutes: v.pipe(v.number(), v.integer(), v.minValue(MIN_STAY), v.maxValue(MAX_STAY)),
  /** As the person reads it, for as long as no answer names it. */
  parkName: v.optional(v.string(), ''),
  /** Leave the other park for this one. */
  switch: v.boolean(),
});

export type CheckInInput = v.InferOutput<typeof checkInInput>;

export interface CheckInAnswer {
  status: 'checked_in' | 'already_here' | 'elsewhere' | 'planned';
  check_in_id: string | null;
  park_id: number;
  expires_at: string | null;
  /** Whether the park's numbers have it. */
  counted?: boolean;
  elsewhere: { park_id: number; name: string } | null;
  stay?: MyCheckIn | null;
}

export const command = defineCommand<CheckInInput, CheckInAnswer>({
  name: 'check_in',
  input: checkInInput,
  async send(
    { parkId, dogIds, dogCount, stayMinutes, switch: isSwitch },
    { client, key, isQueued, ask },
  ) {
    // It is asked for when it is sent, so that none is stored; the person of a queued one may have gone on.
    const place = isQueued ? null : await placeOfCheckIn();
    return ask<CheckInAnswer>(
      client.rpc('check_in', {
        p_park_id: parkId,
        p_dog_ids: dogIds,
        ...(dogCount && { p_dog_count: dogCount }),
        p_stay_minutes: stayMinutes,
        p_switch: isSwitch,
        p_key: key,
        ...(place && { p_lat: place.lat, p_long: place.long, p_accuracy: place.accuracy }),
      }),
    );
  },
  changes: ({ parkId }, answer) => (answer?.status === 'elsewhere' ? [] : visitKeys(parkId)),
  // In, out and in again are three commands.
  replaces: () => false,
  show(queryClient, _input, { stay }) {
    if (stay === undefined) return [];
    queryClient.setQueryData(parkKeys.myCheckIn, stay);
    return [parkKeys.myCheckIn];
  },
  adjustForDelay(input, waited) {
    const stayMinutes = minutesAfterDelay(input.stayMinutes, waited);
    return stayMinutes === null ? null : { ...input, stayMinutes };
  },
  notDone: ({ status }) => (status === 'elsewhere' ? 'queuedCommands.elsewhere' : null),
  decisions: {
    'queuedCommands.elsewhere': {
      label: 'queuedCommands.switch',
      change: (input) => ({ ...input, switch: true }),
    },
  },
});

export const useCheckIn = () => useCommand(command);
