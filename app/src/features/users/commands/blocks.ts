// Blocks and unblocks a user. Neither of the two users can then see the other.
import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { clearPersonalData, refetchCleared } from '#/data/session/session.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';

const blocksQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.blocks,
    queryFn: () => request((client) => client.rpc('my_blocks')),
  });

export const useBlocks = () => useQuery(blocksQueryOptions());

export const useBlockUser = () =>
  useMutation({
    mutationFn: (userId: string) =>
      request((client) => client.rpc('block_user', { p_user_id: userId })),
    // Refetch all lists, because any of them may contain the blocked user.
    onSuccess() {
      clearPersonalData();
      void refetchCleared();
    },
  });

export const unblockMutation = (queryClient: QueryClient) => {
  const { queryKey } = blocksQueryOptions();
  return mutationOptions({
    mutationFn: (userId: string) =>
      request((client) => client.rpc('unblock_user', { p_user_id: userId })),
    async onSuccess(_answer, userId) {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (blocked) =>
        blocked?.filter(({ user_id }) => user_id !== userId),
      );
    },
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
};

export const useUnblockUser = () => useMutation(unblockMutation(useQueryClient()));
