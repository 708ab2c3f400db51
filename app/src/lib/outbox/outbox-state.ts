// What waits to be sent, as the screen shows it; apart from the queue itself, so that the first paint does not load that.
import { useSyncExternalStore } from 'react';

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

let entries: readonly OutboxEntry[] = [];
/** Undefined until the queue was read. */
let owner: string | null | undefined;
const listeners = new Set<() => void>();

/** @param userId whose entries these are; null: nobody's */
export function showOutbox(next: readonly OutboxEntry[], userId: string | null): void {
  entries = next;
  owner = userId;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The current person's entries, oldest first; empty until the queue was read. */
export const getOutbox = (): readonly OutboxEntry[] => entries;

/** Whose entries `getOutbox` gives; undefined until the queue was read. */
export const outboxOwner = (): string | null | undefined => owner;

export function useOutbox(): readonly OutboxEntry[] {
  return useSyncExternalStore(subscribe, getOutbox);
}
