// My dogs with their main photos, for the question who comes along.
import { useQuery } from '@tanstack/react-query';
import { dogsOfOwnerQueryOptions } from '#/features/dogs/queries/dogs-of-owner.ts';

interface DogFace {
  id: string;
  name: string;
  /** Object path in bucket users, or null. */
  photo: string | null;
}

/**
 * Undefined while they are on their way; none where they cannot be had, for one counts without a list, too.
 * @param userId null while logged out
 */
export function useCompanions(userId: string | null): readonly DogFace[] | undefined {
  const { data, isError } = useQuery({
    ...dogsOfOwnerQueryOptions(userId ?? ''),
    enabled: userId !== null,
  });
  return data ?? (isError ? [] : undefined);
}
