// Removes a photo that the person gave to a park.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { AppError } from '#/core/app-error.ts';
import { toAppError } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

interface RemovedPhoto {
  parkId: number;
  path: string;
}

async function removePhoto({ path }: RemovedPhoto): Promise<void> {
  const client = await supabase();
  const { data, error } = await client.storage.from('parks').remove([path]);
  if (error) throw toAppError(error);
  // What a policy keeps is left out of the answer.
  if (data.length === 0) throw new AppError('errors.access_denied', 403);
}

export function useRemovePhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: removePhoto,
    onSuccess: (_done, { parkId }) =>
      renewEverywhere(queryClient, [parkKeys.park(parkId), parkKeys.status(parkId)]),
  });
}
