// The user's dogs and those the user keeps or walks: they may come along, and parks are ranked for them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dogsOfOwnerQueryOptions, keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';

/**
 * Undefined while loading; empty if they cannot be loaded, because a check-in works without the list. Other users' dogs are marked
 * as `kept`.
 * @param userId null while logged out
 */
export function useCompanions(userId: string | null) {
  const { data, isError } = useQuery({
    ...dogsOfOwnerQueryOptions(userId ?? ''),
    enabled: userId !== null,
  });
  const kept = useQuery({ ...keptDogsQueryOptions(), enabled: userId !== null }).data;
  // Other users' dogs may load later, because most users have none and a check-in must not wait.
  return useMemo(
    () =>
      data || isError
        ? [...(data ?? []), ...(kept ?? []).map((dog) => ({ ...dog, kept: true }))]
        : undefined,
    [data, isError, kept],
  );
}
