// Checks in at a park, or announces that the user is on the way. If the user is checked in elsewhere, the server changes nothing
// until `switch` is set. A check-in from far away becomes a plan.
import * as v from 'valibot';
import { AppError } from '#/core/app-error.ts';
import { headcountKeys, parkKeys } from '#/entities/parks/park-keys.ts';
import { type MyVisit, withCheckIn } from '#/features/check-ins/my-visit.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import {
  MAX_STAY,
  minutesAfterDelay,
  MAX_DOGS,
  MIN_STAY,
} from '#/features/check-ins/check-in-limits.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';
import type { DevicePlace } from '#/platform/device-location.ts';
import { locateQuietly } from '#/platform/here.ts';

const LOCATION_TIMEOUT_MS = 3000;

/** Returns null after a timeout or without location permission. Does not request the permission. */
const placeOfCheckIn = (): Promise<DevicePlace | null> =>
  Promise.race([
    locateQuietly(),
    new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), LOCATION_TIMEOUT_MS);
    }),
  ]);

const checkInInput = v.object({
  parkId: v.pipe(v.number(), v.integer()),
  dogIds: v.optional(v.array(v.pipe(v.string(), v.uuid())), []),
  /** The number of dogs, used if `dogIds` is empty. */
  dogCount: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_DOGS))),
  stayMinutes: v.pipe(v.number(), v.integer(), v.minValue(MIN_STAY), v.maxValue(MAX_STAY)),
  /** Shown until the server has responded. */
  parkName: v.optional(v.string(), ''),
  /** Minutes until the user, who is on the way, arrives. */
  arrivesIn: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Ends the visit at another park. */
  switch: v.boolean(),
});

export type CheckInInput = v.InferOutput<typeof checkInInput>;

export interface CheckInResponse {
  status: 'checked_in' | 'already_here' | 'elsewhere' | 'planned';
  check_in_id: string | null;
  park_id: number;
  expires_at: string | null;
  /** True if the park's dog count includes the dogs of this visit. */
  counted?: boolean;
  elsewhere: { park_id: number; name: string } | null;
  /** The current visit or plan; missing if the command changed nothing. */
  stay?: MyCheckIn | null;
}

export const command = defineCommand<CheckInInput, CheckInResponse>({
  name: 'check_in',
  input: checkInInput,
  async send(
    { parkId, dogIds, dogCount, stayMinutes, arrivesIn, switch: isSwitch },
    { client, key, isQueued, request },
  ) {
    // The location is not part of the input, so the queue does not store it. A queued command sends none, because the user may have
    // moved. A user on the way sends none either.
    const place = isQueued || arrivesIn ? null : await placeOfCheckIn();
    const response = await request<CheckInResponse>(
      client.rpc('check_in', {
        p_park_id: parkId,
        p_dog_ids: dogIds,
        ...(dogCount && { p_dog_count: dogCount }),
        p_stay_minutes: stayMinutes,
        p_switch: isSwitch,
        p_key: key,
        ...(arrivesIn && { p_arrives_in: arrivesIn }),
        ...(place && {
          p_location: { lat: place.lat, long: place.long, accuracy: place.accuracy },
        }),
      }),
    );
    if (isQueued && response.status === 'elsewhere')
      throw new AppError('queuedCommands.elsewhere', 409);
    return response;
  },
  apply(input, { response, ...application }) {
    if (!response)
      return [
        change<MyVisit | null | undefined>(parkKeys.myCheckIn, (visit) =>
          withCheckIn(visit, input, application),
        ),
      ];
    const { stay } = response;
    return stay === undefined ? [] : [change(parkKeys.myCheckIn, () => stay)];
  },
  invalidates: ({ parkId }, response) =>
    response?.status === 'elsewhere' ? [] : headcountKeys(parkId),
  queue: {
    // A queued check-in is never replaced, because checking in, out and in again are three separate commands.
    replaces: () => false,
    adjustForDelay(input, queuedMs) {
      const { arrivesIn, stayMinutes } = input;
      const left = minutesAfterDelay(arrivesIn ?? stayMinutes, queuedMs);
      if (left === null) return null;
      return { ...input, ...(arrivesIn ? { arrivesIn: left } : { stayMinutes: left }) };
    },
    decisions: {
      'queuedCommands.elsewhere': {
        label: 'queuedCommands.switch',
        change: (input) => ({ ...input, switch: true }),
      },
    },
  },
});

export const useCheckIn = () => useCommand(command);
