// What waits to be sent, as the screen shows it; apart from the queue itself, so that the first paint does not load that.
import { createStore, useStore } from '#/core/store.ts';

/** What the queue can do: RPCs by their names, and three deeds that are none. */
export type OutboxDeed =
  | 'accept_terms'
  | 'check_in'
  | 'check_out'
  | 'confirm_condition'
  | 'dog_photo'
  | 'end_condition'
  | 'park_photo'
  | 'report_condition'
  | 'save_review'
  | 'send_friend_request'
  | 'set_favourite';

export interface OutboxEntry {
  /** Also the idempotency key on the server: however often it is sent, it is done once. */
  id: string;
  userId: string;
  deed: OutboxDeed;
  args: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  queuedAt: number;
  /** The server's reason as a text of the catalogue, once it refused. */
  refused: string | null;
}

/** What a feature hands to the queue. */
export interface NewDeed extends Pick<OutboxEntry, 'id' | 'deed' | 'args'> {
  /** A photo's bytes. */
  bytes?: Blob;
}

const shown = createStore<{
  entries: readonly OutboxEntry[];
  /** Whose they are; undefined until the queue was read. */
  owner: string | null | undefined;
}>({ entries: [], owner: undefined });

/** @param userId whose entries these are; null: nobody's */
export const showOutbox = (entries: readonly OutboxEntry[], userId: string | null): void =>
  shown.set({ entries, owner: userId });

/** The current person's entries, oldest first; empty until the queue was read. */
export const getOutbox = (): readonly OutboxEntry[] => shown.get().entries;

/** Whose entries `getOutbox` gives; undefined until the queue was read. */
export const outboxOwner = (): string | null | undefined => shown.get().owner;

/** The same as `getOutbox` for components, which render again. */
export const useOutbox = (): readonly OutboxEntry[] => useStore(shown).entries;
