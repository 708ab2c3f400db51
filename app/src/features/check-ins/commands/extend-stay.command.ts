// Extends a visit.
import * as v from 'valibot';
import { headcountKeys, parkKeys } from '#/entities/parks/park-keys.ts';
import { type MyVisit, withLongerStay } from '#/features/check-ins/my-visit.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const extendInput = v.object({
  visitId: v.pipe(v.string(), v.uuid()),
  parkId: v.number(),
  minutes: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The visit's end that was on screen, ISO 8601. It is not sent, but makes a second tap differ from a duplicate in the queue. */
  from: v.string(),
});

type ExtendResponse =
  | { status: 'extended'; check_in_id: string; expires_at: string }
  | { status: 'already_ended' };

export type ExtendInput = v.InferOutput<typeof extendInput>;

export const command = defineCommand<ExtendInput, ExtendResponse>({
  name: 'extend_stay',
  input: extendInput,
  send: ({ visitId, minutes }, { client, key, request }) =>
    request<ExtendResponse>(
      client.rpc('extend_stay', { p_visit_id: visitId, p_minutes: minutes, p_key: key }),
    ),
  apply(input, { response }) {
    if (response?.status === 'already_ended') return [];
    return [
      change<MyVisit | null | undefined>(parkKeys.myCheckIn, (visit) => {
        if (!response) return withLongerStay(visit, input);
        const { check_in_id, expires_at } = response;
        return visit?.check_in_id === check_in_id ? { ...visit, expires_at } : visit;
      }),
    ];
  },
  invalidates: ({ parkId }) => headcountKeys(parkId),
});

export const useExtendStay = () => useCommand(command);
