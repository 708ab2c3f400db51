// What a tag says to who scanned it: null while its dog is at home, and where there is no such tag.
import { queryOptions } from '@tanstack/react-query';
import { STALE } from '#/data/stale.ts';
import { askJson } from '#/data/ask.ts';
import type { LostCard } from '#/features/lost-dogs/queries/lost-dogs.ts';

export const tagCardQueryOptions = (code: string) =>
  queryOptions({
    queryKey: ['tag', code],
    queryFn: () =>
      askJson<Pick<LostCard, 'name' | 'photo'> | null>((client) =>
        client.rpc('tag_card', { p_code: code }),
      ),
    staleTime: STALE.minute,
  });
