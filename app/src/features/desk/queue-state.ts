// The state of the desk's queue: which item is open, what is asked about it, and which decision can be undone.
import type { DeskItem } from '#/features/desk/queries/desk.ts';

/** The kind that stands for all kinds. */
export const ALL = 'all';

export interface QueueState {
  kind: string;
  /** Undefined while it is fetched, null where the queue is empty. */
  item: DeskItem | null | undefined;
  /** The decision that can be undone. */
  last: string | null;
  busy: boolean;
  /** Why not even a first item could be fetched. */
  failure: unknown;
  asking: 'reason' | 'sanction' | 'many' | null;
}

export const START: QueueState = {
  kind: ALL,
  item: undefined,
  last: null,
  busy: false,
  failure: null,
  asking: null,
};

/** Kinds of reported things, where approving means to leave them. */
const REPORTED = new Set(['review', 'photo_report', 'pack_time', 'person', 'hazard']);
/** Kinds with a person behind them, on whom a moderator may act. A reported person is decided by that alone. */
const HAS_AUTHOR = new Set(['review', 'photo', 'photo_report', 'pack_time', 'park', 'correction']);

export const isReported = (item: DeskItem): boolean => REPORTED.has(item.kind);
export const hasAuthor = (item: DeskItem): boolean => HAS_AUTHOR.has(item.kind);

export type QueueCommand =
  | { type: 'decide'; reason: DeskItem['reasons'][number] | null }
  | { type: 'ask' | 'skip' | 'undo' | 'close' };

/**
 * What a key does while an item is open, or null.
 * @param code the key's position on the keyboard: a Hebrew or Arabic layout has other letters there
 */
export function commandOfKey(code: string, { item, asking }: QueueState): QueueCommand | null {
  if (!item) return null;
  const isAsking = asking === 'reason';
  const reason = isAsking && /^Digit[1-9]$/.test(code) && item.reasons[Number(code.at(-1)) - 1];
  if (reason) return { type: 'decide', reason };
  switch (code) {
    case 'KeyA':
      return { type: 'decide', reason: null };
    case 'KeyR':
      return { type: 'ask' };
    case 'KeyN':
      return { type: 'skip' };
    case 'KeyU':
      return { type: 'undo' };
    case 'Escape':
      return isAsking ? { type: 'close' } : null;
    default:
      return null;
  }
}
