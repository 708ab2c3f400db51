// What waits to be sent, as the screen shows it; apart from the queue itself, so that the first paint does not load that.
import { useSyncExternalStore } from 'react';

export type OutboxRpc = 'check_in' | 'check_out' | 'save_review' | 'report_condition';

export interface OutboxEntry {
  /** Also the idempotency key on the server: however often it is sent, it is done once. */
  id: string;
  userId: string;
  rpc: OutboxRpc;
  args: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  queuedAt: number;
  /** The server's reason as a text of the catalogue, once it refused. */
  refused: string | null;
}

let entries: readonly OutboxEntry[] = [];
const listeners = new Set<() => void>();

export function showOutbox(next: readonly OutboxEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The current person's entries, oldest first; empty until the queue was read. */
export function useOutbox(): readonly OutboxEntry[] {
  return useSyncExternalStore(subscribe, () => entries);
}
