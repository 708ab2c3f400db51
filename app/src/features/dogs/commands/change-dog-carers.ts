// Changes a dog's carers, as its owner or as one of them.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withAge } from '#/data/session/age-prompt.ts';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';
import type { Supabase } from '#/data/supabase.ts';
import type { DogRole } from '../../../../../shared/enums.ts';
import { siteUrl } from '#/platform/site-url.ts';

/** The mutation's variable is the call to execute. */
export function useChangeDogCarers(ownerId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (call: (client: Supabase) => PromiseLike<{ data: unknown; error: unknown }>) =>
      withAge(() => request(call)),
    onSettled: () => invalidateInAllTabs(queryClient, [['dogs'], userKeys.page(ownerId)]),
  });
}

/** The mutation returns the invite link's URL, which cannot be read again. */
export function useMakeDogInvite(dogId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ role, until }: { role: DogRole; until: string }) =>
      withAge(async () => {
        const secret = await request((client) =>
          client.rpc('make_dog_invite', {
            p_dog_id: dogId,
            p_role: role,
            // The role ends at the end of the chosen day.
            ...(role === 'walker' && { p_ends_at: new Date(`${until}T23:59:59`).toISOString() }),
          }),
        );
        return siteUrl(`/dog-invites/${secret}`);
      }),
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: userKeys.dogCarers(dogId) }),
  });
}
