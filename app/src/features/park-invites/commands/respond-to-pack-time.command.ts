// Joins a weekly meeting, skips it once, or leaves it. A later response replaces an earlier one.
import * as v from 'valibot';
import { userKeys } from '#/entities/users/user-keys.ts';
import { type MyMeeting, withResponse } from '#/features/park-invites/my-meetings.ts';
import type { PackTime } from '#/features/park-invites/queries/pack-times.ts';
import { change, defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const packTimeInput = v.object({
  packTimeId: v.pipe(v.string(), v.uuid()),
  comes: v.boolean(),
  /** Start of the meeting to skip, ISO 8601; null to leave permanently. */
  skip: v.nullable(v.string()),
  parkId: v.number(),
});

type PackTimeInput = v.InferOutput<typeof packTimeInput>;

export const command = defineCommand<PackTimeInput, unknown>({
  name: 'respond_to_pack_time',
  input: packTimeInput,
  // Needs no idempotency key, because repeating it has the same effect.
  send: ({ packTimeId, comes, skip }, { client, request }) =>
    request(
      client.rpc('respond_to_pack_time', {
        p_pack_time_id: packTimeId,
        p_comes: comes,
        ...(skip && { p_skip: skip }),
      }),
    ),
  apply: ({ packTimeId, parkId, comes, skip }, { response }) =>
    response === undefined
      ? [
          change<readonly MyMeeting[] | undefined>(userKeys.meetings, (meetings) =>
            withResponse(meetings, ({ pack_time_id }) => pack_time_id === packTimeId, comes),
          ),
          change<readonly PackTime[] | undefined>(userKeys.packTimes(parkId), (packTimes) =>
            packTimes?.map((pack) =>
              pack.id === packTimeId
                ? {
                    ...pack,
                    joined: comes || skip !== null,
                    skips: skip === pack.meet_at,
                    isQueued: true,
                  }
                : pack,
            ),
          ),
        ]
      : [],
  invalidates: () => [],
  queue: { replaces: (input, queued) => input.packTimeId === queued.packTimeId },
});

export const useRespondToPackTime = () => useCommand(command);
