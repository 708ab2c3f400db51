// What replaces what in the queue, and what is no longer true when it can be sent at last.
import { describe, expect, test } from 'vitest';
import {
  added,
  nextToSend,
  notRefused,
  trueNow,
  withoutDone,
} from '#/offline/command-queue/rules.ts';
import type { OutboxEntry } from '#/offline/command-queue/state.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;

const entry = (id: string, part: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id,
  userId: 'me',
  deed: 'set_favourite',
  args: { park_id: 1, favourite: true },
  queuedAt: NOON,
  refused: null,
  ...part,
});

describe('the queue', () => {
  test('takes the same key once', () => {
    expect(added([entry('a')], entry('a'))).toHaveLength(1);
  });

  test('keeps the last heart of a park, and those of other parks and people', () => {
    const other = entry('b', { args: { park_id: 2, favourite: true } });
    const theirs = entry('c', { userId: 'them' });
    const last = entry('d', { args: { park_id: 1, favourite: false } });
    expect(added([entry('a'), other, theirs], last)).toEqual([other, theirs, last]);
  });

  test('keeps two reviews', () => {
    const review = (id: string) => entry(id, { deed: 'save_review' });
    expect(added([review('a')], review('b'))).toHaveLength(2);
  });

  test('takes a second review of a park for one that was written over the first', () => {
    const review = (id: string, p_park_id: number, userId = 'me') =>
      entry(id, { deed: 'save_review', userId, args: { p_park_id, p_based_on: 'old' } });
    const elsewhere = review('c', 2);
    const theirs = review('d', 1, 'them');
    const visit = entry('e', { deed: 'check_in', args: { p_park_id: 1 } });
    const first = review('a', 1);
    expect(withoutDone([first, review('b', 1), elsewhere, theirs, visit], first)).toEqual([
      { ...review('b', 1), args: { p_park_id: 1, p_based_on: null } },
      elsewhere,
      theirs,
      visit,
    ]);
    expect(withoutDone([visit, first], visit)).toEqual([first]);
  });
});

describe('what is sent next', () => {
  const photo = entry('a', { deed: 'park_photo' });
  const refused = entry('b', { deed: 'check_out', refused: 'errors.generic' });

  test('is the oldest, and a photo only when nothing else waits', () => {
    const visit = entry('c', { deed: 'check_in' });
    expect(nextToSend([photo, refused, visit, entry('d')])).toBe(visit);
    expect(nextToSend([photo, refused])).toBe(photo);
    expect(nextToSend([refused])).toBeUndefined();
  });
});

describe('what is sent late', () => {
  const checkIn = entry('a', { deed: 'check_in', args: { p_park_id: 1, p_stay_minutes: 60 } });

  test('a visit lasts as long as it was planned', () => {
    expect(trueNow(checkIn, NOON + 20 * MINUTE)).toEqual({ p_park_id: 1, p_stay_minutes: 40 });
  });

  test('a visit that is over is not begun', () => {
    expect(trueNow(checkIn, NOON + 60 * MINUTE)).toBeNull();
  });

  test('a clock that was set back makes a visit no longer', () => {
    expect(trueNow(checkIn, NOON - 5 * MINUTE)).toEqual(checkIn.args);
  });

  test('a report of this morning is no news, a review is', () => {
    const evening = NOON + 8 * 60 * MINUTE;
    expect(trueNow(entry('a', { deed: 'report_condition' }), evening)).toBeNull();
    expect(trueNow(entry('a', { deed: 'save_review' }), evening)).not.toBeNull();
  });
});

describe('an answer that is no success', () => {
  test.each([401, 408, 429, 502, 503, 504])('%i is of this moment: it waits', (status) => {
    expect(notRefused(status)).toBe('later');
  });

  test.each([400, 403, 404, 409, 413])('%i is a refusal, which the person is told', (status) => {
    expect(notRefused(status)).toBeNull();
  });

  test('500 may be for ever, and must not hold up what comes behind', () => {
    expect(notRefused(500)).toBe('fault');
  });
});
