// 'Now, for Bamba' as people read it, and where it says nothing.
import MessageFormat from '@messageformat/core';
import { expect, it } from 'vitest';
import { nowWords } from '#/features/verdicts/now-words.ts';
import type { Verdict } from '#/features/verdicts/verdict.ts';
import type { Translate } from '#/i18n/i18n.ts';
import hebrew from '../../../../languages/he/app.json' with { type: 'json' };

const messages = new MessageFormat('he');
const t: Translate = (key, values) => messages.compile(hebrew[key])(values);
const say = (kind: Verdict['kind'], hour: number | null, more = {}) =>
  nowWords(
    {
      park: 'הפסגה',
      verdict: { kind, hour, main: null, reasons: [] } as unknown as Verdict,
      apart: { kind: 'shade' },
      dogs: 2,
      company: [],
      ...more,
    },
    t,
    'he-IL',
  );

it('says where, until when, why, and who is there', () => {
  expect(say('goodNow', 18.5)).toBe('הפסגה עד 18:30 · מוצלת · שני כלבים עכשיו');
  expect(say('goodNow', null, { apart: { kind: 'nearest' }, dogs: null })).toBe('הפסגה');
  expect(say('goodNow', null, { company: ['בעיקר כלבים קטנים'] })).toMatch(/· בעיקר כלבים קטנים$/);
  expect(say('betterLater', 19)).toBe('הפסגה בסביבות 19:00');
  expect(say('betterLater', 31)).toBe('הפסגה, מחר בסביבות 07:00');
});

it('says nothing where nothing can be recommended or too little is known', () => {
  expect(say('notNow', null)).toBeNull();
  expect(say('closed', 30)).toBeNull();
  expect(say('goodNow', null, { verdict: null })).toBeNull();
});
