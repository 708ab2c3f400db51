// My dogs, and those that I keep or walk, with their main photos, for the question who comes along.
import { useQuery } from '@tanstack/react-query';
import { keptDogsQueryOptions } from '#/features/dogs/queries/kept-dogs.ts';
import { dogsOfOwnerQueryOptions } from '#/features/dogs/queries/dogs-of-owner.ts';

interface DogFace {
  id: string;
  name: string;
  /** Object path in bucket users, or null. */
  photo: string | null;
  /** Another person's. */
  kept?: boolean;
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
  const kept = useQuery({ ...keptDogsQueryOptions(), enabled: userId !== null });
  // Those of others may come later: most people have none, and a check-in waits for nobody.
  return data || isError
    ? [...(data ?? []), ...(kept.data ?? []).map((dog) => ({ ...dog, kept: true }))]
    : undefined;
}
