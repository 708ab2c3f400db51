// The state of the desk's queue: the claimed item, the open question about it, and the decision that can be undone.
import type { DeskItem } from '#/features/desk/queries/desk.ts';

/** Filter value for all types of items. */
export const ALL = 'all';

export interface QueueState {
  type: string;
  /** Undefined while the item is loading; null if the queue is empty. */
  item: DeskItem | null | undefined;
  /** The ID of the decision that can be undone. */
  last: string | null;
  busy: boolean;
  /** The error of fetching the first item. */
  failure: unknown;
  asking: 'reason' | 'sanction' | 'many' | null;
}

export const START: QueueState = {
  type: ALL,
  item: undefined,
  last: null,
  busy: false,
  failure: null,
  asking: null,
};

/** Types of reported items. A moderator who approves such an item dismisses the report, and the item stays visible. */
const REPORTED = new Set(['review', 'photo_report', 'pack_time', 'user', 'hazard']);
/** Types with an author, whom a moderator may sanction. Reports about a user are missing, because the sanction decides them. */
const HAS_AUTHOR = new Set(['review', 'photo', 'photo_report', 'pack_time', 'park', 'correction']);

export const isReported = (item: DeskItem): boolean => REPORTED.has(item.type);
export const hasAuthor = (item: DeskItem): boolean => HAS_AUTHOR.has(item.type);

export type QueueCommand =
  | { type: 'decide'; reason: DeskItem['reasons'][number] | null }
  | { type: 'ask' | 'skip' | 'undo' | 'close' };

/**
 * Returns the command of a key while an item is open, or null. @param code the key's position, because Hebrew and Arabic layouts
 * have other letters there
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
