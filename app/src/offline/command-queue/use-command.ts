// A command as a mutation. It applies the response to the cache and refetches what else the command has changed.
import {
  mutationOptions,
  type QueryClient,
  useMutation,
  type UseMutationOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { queryClient } from '#/data/query-client.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';
import { notifyTabs } from '#/data/tab-sync.ts';
import type { AnyCommand, Command } from '#/offline/command-queue/define-command.ts';
import { makeIdempotencyKey, useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { showWhileSending } from '#/offline/command-queue/queued-commands.ts';
import { runCommand } from '#/offline/command-queue/run-command.ts';
import { applyResponse, changedQueries } from '#/offline/command-queue/unsent-commands.ts';

interface CommandOptions extends Pick<UseMutationOptions, 'scope'> {
  /** Shows the command's effect while it is being sent, for commands that the server almost always accepts. */
  isOptimistic?: boolean;
}

/** @param keys the idempotency keys of the component */
export const commandMutation = <Input, Response>(
  queryClient: QueryClient,
  command: Command<Input, Response>,
  keys: { of: (input: Input) => string; done: () => void },
  { isOptimistic = false, scope }: CommandOptions = {},
) =>
  mutationOptions({
    mutationKey: [command.name],
    ...(scope && { scope }),
    mutationFn: (input: Input) => runCommand(command, input, { key: keys.of(input) }),
    onMutate: (input) => {
      const sent = { id: keys.of(input), at: Date.now() };
      const shown = { ...sent, command: command as AnyCommand, input, isQueued: false };
      return { ...sent, hide: isOptimistic ? showWhileSending(shown) : undefined };
    },
    onError: (_error, input, sent) => {
      sent?.hide?.();
      return invalidateAll(queryClient, changedQueries(command, input));
    },
    onSuccess: async (response, input, { id, at, hide }) => {
      keys.done();
      if (response === 'queued') return hide?.();
      const sent = { id, at, response: response as Response };
      const { applied, stale } = await applyResponse(queryClient, command, input, sent);
      hide?.();
      notifyTabs(
        stale,
        applied.map((key) => [key, queryClient.getQueryData(key)]),
      );
      return invalidateAll(queryClient, stale);
    },
  });

/**
 * Runs a command outside a component; commands of the same name run one after the other. @returns 'queued' when offline @throws
 * {AppError}
 */
export const executeCommand = <Input, Response>(
  command: Command<Input, Response>,
  input: Input,
): Promise<Response | 'queued'> =>
  queryClient
    .getMutationCache()
    .build(
      queryClient,
      commandMutation(queryClient, command, makeIdempotencyKey(), { scope: { id: command.name } }),
    )
    .execute(input);

/** The mutation returns 'queued' when offline. Retrying after a failure uses the same idempotency key. */
export function useCommand<Input, Response>(
  command: Command<Input, Response>,
  options?: CommandOptions,
) {
  const queryClient = useQueryClient();
  const keys = useIdempotencyKey();
  return useMutation(commandMutation(queryClient, command, keys, options));
}
