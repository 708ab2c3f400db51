// A command for components: shows its effect at once, takes it back when it is refused, and renews what it changed.
import { useMutation, type UseMutationOptions, useQueryClient } from '@tanstack/react-query';
import { invalidateAll } from '#/data/invalidate-all.ts';
import type { Command } from '#/offline/command-queue/define-command.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';

/**
 * The mutation of a command; its answer is 'queued' while there is no network. A repeat of what failed goes out under the
 * same idempotency key.
 */
export function useCommand<Input, Answer>(
  command: Command<Input, Answer>,
  options: Pick<UseMutationOptions, 'scope'> = {},
) {
  const queryClient = useQueryClient();
  const keys = useIdempotencyKey();
  return useMutation({
    ...options,
    mutationFn: (input: Input) => runCommand(command, input, { key: keys.of(input) }),
    onMutate: async (input) => {
      if (!command.optimistic) return undefined;
      // A poll that is under way would show again what was there before.
      await Promise.all(
        command.changes(input).map((queryKey) => queryClient.cancelQueries({ queryKey })),
      );
      return command.optimistic(queryClient, input);
    },
    onError: (_error, _input, takeBack) => takeBack?.(),
    onSuccess: keys.done,
    onSettled: (answer, _error, input) =>
      // What is queued has changed nothing yet but what is shown.
      answer === 'queued' ? undefined : invalidateAll(queryClient, command.changes(input, answer)),
  });
}
