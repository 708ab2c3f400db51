// Tests that the diary combines visits from the server and the device, shows the dogs met, and never contains names of other users.
import { expect, test } from 'vitest';
import { metBy, stampsOf } from '#/features/diaries/stamps.ts';
import {
  type Diary,
  type Visit,
  withMet,
  withoutStrangers,
  withVisits,
} from '#/entities/diary/diary.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const visit = (id: string, startedAt: string, more: Partial<Visit> = {}): Visit => ({
  id,
  parkId: 7,
  parkName: 'Long Lawn',
  startedAt: `${startedAt}T10:00:00Z`,
  dogs: ['rex'],
  ...more,
});
const diary = (visits: Visit[], more: Partial<Diary> = {}): Diary => ({
  visits,
  met: {},
  since: '',
  staysAfterLogout: false,
  ...more,
});
const luna = { id: 'luna', name: 'Luna', ownerId: 'noa' };
const bamba = { id: 'bamba', name: 'Bamba', ownerId: 'tom' };

test('an undone visit is removed with the dogs met, but a visit that the server has deleted remains', () => {
  const [old, undone, now] = [
    visit('old', '2026-05-01'),
    visit('undone', '2026-11-20'),
    visit('now', '2026-11-21'),
  ];
  const before = withMet(withMet(diary([undone, old]), 'undone', 3, [luna]), 'old', 2, [bamba]);
  const after = withVisits(before, [now], NOW);
  expect(after.visits).toEqual([now, old]);
  expect(after.met).toEqual({ old: { others: 2, friends: [bamba] } });
  expect(withVisits(diary([], { since: '2026-11-21T11:00:00Z' }), [now], NOW).visits).toEqual([]);
});

test('the highest number of dogs counts, and each friend’s dog counts once and only while its owner is a friend', () => {
  const visits = [visit('a', '2026-11-20'), visit('b', '2026-11-21', { dogs: [] })];
  let known = diary(visits);
  for (const [id, others, there] of [
    ['a', 2, [luna]],
    ['a', 5, [bamba]],
    ['a', 1, [luna]],
    ['b', 1, [luna]],
  ] as const)
    known = withMet(known, id, others, [...there]);
  expect(stampsOf(known)).toMatchObject([
    { parkName: 'Long Lawn', visits: 2, firstAt: '2026-11-20T10:00:00Z', dogs: ['rex'], met: 6 },
  ]);
  expect(metBy('rex', known)).toEqual([
    { dog: bamba, times: 1 },
    { dog: luna, times: 1 },
  ]);
  const friends = stampsOf(withoutStrangers(known, ['tom']))[0];
  expect(friends).toMatchObject({ met: 6, friends: [bamba] });
});
