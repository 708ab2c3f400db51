// What a tag says to who scanned it: null while its dog is at home, and where there is no such tag.
import { queryOptions } from '@tanstack/react-query';
import { STALE } from '#/data/stale.ts';
import { supabase } from '#/data/supabase.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import type { LostCard } from '#/features/lost-dogs/queries/lost-dogs.ts';

export const tagCardQueryOptions = (code: string) =>
  queryOptions({
    queryKey: ['tag', code],
    queryFn: async () =>
      unwrapJson<Pick<LostCard, 'name' | 'photo'> | null>(
        await (await supabase()).rpc('tag_card', { p_code: code }),
      ),
    staleTime: STALE.minute,
  });
