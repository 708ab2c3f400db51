// Opening hours give the same results as OpenStreetMap's reference evaluator, which is LGPL and therefore not used in the app.
import OpeningHours from 'opening_hours';
import { expect, it } from 'vitest';
import { isHoliday } from './holidays.ts';
import { hoursNow, spansAhead, type HoursPlace } from './open-now.ts';
import { setParkTime } from '../park-time.ts';
import { parseHours } from './parse-hours.ts';

const DAY = 86_400_000;
const dayOf = (date: string) => Date.parse(`${date}T00:00Z`) / DAY;

/** The evaluator uses the process's time zone and German holidays, so these weeks have only holidays with fixed dates. */
const WEEKS = ['2026-04-26', '2026-09-27', '2026-12-20', '2026-12-28', '2024-02-25'].map(dayOf);
const HOLIDAYS = ['2026-05-01', '2026-10-03', '2026-12-25', '2026-12-26', '2027-01-01'].map(dayOf);
const PLACE: HoursPlace = {
  lat: 32.08,
  long: 34.78,
  offset: (day) => -new Date(day * DAY).getTimezoneOffset(),
  isHoliday: (day) => HOLIDAYS.includes(day),
};

const HOURS = [
  '24/7',
  '06:00-22:00',
  '6:00-22:00',
  'Mo-Fr 06:00-14:00,16:00-22:00',
  'Su-Th 06:00-22:00; Fr 06:00-15:00; Sa off',
  'Su-Th 06:00-22:00, Fr 06:00-15:00',
  'Fr 06:00-14:00; PH off; Su-Th 06:00-22:00',
  'Mo-Su 06:00-22:00; PH 08:00-13:00',
  'Su-Th 06:00-22:00; Fr,PH -1 day 06:00-15:00; Sa,PH off',
  'Mo-Su 06:00-22:00; PH -1 day 06:00-13:00',
  'Fr-Sa 20:00-02:00',
  'Mo 20:00-26:00',
  'Mo-Su 22:00-06:00; We off',
  'Mo-Su 00:00-24:00',
  'Mo-Su 06:00-22:00; Mo-Su 12:00-14:00 off',
  'Mo-Fr 08:00-12:00; Mo-Fr 14:00-18:00',
  'Mo-Fr 08:00-12:00, Mo-Fr 14:00-18:00',
  'Mo, We, Fr 07:00-09:00',
  'Sa-Tu 07:00-09:00',
  'Apr-Sep: Mo-Fr 05:00-23:00; Oct-Mar: 06:00-20:00',
  'Dec 24-Jan 01 off; 06:00-22:00',
  '06:00-22:00; Dec 25-26 off',
  '06:00-22:00; Dec 24-Jan 01 08:00-12:00',
  'Feb 29 06:00-22:00',
  'Apr,May,Dec 07:00-19:00',
  'sunrise-sunset',
  'dawn-dusk',
  'Mo-Fr sunrise-22:00; Sa,Su 08:00-sunset',
  '(sunrise+01:00)-(sunset-00:30)',
  'open',
  'off',
  'closed',
  'Mo-Fr open; Sa-Su off',
  'Mo-Fr 06:00-22:00 "by the gate"',
  'mo-fr 06:00-22:00; SA OFF',
  'Mo-Fr 06:00-22:00;',
  // Spans into the next day, for which another rule applies.
  'Fr 22:00-04:00; Sa off',
  'We 20:00-02:00; Th 01:00-05:00',
  'Mo-Fr 20:00-02:00, Sa 10:00-12:00',
  'Mo-Su 20:00-02:00; Sa 00:00-01:00 off',
  'Mo-Su 22:00-06:00; PH off',
  'Mo-Su 06:00-22:00; Sa 23:00-26:00',
  'Dec 31 20:00-02:00',
  'Apr-Sep 20:00-02:00',
  'sunset-sunrise',
  'sunset-02:00',
  '(dawn-00:30)-22:00',
  // Rules with months and days of the month.
  'Apr 15-Oct 15 06:00-22:00; Oct 16-Apr 14 07:00-18:00',
  'Nov-Mar Su-Th 07:00-17:00; Apr-Oct Su-Th 06:00-20:00',
  'Jan-Mar,Oct-Dec 07:00-18:00; Apr-Sep 06:00-20:00',
  'Feb 28-Mar 1 08:00-10:00',
  'Sep 28-30 08:00-12:00',
  'Apr 30,Dec 31 08:00-12:00',
  'Oct-Apr 06:00-20:00',
  'Jul off; Dec 06:00-22:00',
  'Dec 20-Jan 3 Mo-Fr 08:00-12:00',
  // Closed hours and days, and holidays.
  '24/7; Sa off',
  '24/7; PH off',
  'Mo-Su 06:00-22:00 open; Sa 10:00-12:00 closed',
  'Mo-Fr 10:00-02:00; Sa 01:00-05:00 off',
  'Mo-Su 06:00-22:00, Sa off',
  'off; Mo-Fr 08:00-12:00',
  'PH off; Mo-Su 06:00-22:00',
  'PH 10:00-12:00',
  'Mo-Fr 08:00-16:00, PH off',
  'Mo-Su,PH 08:00-20:00',
  'Fr,PH -1 day 06:00-14:00; Sa,PH 20:00-23:00; Su-Th 06:00-22:00',
  'PH -1 day off; Mo-Su 06:00-22:00',
  'PH +1 day 10:00-12:00',
  'Su-Fr 06:00-22:00; Sa closed "Shabbat"',
  '7:00 - 22:00',
  'Mo - Fr 08:00-20:00',
];

