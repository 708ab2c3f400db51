// Users who logged in with Google or Apple confirm their age once, before their first public post. The server decides when to
// require it.
import { createStore, useStore } from '#/core/store.ts';
import { myConsentsKey } from '#/data/session/own-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import { request } from '#/data/request.ts';
import { AppError } from '#/core/app-error.ts';

type AgeCallback = (isOldEnough: boolean) => void;

const prompt = createStore<AgeCallback | null>(null);

/** Callback for the answer to the open age prompt; null if none is open. */
export const useAgePrompt = (): AgeCallback | null => useStore(prompt);

const promptUser = (): Promise<boolean> =>
  new Promise((resolve) => {
    // If two callers prompt at the same time, one answer resolves both.
    const before = prompt.get();
    prompt.set((isOldEnough) => {
      prompt.set(null);
      before?.(isOldEnough);
      resolve(isOldEnough);
    });
  });

/** Prompts the user and sends the confirmation. @returns false if the user does not confirm @throws {AppError} */
export async function confirmAge(): Promise<boolean> {
  if (!(await promptUser())) return false;
  await request((client) => client.rpc('confirm_age'));
  void queryClient.invalidateQueries({ queryKey: myConsentsKey });
  return true;
}

/** If the server requires the age first, prompts the user and repeats `work`. @throws the error of `work` */
export async function withAge<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.key !== 'errors.age_required') throw error;
    if (!(await confirmAge())) throw error;
  }
  return work();
}
