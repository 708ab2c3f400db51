// The commands that are queued, as screens show them; apart from the queue itself, so that the first paint does not load that.
import { createStore, useStore } from '#/core/store.ts';

export interface QueuedCommand {
  /** Also the idempotency key on the server: however often it is sent, it is done once. */
  id: string;
  userId: string;
  /** The name of its definition (define-command.ts). */
  command: string;
  input: unknown;
  hasFile: boolean;
  /** Milliseconds since the epoch. */
  queuedAt: number;
  /** Milliseconds since the epoch: until then it can be undone, is not sent, and is not among what waits. */
  heldUntil?: number;
  /** The reason as a text of the catalogue, once it was rejected. */
  rejection: string | null;
}

const shown = createStore<{
  commands: readonly QueuedCommand[];
  /** How many were sent while the others waited. */
  sent: number;
  /** Whose they are; undefined until the queue was read. */
  owner: string | null | undefined;
}>({ commands: [], sent: 0, owner: undefined });

/** @param userId whose commands these are; null while logged out */
export const showQueuedCommands = (
  commands: readonly QueuedCommand[],
  userId: string | null,
): void => shown.set({ commands, sent: commands.length > 0 ? shown.get().sent : 0, owner: userId });

export const countSent = (): void => shown.set({ ...shown.get(), sent: shown.get().sent + 1 });

/** The current person's commands, oldest first; empty until the queue was read. */
export const getQueuedCommands = (): readonly QueuedCommand[] => shown.get().commands;

/** Whose commands `getQueuedCommands` gives; undefined until the queue was read. */
export const getQueueOwner = (): string | null | undefined => shown.get().owner;

export const useQueueOwner = (): string | null | undefined => useStore(shown).owner;

export const useQueuedCommands = (): readonly QueuedCommand[] => useStore(shown).commands;

export function useQueueCounts(): { queued: number; rejected: number; sent: number } {
  const { commands, sent } = useStore(shown);
  const rejected = commands.filter(({ rejection }) => rejection !== null).length;
  return { queued: commands.length - rejected, rejected, sent };
}
