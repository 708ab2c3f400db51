// Blocking: neither sees the other anywhere.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { forgetPersonalData } from '#/data/session/session.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

export interface BlockedUser {
  user_id: string;
  name: string;
}

/** @throws {AppError} */
export async function fetchBlocks(): Promise<BlockedUser[]> {
  const client = await supabase();
  return unwrap(await client.rpc('my_blocks'));
}

export const blocksQueryOptions = () =>
  queryOptions({ queryKey: peopleKeys.blocks, queryFn: fetchBlocks });

export const useBlocks = () => useQuery(blocksQueryOptions());

export function useBlockUser() {
  return useMutation({
    mutationFn: async (userId: string) => {
      const client = await supabase();
      unwrap(await client.rpc('block_user', { p_user_id: userId }));
    },
    // They may stand in any cached list: all of them are asked again.
    onSuccess: forgetPersonalData,
  });
}

export function useUnblockUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (userId: string) => {
      const client = await supabase();
      unwrap(await client.rpc('unblock_user', { p_user_id: userId }));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleKeys.blocks }),
  });
}
