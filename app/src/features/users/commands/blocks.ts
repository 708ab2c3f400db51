// Blocking: neither sees the other anywhere.
import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { unwrap } from '#/i18n/errors.ts';
import { forgetPersonalData } from '#/data/session/session.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

interface BlockedUser {
  user_id: string;
  name: string;
}

async function fetchBlocks(): Promise<BlockedUser[]> {
  const client = await supabase();
  return unwrap(await client.rpc('my_blocks'));
}

const blocksQueryOptions = () =>
  queryOptions({ queryKey: peopleKeys.blocks, queryFn: fetchBlocks });

export const useBlocks = () => useQuery(blocksQueryOptions());

export const useBlockUser = () =>
  useMutation({
    mutationFn: async (userId: string) => {
      const client = await supabase();
      unwrap(await client.rpc('block_user', { p_user_id: userId }));
    },
    // They may stand in any cached list: all of them are asked again.
    onSuccess: forgetPersonalData,
  });

export const unblockMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: async (userId: string) => {
      const client = await supabase();
      unwrap(await client.rpc('unblock_user', { p_user_id: userId }));
    },
    async onSuccess(_answer, userId) {
      await queryClient.cancelQueries({ queryKey: peopleKeys.blocks });
      queryClient.setQueryData<BlockedUser[]>(peopleKeys.blocks, (blocked) =>
        blocked?.filter(({ user_id }) => user_id !== userId),
      );
    },
    onError: () => queryClient.invalidateQueries({ queryKey: peopleKeys.blocks }),
  });

export const useUnblockUser = () => useMutation(unblockMutation(useQueryClient()));
