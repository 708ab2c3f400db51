// The rule for dogs and its exceptions by time: OpenStreetMap's keys dog and dog:conditional.
import { DAY_MINUTES } from '../durations.ts';
import {
  type HoursPlace,
  type LocalTime,
  merged,
  localTimeAfter,
  type OpenSpan,
  spansAhead,
  without,
} from './open-now.ts';
import { type HoursRule, parseHours } from './parse-hours.ts';

type DogRule = 'unleashed' | 'leashed' | 'no';
const RULES: readonly string[] = ['unleashed', 'leashed', 'no'] satisfies DogRule[];
const isDogRule = (value: string | undefined): value is DogRule => RULES.includes(value ?? '');

export interface DogHours {
  /** The rule outside of exceptions; null if unknown. */
  base: DogRule | null;
  /** If several apply, the last one wins. */
  exceptions: { rule: DogRule; hours: HoursRule[] }[];
}

const CONDITION = /^\s*(\w+)\s*@\s*\(?([^()]*(?:\([^()]*\)[^()]*)*?)\)?\s*$/;

/** @param conditional `unleashed @ (Mo-Fr 06:00-09:00); no @ (22:00-06:00)` @returns null if it cannot be parsed */
export function parseDogHours(
  dog: string | undefined,
  conditional: string | undefined,
): DogHours | null {
  const base = isDogRule(dog) ? dog : null;
  const exceptions: DogHours['exceptions'] = [];
  // Semicolons inside brackets are part of the hours.
  for (const part of conditional?.split(/;(?![^(]*\))/) ?? []) {
    if (part.trim() === '') continue;
    const [, rule, text = ''] = CONDITION.exec(part) ?? [];
    const hours = parseHours(text);
    if (!isDogRule(rule) || !hours) return null;
    exceptions.push({ rule, hours });
  }
  return base === null && exceptions.length === 0 ? null : { base, exceptions };
}

export interface DogRuleNow {
  rule: DogRule | null;
  /** The next rule and when it begins, within two weeks; null if there is none. */
  next: { rule: DogRule | null; at: LocalTime } | null;
}

export function dogRuleNow(
  { base, exceptions }: DogHours,
  { day, minute }: LocalTime,
  place: HoursPlace,
): DogRuleNow {
  const spans = exceptions.map(({ rule, hours }) => ({
    rule,
    spans: spansAhead(hours, day, place),
  }));
  const ruleAt = (at: number): DogRule | null =>
    spans.findLast((one) => one.spans.some(({ from, to }) => from <= at && at < to))?.rule ?? base;
  const rule = ruleAt(minute);
  const change = spans
    .flatMap((one) => one.spans.flatMap(({ from, to }) => [from, to]))
    .filter((edge) => edge > minute && ruleAt(edge) !== rule)
    .reduce((first, edge) => Math.min(first, edge), Infinity);
  return {
    rule,
    next: Number.isFinite(change)
      ? { rule: ruleAt(change), at: localTimeAfter(day, change) }
      : null,
  };
}

/** When dogs are allowed on a day, on or off the leash. */
export function dogSpans(
  { base, exceptions }: DogHours,
  day: number,
  place: HoursPlace,
): OpenSpan[] {
  let spans: OpenSpan[] = base === 'no' ? [] : [{ from: 0, to: DAY_MINUTES }];
  for (const { rule, hours } of exceptions)
    for (const { from, to } of spansAhead(hours, day, place)) {
      if (from >= DAY_MINUTES) continue;
      const span = { from, to: Math.min(to, DAY_MINUTES) };
      spans = without(spans, span);
      if (rule !== 'no') spans = merged([...spans, span]);
    }
  return spans;
}