/** Spans of a whole week, in minutes since its first midnight. */
function ours(text: string, first: number): [number, number][] {
  const rules = parseHours(text);
  if (!rules) throw new Error(`not understood: ${text}`);
  return joined(
    spansAhead(rules, first, PLACE).map(({ from, to }): [number, number] => [from, to]),
  );
}

function theirs(text: string, first: number): [number, number][] {
  // Nominatim's response format, in which coordinates are strings.
  const place = {
    lat: String(PLACE.lat),
    lon: String(PLACE.long),
    address: { country_code: 'de', state: '' },
  } as unknown as ConstructorParameters<typeof OpeningHours>[1];
  const local = (day: number) => {
    const date = new Date(day * DAY);
    return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  };
  const start = local(first).getTime();
  const minutes = (date: Date) => Math.round((date.getTime() - start) / 60_000);
  const found = new OpeningHours(text, place, 0).getOpenIntervals(local(first), local(first + 8));
  return joined(found.map(([from, to]): [number, number] => [minutes(from), minutes(to)]));
}

/** Merges overlapping spans and cuts them to the week, so both evaluators cover the same time. */
function joined(spans: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result
    .map(([from, to]): [number, number] => [Math.max(0, from), Math.min(7 * 1440, to)])
    .filter(([from, to]) => to > from);
}

it.each(HOURS)('spansAhead: %s', (text) => {
  // The two implementations compute sunrise and sunset with a difference of a minute or two.
  const sun = /sun|dawn|dusk/.test(text) ? 3 : 0;
  for (const first of WEEKS) {
    const [mine, measure] = [ours(text, first), theirs(text, first)];
    expect(mine).toHaveLength(measure.length);
    for (const [index, span] of measure.entries())
      for (const side of [0, 1] as const)
        expect(
          Math.abs((mine[index]?.[side] ?? Number.NaN) - span[side]),
          `${text}: ${JSON.stringify(mine)} and not ${JSON.stringify(measure)}`,
        ).toBeLessThanOrEqual(sun);
  }
});

