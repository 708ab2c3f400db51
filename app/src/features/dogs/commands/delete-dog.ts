// Removes one of my dogs; a failure is only logged, and the dog stays.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isUnanswered } from '#/i18n/errors.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { ask } from '#/data/ask.ts';

/** Whether the dog is gone, or why not. */
async function deleteDog(dogId: string): Promise<'gone' | 'offline' | 'failed'> {
  try {
    await ask((client) => client.rpc('delete_dog', { dog_id: dogId }));
    return 'gone';
  } catch (error) {
    console.warn('The dog could not be removed:', error);
    return isUnanswered(error) ? 'offline' : 'failed';
  }
}

export function useDeleteDog(ownerId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteDog,
    onSuccess: () =>
      renewEverywhere(queryClient, [
        peopleKeys.dogs(ownerId),
        peopleKeys.page(ownerId),
        parkKeys.myCheckIn,
      ]),
  });
}
