// My dogs, and those that I keep or walk: who may come along, and for whom parks are ranked.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dogsOfOwnerQueryOptions, keptDogsQueryOptions } from '#/features/dogs/queries/dogs.ts';

/**
 * Undefined while they are on their way; none where they cannot be had, for one counts without a list, too. Those of
 * others are marked as `kept`. @param userId null while logged out
 */
export function useCompanions(userId: string | null) {
  const { data, isError } = useQuery({
    ...dogsOfOwnerQueryOptions(userId ?? ''),
    enabled: userId !== null,
  });
  const kept = useQuery({ ...keptDogsQueryOptions(), enabled: userId !== null }).data;
  // Those of others may come later: most people have none, and a check-in waits for nobody.
  return useMemo(
    () =>
      data || isError
        ? [...(data ?? []), ...(kept ?? []).map((dog) => ({ ...dog, kept: true }))]
        : undefined,
    [data, isError, kept],
  );
}
