// A command for components: shows its effect at once, takes it back when it is rejected, and renews what it changed.
import {
  hashKey,
  mutationOptions,
  type QueryClient,
  useMutation,
  type UseMutationOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { renewEverywhere, tellTabs } from '#/data/own-tabs.ts';
import type { Command } from '#/offline/command-queue/define-command.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';

/** Shows what the answer tells, and asks for the rest of what the command changed. */
async function renew<Input, Answer>(
  queryClient: QueryClient,
  command: Command<Input, Answer>,
  input: Input,
  answer: Answer,
): Promise<void> {
  const changed = command.changes(input, answer);
  if (!command.show) return renewEverywhere(queryClient, changed);
  // A poll that is under way would show again what was there before.
  await Promise.all(changed.map((queryKey) => queryClient.cancelQueries({ queryKey })));
  const shown = command.show(queryClient, input, answer);
  const hashes = shown.map(hashKey);
  const stale = changed.filter((queryKey) => !hashes.includes(hashKey(queryKey)));
  tellTabs(
    stale,
    shown.map((key) => [key, queryClient.getQueryData(key)]),
  );
  return invalidateAll(queryClient, stale);
}

/** The mutation of a command. @param keys its idempotency keys */
export const commandMutation = <Input, Answer>(
  queryClient: QueryClient,
  command: Command<Input, Answer>,
  keys: { of: (input: Input) => string; done: () => void },
) =>
  mutationOptions({
    mutationKey: [command.name],
    mutationFn: (input: Input) => runCommand(command, input, { key: keys.of(input) }),
    onMutate: async (input) => {
      if (!command.optimistic) return undefined;
      // A poll that is under way would show again what was there before.
      await Promise.all(
        command.changes(input).map((queryKey) => queryClient.cancelQueries({ queryKey })),
      );
      return command.optimistic(queryClient, input);
    },
    onError: (_error, input, takeBack) => {
      takeBack?.();
      return invalidateAll(queryClient, command.changes(input));
    },
    onSuccess: (answer, input) => {
      keys.done();
      // What is queued has changed nothing yet but what is shown.
      return answer === 'queued' ? undefined : renew(queryClient, command, input, answer as Answer);
    },
  });

/** Its answer is 'queued' while there is no network. A repeat of what failed goes out under the same idempotency key. */
export function useCommand<Input, Answer>(
  command: Command<Input, Answer>,
  options: Pick<UseMutationOptions, 'scope'> = {},
) {
  const queryClient = useQueryClient();
  const keys = useIdempotencyKey();
  return useMutation({ ...options, ...commandMutation(queryClient, command, keys) });
}
