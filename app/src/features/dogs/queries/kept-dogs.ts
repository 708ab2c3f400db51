// The dogs of others that I keep or walk.
import { queryOptions } from '@tanstack/react-query';
import type { Dog } from '#/features/dogs/dog.ts';
import type { DogRole } from '#/features/dogs/queries/dog-people.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { askJson } from '#/data/ask.ts';

const stillKept = <Kept extends { ends_at: string | null }>(dogs: Kept[]) =>
  dogs.filter(({ ends_at }) => ends_at === null || Date.parse(ends_at) > Date.now());

export const keptDogsQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.keptDogs,
    queryFn: () =>
      askJson<(Dog & { role: DogRole; ends_at: string | null })[]>((client) =>
        client.rpc('kept_dogs'),
      ),
    // A walker has the cached list longer than the dog.
    select: stillKept,
  });
