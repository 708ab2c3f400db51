// Decides which prompt to show after a visit that ended without a check-out on this screen: by expiry, by a check-in at another
// park, or offline.
import { hasNoResponse } from '#/i18n/errors.ts';
import { requestJson } from '#/data/request.ts';
import type { CheckOutInput } from '#/features/check-ins/commands/check-out.command.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { getUnsent } from '#/offline/command-queue/queued-commands.ts';
import { usualDogs } from '#/features/check-ins/usual-dogs.ts';
import { minutesOf } from '#/features/check-ins/check-in-limits.ts';

export interface EndedVisit {
  visitId: string;
  parkId: number;
  parkName: string;
  minutes: number;
  /** True if the user has not reviewed the park yet. */
  first: boolean;
  /** The dogs on the visit that the user owns. */
  ownDogIds: readonly string[];
}

type Visited = Pick<MyCheckIn, 'park_id' | 'park_name' | 'started_at'> & { own_dog_ids: string[] };

/** @param until end of the visit, milliseconds since the epoch */
export const endedVisit = (
  visitId: string,
  { park_id, park_name, started_at, own_dog_ids }: Visited,
  until: number,
  first: boolean,
): EndedVisit => ({
  visitId,
  parkId: park_id,
  parkName: park_name,
  minutes: minutesOf(started_at, until),
  first,
  ownDogIds: own_dog_ids,
});

/**
 * Returns null if another device has already shown the prompt. While offline, only the data on this device is used.
 * @param isReviewed true if the user has reviewed the park, according to this device
 * @throws {AppError}
 */
export async function loadEndedVisit(
  visit: MyCheckIn,
  isReviewed: boolean,
): Promise<EndedVisit | null> {
  const now = Date.now();
  try {
    const response = await requestJson<
      (Visited & { ended_at: string; offer_review: boolean }) | null
    >((client) => client.rpc('ask_for_review', { p_visit_id: visit.check_in_id }));
    return (
      response &&
      endedVisit(visit.check_in_id, response, Date.parse(response.ended_at), response.offer_review)
    );
  } catch (error) {
    if (!hasNoResponse(error)) throw error;
  }
  const isUndone = getUnsent().some(({ command, input }) => {
    const { visitId, undo } = input as Partial<CheckOutInput>;
    return command.name === 'check_out' && visitId === visit.check_in_id && undo;
  });
  if (isUndone) return null;
  return endedVisit(
    visit.check_in_id,
    // The dogs of the last check-in on this device, which was this visit. The server rejects a photo of any other dog.
    { ...visit, own_dog_ids: usualDogs() },
    Math.min(now, Date.parse(visit.expires_at)),
    !isReviewed,
  );
}
