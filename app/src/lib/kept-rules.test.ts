// What may be stored of the answers, and what of it is shown again.
import { describe, expect, test } from 'vitest';
import { isKept, toKeep, toShow } from '#/lib/kept-rules.ts';
import { parkKeys } from '#/lib/park-keys.ts';
import { peopleKeys } from '#/lib/people-keys.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const stay = (expires_at: string) => ({ expires_at, park_id: 7 });

describe('what is kept', () => {
  test.each([
    [parkKeys.park(3)],
    [parkKeys.status(3)],
    [[...parkKeys.reviews(3), 'newest']],
    [parkKeys.favourites],
    [peopleKeys.page('a')],
    [peopleKeys.own('a')],
    [peopleKeys.dogs('a')],
    [peopleKeys.friendRequests],
    [peopleKeys.unseen],
  ])('%j is', (key) => {
    expect(isKept(key)).toBe(true);
  });

  test.each([
    [parkKeys.live],
    [['parks', 'list', 'en']],
    [peopleKeys.search('noa')],
    [['weather', '32.10', '34.81']],
    [['places', 'search', 'en', 'home']],
    [['account', 'factors']],
    [['notifications', 'unseen-count', 'a']],
  ])('%j is not', (key) => {
    expect(isKept(key)).toBe(false);
  });
});

test('where friends are is not stored, and how many dogs there were is', () => {
  const status = { dogs_now: 3, friends_here: [{ id: 'a', name: 'Noa' }], my_check_in: null };
  const kept = toKeep(parkKeys.status(3), status);
  expect(kept).toEqual({ dogs_now: 3, friends_here: null, my_check_in: null });
  expect(JSON.stringify(kept)).not.toContain('Noa');
});

test('a stay that ended meanwhile is not shown again, one that lasts is', () => {
  const over = stay('2026-11-21T11:59:00Z');
  const lasting = stay('2026-11-21T12:30:00Z');
  expect(toShow(parkKeys.status(7), { my_check_in: over }, NOW)).toEqual({ my_check_in: null });
  expect(toShow(parkKeys.status(7), { my_check_in: lasting }, NOW)).toEqual({
    my_check_in: lasting,
  });
});
