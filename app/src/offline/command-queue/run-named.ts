// Runs a command of another feature, found by its name: several features give the same answer, and they do not import each other.
import { AppError } from '#/core/app-error.ts';
import { newUuid } from '#/core/uuid.ts';
import { queryClient } from '#/data/query-client.ts';
import { loadCommand } from '#/offline/command-queue/registry.ts';
import { commandMutation } from '#/offline/command-queue/use-command.ts';

/** One after the other, so that of two choices the later stands. 'queued' while there is no network. @throws {AppError} */
export async function runNamed(name: string, input: unknown): Promise<unknown> {
  const command = await loadCommand(name);
  if (!command) throw new AppError('errors.unexpected', 500);
  const mutation = commandMutation(queryClient, command, { of: newUuid, done: () => undefined });
  const inTurn = { ...mutation, scope: { id: name } };
  return queryClient.getMutationCache().build(queryClient, inTurn).execute(input);
}
