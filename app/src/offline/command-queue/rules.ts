// Rules of the queue that ask nobody: what replaces what, and what is no longer true when it can be sent at last.
import type { MessageKey } from '#/i18n/i18n.ts';
import type { OutboxEntry } from '#/offline/command-queue/state.ts';

const MINUTE = 60_000;
/** After that, what somebody saw at a park may well have passed. */
const REPORT_TRUE_MS = 3 * 60 * MINUTE;

/** Given instead of a server's reason: the deed was about a moment that is over. */
export const TOO_LATE: MessageKey = 'outbox.tooLate';
/** The person is at another park: they decide, not the queue. */
export const ELSEWHERE: MessageKey = 'outbox.elsewhere';

/** A newer review of the same person: they decide which one stays. */
export const OVERTAKEN: MessageKey = 'outbox.overtaken';

/** The queue with one more deed at its end; a second heart on the same park takes the place of the first. */
export function added(entries: readonly OutboxEntry[], entry: OutboxEntry): OutboxEntry[] {
  // A second tap with the same key is the same deed.
  if (entries.some(({ id }) => id === entry.id)) return [...entries];
  const isSameHeart = (other: OutboxEntry) =>
    entry.deed === 'set_favourite' &&
    other.deed === 'set_favourite' &&
    other.userId === entry.userId &&
    other.args.park_id === entry.args.park_id;
  return [...entries.filter((other) => !isSameHeart(other)), entry];
}

/** The queue without what was done. A later review of the same park was written over that one, which is now the newest. */
export function withoutDone(entries: readonly OutboxEntry[], done: OutboxEntry): OutboxEntry[] {
  const isLaterReview = ({ deed, userId, args }: OutboxEntry) =>
    deed === 'save_review' &&
    done.deed === 'save_review' &&
    userId === done.userId &&
    args.p_park_id === done.args.p_park_id;
  return entries
    .filter(({ id }) => id !== done.id)
    .map((entry) => (isLaterReview(entry) ? overWhatever(entry) : entry));
}

/** A review that is written over whatever is there. */
export const overWhatever = (entry: OutboxEntry): OutboxEntry => ({
  ...entry,
  args: { ...entry.args, p_based_on: null },
});

const isPhoto = ({ deed }: OutboxEntry) => deed === 'dog_photo' || deed === 'park_photo';

/** What is sent next: the oldest that was not refused, photos last, for a large one on a thin line must not hold up a check-in. */
export function nextToSend(entries: readonly OutboxEntry[]): OutboxEntry | undefined {
  const waiting = entries.filter(({ refused }) => !refused);
  return waiting.find((entry) => !isPhoto(entry)) ?? waiting[0];
}

/** About this moment, not about the deed: an old session, a slow or busy server, or none behind its proxy. */
const OF_THIS_MOMENT = [401, 408, 425, 429, 502, 503, 504];

/** For the status of an answer that is no success: 'later', 'fault' where the server stumbled, or null: it refused. */
export function notRefused(status: number): 'later' | 'fault' | null {
  if (OF_THIS_MOMENT.includes(status)) return 'later';
  return status >= 500 ? 'fault' : null;
}

/**
 * An entry's arguments as they are true now, or null when they no longer are: a visit takes no longer than it was
 * planned, and a report of this morning is no news. @param now milliseconds since the epoch
 */
export function trueNow(
  { deed, args, queuedAt }: OutboxEntry,
  now: number,
): Record<string, unknown> | null {
  // A clock that was set back says less than nothing.
  const waited = Math.max(0, now - queuedAt);
  if (deed === 'report_condition' || deed === 'confirm_condition' || deed === 'end_condition')
    return waited > REPORT_TRUE_MS ? null : args;
  if (deed !== 'check_in') return args;
  const left = Number(args.p_stay_minutes) - Math.floor(waited / MINUTE);
  return left < 1 ? null : { ...args, p_stay_minutes: left };
}
