// The answer to an invite to a park: the list of meetings and the notifications both give it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withAge } from '#/data/age/age-question.ts';
import { unwrap } from '#/i18n/errors.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

/** Accepts or declines an invite; a later answer replaces the earlier one. */
export function useAnswerInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ inviteId, accept }: { inviteId: string; accept: boolean }) => {
      const client = await supabase();
      const args = { p_invite_id: inviteId, p_accept: accept };
      await withAge(async () => unwrap(await client.rpc('respond_to_invite', args)));
    },
    onSettled: () =>
      Promise.all(
        [peopleKeys.meetings, peopleKeys.notifications].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
