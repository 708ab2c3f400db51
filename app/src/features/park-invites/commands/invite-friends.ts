// Invites friends to a park at a time; they get a notification and answer in it.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { unwrap } from '#/i18n/errors.ts';
import { withAge } from '#/data/age/age-question.ts';
import { retryUnanswered } from '#/data/retry-policy.ts';
import { supabase } from '#/data/supabase.ts';

/** The texts of issues are message keys. */
const inviteInput = v.object({
  parkId: v.number(),
  friendIds: v.pipe(v.array(v.string()), v.minLength(1, 'parkInvites.form.friendsMissing')),
  /** ISO 8601. */
  meetAt: v.pipe(v.string(), v.isoTimestamp('parkInvites.form.timeMissing')),
  key: v.string(),
});

type InviteInput = v.InferOutput<typeof inviteInput>;

/** @throws {AppError} */
async function inviteFriends(values: InviteInput): Promise<void> {
  const input = v.parse(inviteInput, values);
  const client = await supabase();
  await withAge(async () =>
    unwrap(
      await client.rpc('invite_to_park', {
        p_park_id: input.parkId,
        p_friend_ids: input.friendIds,
        p_meet_at: input.meetAt,
        p_key: input.key,
      }),
    ),
  );
}

export function useInviteFriends() {
  return useMutation({
    mutationFn: (invite: InviteInput) => retryUnanswered(() => inviteFriends(invite)),
  });
}