it.each([
  '',
  'always',
  '"by appointment"',
  'Mo-Fr "by appointment"',
  'SH 08:00-12:00',
  'week 1-20 08:00-12:00',
  'Mo[1] 08:00-12:00',
  'Th[-1] 08:00-12:00',
  '2026 08:00-12:00',
  'Jun-Aug 2026 08:00-12:00',
  'Shabbat off',
  '08:00+',
  '08:00-25:99',
  'easter off',
  'Mo-Fr 08:00-12:00 || "ask"',
  '06:00-22:00; unknown',
  'Mo-Fr 08:00-18:00; SH off',
  'PH,SH off; Mo-Fr 08:00-12:00',
  'Mo-Fr SH 08:00-18:00',
  'Mo-Fr PH 08:00-12:00',
  'Mo-Fr 08:00-12:00/01:00',
  'Feb 30 08:00-12:00',
  'Mo-Fr 8-12',
  '08.00-12.00',
  'sunrise+01:00-sunset',
  'Mo-Fr 08:00',
  'Mo-Fr 08:00-12:00 Sa 09:00-11:00',
  'Su-Th 06:00-22:00; Fr 06:00-15:00; ; Sa off',
  'א-ה 06:00-22:00',
  `06:00-22:00${'('.repeat(200)}`,
])('parseHours: rejects %s', (text) => {
  expect(parseHours(text)).toBeNull();
});

const at = (text: string, day: string, clock: string) => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  const rules = parseHours(text);
  return rules && hoursNow(rules, { day: dayOf(day), minute: hours * 60 + minutes }, PLACE);
};
const WEEK = 'Su-Th 06:00-22:00; Fr 06:00-15:00; Sa off';

it.each([
  ['in the middle of the day', WEEK, '2026-11-22', '09:00', true, '2026-11-22', 22 * 60],
  ['at the minute it opens', WEEK, '2026-11-22', '06:00', true, '2026-11-22', 22 * 60],
  ['at the minute it closes', WEEK, '2026-11-22', '22:00', false, '2026-11-23', 6 * 60],
  ['on Friday afternoon, over the Sabbath', WEEK, '2026-11-27', '15:30', false, '2026-11-29', 360],
  ['after midnight', 'Mo-Su 20:00-02:00', '2026-11-22', '01:00', true, '2026-11-22', 120],
  [
    'at noon with a break',
    '06:00-12:00,16:00-22:00',
    '2026-11-22',
    '12:30',
    false,
    '2026-11-22',
    960,
  ],
])('hoursNow: %s', (_, hours, day, clock, open, changeDay, minute) => {
  expect(at(hours, day, clock)).toEqual({ open, changesAt: { day: dayOf(changeDay), minute } });
});

it('hoursNow: returns no change if there is none within two weeks', () => {
  expect(at('24/7', '2026-11-22', '09:00')).toEqual({ open: true, changesAt: null });
  expect(at('off', '2026-11-22', '09:00')).toEqual({ open: false, changesAt: null });
  expect(at('Jul 06:00-22:00', '2026-11-22', '09:00')).toEqual({ open: false, changesAt: null });
});

it("isHoliday: finds Israel's holidays, including a moved Independence Day, and none in other countries", () => {
  const of = (year: number) =>
    Array.from({ length: 365 }, (_, day) => dayOf(`${year}-01-01`) + day)
      .filter((day) => isHoliday(day))
      .map((day) => new Date(day * DAY).toISOString().slice(0, 10));
  expect(of(2026)).toEqual([
    '2026-04-02',
    '2026-04-08',
    '2026-04-22',
    '2026-05-22',
    '2026-09-12',
    '2026-09-13',
    '2026-09-21',
    '2026-09-26',
    '2026-10-03',
  ]);
  // 5 Iyar on a Saturday and on a Monday.
  expect(of(2025)).toContain('2025-05-01');
  expect(of(2024)).toContain('2024-05-14');
  setParkTime('Europe/Vienna', [6, 0]);
  expect(of(2026)).toEqual([]);
  setParkTime('Asia/Jerusalem', [5, 6]);
});
