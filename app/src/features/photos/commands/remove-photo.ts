// Removes a photo that the user added to a park.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '#/data/request.ts';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { AppError } from '#/core/app-error.ts';

interface RemovedPhoto {
  parkId: number;
  path: string;
}

export function useRemovePhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ path }: RemovedPhoto) => {
      const removed = await request((client) => client.storage.from('parks').remove([path]));
      // The response is empty if the row-level policy does not allow the deletion.
      if (removed.length === 0) throw new AppError('errors.access_denied', 403);
    },
    onSuccess: (_done, { parkId }) =>
      invalidateInAllTabs(queryClient, [parkKeys.park(parkId), parkKeys.status(parkId)]),
  });
}
