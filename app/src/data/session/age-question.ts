// A person who came by Google or Apple confirms their age once, before the first thing that others see: the server says when.
import { createStore, useStore } from '#/core/store.ts';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import { ask } from '#/data/ask.ts';
import { AppError } from '#/core/app-error.ts';

type Answer = (isOldEnough: boolean) => void;

const question = createStore<Answer | null>(null);

/** Answers the question that is open; null while there is none. */
export const useAgeQuestion = (): Answer | null => useStore(question);

const askPerson = (): Promise<boolean> =>
  new Promise((resolve) => {
    // Two at once are answered together.
    const before = question.get();
    question.set((isOldEnough) => {
      question.set(null);
      before?.(isOldEnough);
      resolve(isOldEnough);
    });
  });

/** Asks the person and tells the server. @returns false where they do not confirm. @throws {AppError} */
export async function confirmAge(): Promise<boolean> {
  if (!(await askPerson())) return false;
  await ask((client) => client.rpc('confirm_age'));
  void queryClient.invalidateQueries({ queryKey: myConsentsKey });
  return true;
}

/** Where the server asks for the age first, the person is asked, and `work` is done again. @throws what it throws */
export async function withAge<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.key !== 'errors.age_required') throw error;
    if (!(await confirmAge())) throw error;
  }
  return work();
}
