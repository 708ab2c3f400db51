// Answers an invite to a park from inside the list.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

/** Accepts or declines an invite to a park. */
export function useAnswerInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ inviteId, accept }: { inviteId: string; accept: boolean }) => {
      const client = await supabase();
      unwrap(await client.rpc('respond_to_invite', { p_invite_id: inviteId, p_accept: accept }));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleKeys.notifications }),
  });
}
