// Tests the precedence of the home map's notices.
import { expect, test } from 'vitest';
import { homeNotice } from '#/features/home/home-notice.ts';

const ready = { state: 'ready', count: 3 } as const;
const EVERYTHING = {
  isParkSelected: true,
  parks: ready,
  isElsewhere: true,
  drawn: 0,
  matching: 0,
  hasIntro: true,
};

test('shows only the first notice that applies', () => {
  const rest = { ...EVERYTHING };
  const found = [homeNotice(rest)];
  for (const gone of [
    { isParkSelected: false },
    { matching: 1 },
    { isElsewhere: false },
    { drawn: 2 },
    { hasIntro: false },
  ])
    found.push(homeNotice(Object.assign(rest, gone)));
  expect(found).toEqual(['park', 'noneMatch', 'elsewhere', 'noneHere', 'intro', null]);
});

test('without parks, shows that they are loading, or nothing if loading failed or the site has none', () => {
  const notices = (['loading', 'failed'] as const).map((state) =>
    homeNotice({ ...EVERYTHING, isParkSelected: false, parks: { state } }),
  );
  expect(notices).toEqual(['loading', null]);
  const empty = { state: 'ready', count: 0 } as const;
  expect(homeNotice({ ...EVERYTHING, isParkSelected: false, parks: empty })).toBeNull();
});

test('waits for the map before it introduces the app', () => {
  const calm = { ...EVERYTHING, isParkSelected: false, isElsewhere: false, matching: null };
  expect(homeNotice({ ...calm, drawn: null })).toBeNull();
  expect(homeNotice({ ...calm, drawn: 1 })).toBe('intro');
});
