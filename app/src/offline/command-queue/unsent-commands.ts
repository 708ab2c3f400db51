// Applies commands that the server has not executed yet to cached data. Pure.
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { AnyCommand, CacheChange, Command } from '#/offline/command-queue/define-command.ts';

export interface UnsentCommand {
  id: string;
  command: AnyCommand;
  input: unknown;
  /** Milliseconds since the epoch. */
  at: number;
  /** False while the first attempt to send it is under way. */
  isQueued: boolean;
}

export interface WithUnsent<Data> {
  data: Data;
  /** True if a queued command has changed the data. */
  isQueued: boolean;
}

/** @param commands oldest first @param now milliseconds since the epoch */
export function applyUnsent<Data>(
  commands: readonly UnsentCommand[],
  queryKey: QueryKey,
  data: Data,
  now = Date.now(),
): WithUnsent<Data> {
  const hash = hashKey(queryKey);
  let shown: unknown = data;
  let hasQueued = false;
  for (const { id, command, input, at, isQueued } of commands)
    for (const change of command.apply?.(input, { id, at, now }) ?? []) {
      if (hashKey(change.queryKey) !== hash) continue;
      const next = change.update(shown);
      if (next === shown) continue;
      shown = next;
      hasQueued ||= isQueued;
    }
  return { data: shown as Data, isQueued: hasQueued };
}

const keysOf = (changes: readonly CacheChange[] = []) => changes.map(({ queryKey }) => queryKey);

/** Queries that `apply` changes before there is a response. */
const appliedQueries = <Input, Response>(command: Command<Input, Response>, input: Input) =>
  keysOf(command.apply?.(input, { id: '', at: 0, now: 0 }));

/** All queries that a command may have changed: to fetch after a rejection, and after sending a queued command. */
export const changedQueries = <Input, Response>(
  command: Command<Input, Response>,
  input: Input,
  response?: Response,
): QueryKey[] => [...command.invalidates(input, response), ...appliedQueries(command, input)];

/**
 * Writes a response into the cache.
 * @returns the queries whose new data came with the response, and those that must be fetched
 */
export async function applyResponse<Input, Response>(
  queryClient: QueryClient,
  command: Command<Input, Response>,
  input: Input,
  sent: { id: string; at: number; response: Response },
): Promise<{ applied: QueryKey[]; stale: QueryKey[] }> {
  const changes = command.apply?.(input, { ...sent, now: Date.now() }) ?? [];
  const applied = keysOf(changes);
  // Cancel fetches that are under way, because they would overwrite the response with older data.
  await Promise.all(applied.map((queryKey) => queryClient.cancelQueries({ queryKey })));
  for (const { queryKey, update } of changes) queryClient.setQueryData(queryKey, update);
  const hashes = new Set(applied.map(hashKey));
  const missing = appliedQueries(command, input).filter((key) => !hashes.has(hashKey(key)));
  return { applied, stale: [...command.invalidates(input, sent.response), ...missing] };
}
