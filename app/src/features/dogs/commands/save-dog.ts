// Adds a dog or changes one of mine.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withAge } from '#/data/session/age-prompt.ts';
import type { DogInput } from '#/features/dogs/dog.ts';
import { unwrap } from '#/i18n/errors.ts';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { request } from '#/data/request.ts';
import { supabase } from '#/data/supabase.ts';

interface SaveDog {
  /** Made by the form, so that a repeated submit adds one dog only. */
  id: string;
  ownerId: string;
  /** False while the dog does not exist yet. */
  exists: boolean;
  values: DogInput;
}

/** @throws {AppError} `too_many` above 20 dogs */
async function saveDog({ id, ownerId, exists, values }: SaveDog): Promise<void> {
  const client = await supabase();
  if (exists) {
    await request(
      (client) => client.from('dogs').update(values).eq('id', id).select('id').single(),
      {
        PGRST116: 'dogs.page.notFound',
      },
    );
    return;
  }
  const inserted = await client
    .from('dogs')
    .upsert({ id, owner: ownerId, ...values }, { onConflict: 'id', ignoreDuplicates: true })
    .select('id');
  if (inserted.data?.length) return;
  if (!inserted.error || inserted.error.message === 'too_many') {
    // The same id again: the first try arrived, only its answer did not; what was changed since then counts, too.
    const update = client.from('dogs').update(values).eq('id', id);
    if ((await update.select('id').maybeSingle()).data) return;
  }
  unwrap(inserted, { too_many: 'dogs.form.tooMany' });
}

export function useSaveDog() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (dog: SaveDog) => withAge(() => saveDog(dog)),
    onSuccess: (_saved, { id, ownerId }) =>
      Promise.all([
        invalidateInAllTabs(queryClient, [peopleKeys.dogs(ownerId), peopleKeys.page(ownerId)]),
        queryClient.invalidateQueries({ queryKey: peopleKeys.dog(id), exact: true }),
      ]),
  });
}
