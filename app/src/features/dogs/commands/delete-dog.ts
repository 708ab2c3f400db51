// Deletes one of the user's dogs. A failure is logged, and the dog remains.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';

export function useDeleteDog(ownerId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (dogId: string) => request((client) => client.rpc('delete_dog', { dog_id: dogId })),
    onError: (error) => console.warn('The dog could not be removed:', error),
    onSettled: () =>
      invalidateInAllTabs(queryClient, [
        userKeys.dogs(ownerId),
        userKeys.page(ownerId),
        parkKeys.myCheckIn,
      ]),
  });
}
