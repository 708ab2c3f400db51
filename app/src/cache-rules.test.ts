// Tests which query results are stored on the device, and what is removed when they are restored.
import { expect, test } from 'vitest';
import { isCached, isMine, toStore, toShow, worthCaching } from './cache-rules.ts';
import { OWN_QUERY_MAX_AGE_MS, QUERY_MAX_AGE_MS } from '#/offline/cache-limits.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { myConsentsKey, ownUserKey } from '#/data/session/own-keys.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const visit = (expires_at: string) => ({ expires_at, park_id: 7 });

test.each([
  [parkKeys.park(3), true],
  [parkKeys.outline(3), true],
  [parkKeys.status(3), true],
  [parkKeys.card(3), true],
  [[...parkKeys.reviews(3), 'newest'], true],
  [parkKeys.favourites, true],
  [userKeys.page('a'), true],
  [ownUserKey('a'), true],
  [userKeys.dogs('a'), true],
  [userKeys.friendRequests, true],
  [userKeys.unseen, true],
  [userKeys.meetings, true],
  [parkKeys.live, false],
  [['parks', 'list', 'en'], false],
  [userKeys.search('noa'), false],
  [['weather', '32.10', '34.81'], false],
  [['places', 'search', 'en', 'home'], false],
  [['account', 'factors'], false],
  [userKeys.packTimes(3), false],
  [[...userKeys.unseenCount, 'a'], false],
])('isCached: %j is %s', (key, expected) => {
  expect(isCached(key)).toBe(expected);
});

test("friends' locations are not stored, but dog counts are", () => {
  const status = { dogs_now: 3, friends_here: [{ id: 'a', name: 'Noa' }] };
  const cached = toStore(parkKeys.status(3), status);
  expect(cached).toEqual({ dogs_now: 3, friends_here: null });
  expect(JSON.stringify(cached)).not.toContain('Noa');
});

test('a visit that has ended in the meantime is not shown, one that has not is', () => {
  const over = visit('2026-11-21T11:59:00Z');
  const lasting = visit('2026-11-21T12:30:00Z');
  expect(toShow(parkKeys.myCheckIn, over, NOW)).toBeNull();
  expect(toShow(parkKeys.myCheckIn, lasting, NOW)).toEqual(lasting);
});

test('the park and time of a meeting are stored until it has ended, but not its guests', () => {
  const meeting = { park_id: 3, meet_at: '2026-11-21T13:00:00Z', guests: [{ name: 'Noa' }] };
  const begun = { ...meeting, meet_at: '2026-11-21T08:01:00Z' };
  const past = { ...meeting, meet_at: '2026-11-21T07:59:00Z' };
  const cached = toStore(userKeys.meetings, [past, begun, meeting]);
  expect(JSON.stringify(cached)).not.toContain('Noa');
  expect(toShow(userKeys.meetings, cached, NOW)).toMatchObject([
    { park_id: 3, meet_at: begun.meet_at, guests: null },
    { park_id: 3, meet_at: meeting.meet_at, guests: null },
  ]);
  expect(isMine(userKeys.meetings, cached, 'me')).toBe(true);
});

test.each([
  [parkKeys.favourites, [3], true],
  [myConsentsKey, {}, true],
  [ownUserKey('me'), {}, true],
  [userKeys.page('me'), {}, true],
  [userKeys.dogs('me'), [], true],
  [userKeys.dog('rex'), { owner: 'me' }, true],
  [parkKeys.park(3), { id: 3 }, false],
  [userKeys.page('them'), {}, false],
  [userKeys.dogs('them'), [], false],
  [userKeys.dog('luna'), { owner: 'them' }, false],
  [userKeys.dog('gone'), null, false],
])('isMine: %j with %j is %s', (key, data, expected) => {
  expect(isMine(key, data, 'me')).toBe(expected);
  expect(isMine(key, data, null)).toBe(false);
});

const seen = (queryKey: readonly unknown[], age: number, data: unknown = {}) => ({
  queryKey,
  state: { data, dataUpdatedAt: NOW - age },
});

test("own data: is shown on the second day, unlike other users' pages, and deleted after a month", () => {
  const [dogs, theirs] = [userKeys.dogs('me'), userKeys.dogs('them')];
  const cached = (age: number) =>
    worthCaching([seen(theirs, age), seen(dogs, age)], 'me', NOW).map(({ queryKey }) => queryKey);
  expect(cached(QUERY_MAX_AGE_MS - 1)).toEqual([dogs, theirs]);
  expect(cached(QUERY_MAX_AGE_MS)).toEqual([dogs]);
  expect(cached(OWN_QUERY_MAX_AGE_MS)).toEqual([]);
});

test('own data: has priority over newer data, and a park known only from the list is not cached', () => {
  const park = seen(parkKeys.park(1), 1000);
  const older = seen(parkKeys.park(2), 2000);
  const dogs = seen(userKeys.dogs('me'), 3000);
  const listed = seen(parkKeys.park(3), NOW);
  expect(worthCaching([older, listed, park, dogs], 'me', NOW)).toEqual([dogs, park, older]);
});
