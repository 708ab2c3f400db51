// Evaluates OpenStreetMap opening_hours in park time: whether a park is open, and until when.
import type { LatLong } from '../lat-long.ts';
import { DAY_MINUTES, DAY_MS } from '../durations.ts';
import { isHoliday as isIsraeliHoliday } from './holidays.ts';
import type { DateRange, HoursRule, TimePoint } from './parse-hours.ts';
import { sunMinutes } from '../sun-minutes.ts';

export interface LocalTime {
  /** Days since 1970-01-01, in park time. */
  day: number;
  /** Minutes after midnight. */
  minute: number;
}

/** Minutes after midnight; values above 1440 are on the next day. */
export interface OpenSpan {
  from: number;
  to: number;
}

export interface HoursPlace extends LatLong {
  /** Offset from UTC in minutes on a day. */
  offset: (day: number) => number;
  isHoliday?: (day: number) => boolean;
}

/** Days in which to look for the next change. */
const DAYS_AHEAD = 14;

const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7;

function inRange({ from, to }: DateRange, day: number): boolean {
  const date = new Date(day * DAY_MS);
  const now = (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
  const [first, last] = [from.month * 100 + from.day, to.month * 100 + (to.day || 31)];
  return first <= last ? now >= first && now <= last : now >= first || now <= last;
}

function isFor(rule: HoursRule, day: number, isHoliday: (day: number) => boolean): boolean {
  if (rule.dates.length > 0 && !rule.dates.some((range) => inRange(range, day))) return false;
  if (!rule.weekdays && !rule.holidays) return true;
  return (
    (rule.weekdays?.has(weekdayOf(day)) ?? false) ||
    [...(rule.holidays ?? [])].some((offset) => isHoliday(day - offset))
  );
}

function minuteOf(point: TimePoint, day: number, place: HoursPlace): number {
  if (typeof point === 'number') return point;
  return Math.round(sunMinutes(point.sun, day, place) + place.offset(day)) + point.offset;
}

function spansOf(rule: HoursRule, day: number, place: HoursPlace): OpenSpan[] {
  if (rule.spans.length === 0) return [{ from: 0, to: DAY_MINUTES }];
  return rule.spans.map(({ from, to }) => {
    const [start, end] = [minuteOf(from, day, place), minuteOf(to, day, place)];
    return { from: start, to: end <= start ? end + DAY_MINUTES : end };
  });
}

/** Subtracts a span from spans. */
export const without = (spans: OpenSpan[], { from, to }: OpenSpan): OpenSpan[] =>
  spans.flatMap((span) =>
    [
      { from: span.from, to: Math.min(span.to, from) },
      { from: Math.max(span.from, to), to: span.to },
    ].filter((left) => left.to > left.from),
  );

/**
 * Open spans of a day, 0 to 1440. The last matching rule wins and also cancels hours that continue past midnight from the day
 * before; additional rules add to it, closed rules subtract from it.
 */
function spansOn(rules: readonly HoursRule[], day: number, place: HoursPlace): OpenSpan[] {
  const isHoliday = place.isHoliday ?? isIsraeliHoliday;
  let spans: OpenSpan[] = [];
  for (const rule of rules) {
    const today = isFor(rule, day, isHoliday);
    const own = [
      ...(today ? spansOf(rule, day, place) : []),
      ...(isFor(rule, day - 1, isHoliday) ? spansOf(rule, day - 1, place) : [])
        .filter(({ to }) => to > DAY_MINUTES)
        .map(({ to }) => ({ from: 0, to: to - DAY_MINUTES })),
    ].map(({ from, to }) => ({ from, to: Math.min(to, DAY_MINUTES) }));
    if (!rule.open) spans = own.reduce(without, spans);
    else spans = today && !rule.additional ? own : [...spans, ...own];
  }
  return spans;
}

/** Sorts spans and merges those that overlap or touch. */
export function merged(spans: OpenSpan[]): OpenSpan[] {
  const result: OpenSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

/** Open spans of two weeks, in minutes after the first day's midnight. */
export const spansAhead = (
  rules: readonly HoursRule[],
  day: number,
  place: HoursPlace,
): OpenSpan[] =>
  merged(
    Array.from({ length: DAYS_AHEAD + 1 }, (_, days) => days).flatMap((days) =>
      spansOn(rules, day + days, place).map(({ from, to }) => ({
        from: from + days * DAY_MINUTES,
        to: to + days * DAY_MINUTES,
      })),
    ),
  );

/** @param minutes minutes after the day's midnight */
export const localTimeAfter = (day: number, minutes: number): LocalTime => ({
  day: day + Math.floor(minutes / DAY_MINUTES),
  minute: minutes % DAY_MINUTES,
});

export interface HoursNow {
  open: boolean;
  /** The next change within two weeks, or null. */
  changesAt: LocalTime | null;
}

export function hoursNow(
  rules: readonly HoursRule[],
  { day, minute }: LocalTime,
  place: HoursPlace,
): HoursNow {
  const spans = spansAhead(rules, day, place);
  const current = spans.find(({ from, to }) => from <= minute && minute < to);
  const change = current ? current.to : spans.find(({ from }) => from > minute)?.from;
  const known = change !== undefined && change < DAYS_AHEAD * DAY_MINUTES;
  return { open: current !== undefined, changesAt: known ? localTimeAfter(day, change) : null };
}
