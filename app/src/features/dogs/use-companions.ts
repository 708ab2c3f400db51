// The user's dogs and those the user keeps or walks. All of them may come along, and parks are ranked for them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dogsOfOwnerQueryOptions, keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';

/**
 * Undefined while loading; empty if loading failed, because a check-in works without the list. Other users' dogs are marked as
 * `kept`. @param userId null while logged out
 */
export function useCompanions(userId: string | null) {
  const { data, isError } = useQuery({
    ...dogsOfOwnerQueryOptions(userId ?? ''),
    enabled: userId !== null,
  });
  const kept = useQuery({ ...keptDogsQueryOptions(), enabled: userId !== null }).data;
  // Do not wait for other users' dogs, because most users have none and a check-in must not be delayed.
  return useMemo(
    () =>
      data || isError
        ? [...(data ?? []), ...(kept ?? []).map((dog) => ({ ...dog, kept: true }))]
        : undefined,
    [data, isError, kept],
  );
}
