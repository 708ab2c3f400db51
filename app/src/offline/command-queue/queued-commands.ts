// The queued commands of the current user, for screens. Separate from the queue itself, which the first paint does not load.
import type { QueryKey } from '@tanstack/react-query';
import { createStore, useStore } from '#/core/store.ts';
import type { MessageKey } from '#/i18n/i18n.ts';
import {
  applyUnsent,
  type UnsentCommand,
  type WithUnsent,
} from '#/offline/command-queue/unsent-commands.ts';

export interface QueuedCommand {
  /** Also the idempotency key: the server executes the command once, however often it is sent. */
  id: string;
  userId: string;
  /** Name of the command's definition (define-command.ts). */
  command: string;
  input: unknown;
  hasFile: boolean;
  /** Milliseconds since the epoch. */
  queuedAt: number;
  /** Milliseconds since the epoch: until then the user can undo it, and it is neither sent nor listed. */
  undoUntil?: number;
  /** The reason why the server rejected it. */
  rejection: MessageKey | null;
}

interface Queue {
  commands: readonly QueuedCommand[];
  /** The effects of the queued commands that were not rejected. */
  unsent: readonly UnsentCommand[];
  /** Number of commands sent since the list was last empty. */
  sent: number;
  /** ID of their user, null while logged out, undefined until the queue has been read. */
  owner: string | null | undefined;
}

const queue = createStore<Queue>({ commands: [], unsent: [], sent: 0, owner: undefined });
/** Optimistic commands whose first attempt is under way. */
const sending = createStore<readonly UnsentCommand[]>([]);

export const showQueue = (shown: Pick<Queue, 'commands' | 'unsent' | 'owner'>): void =>
  queue.set({ ...shown, sent: shown.commands.length > 0 ? queue.get().sent : 0 });

export const countSent = (): void => queue.set({ ...queue.get(), sent: queue.get().sent + 1 });

/** Shows the effect of a command until the returned function is called. */
export function showWhileSending(command: UnsentCommand): () => void {
  sending.set([...sending.get(), command]);
  return () => sending.set(sending.get().filter((other) => other !== command));
}

/** Returns the commands, oldest first; empty until the queue has been read. */
export const getQueuedCommands = (): readonly QueuedCommand[] => queue.get().commands;

export const useQueuedCommands = (): readonly QueuedCommand[] => useStore(queue).commands;

/** The user whose commands `getQueuedCommands` returns; undefined until the queue has been read. */
export const getQueueOwner = (): string | null | undefined => queue.get().owner;

export const useQueueOwner = (): string | null | undefined => useStore(queue).owner;

export function useQueueCounts(): { queued: number; rejected: number; sent: number } {
  const { commands, sent } = useStore(queue);
  const rejected = commands.filter(({ rejection }) => rejection !== null).length;
  return { queued: commands.length - rejected, rejected, sent };
}

/** Returns the unsent commands, oldest first. */
export const getUnsent = (): readonly UnsentCommand[] => [...queue.get().unsent, ...sending.get()];

export function useUnsent(): readonly UnsentCommand[] {
  const { unsent } = useStore(queue);
  const optimistic = useStore(sending);
  return optimistic.length > 0 ? [...unsent, ...optimistic] : unsent;
}

/** Data of a query with the user's unsent commands applied. */
export const useWithUnsent = <Data>(queryKey: QueryKey, data: Data): WithUnsent<Data> =>
  applyUnsent(useUnsent(), queryKey, data);
