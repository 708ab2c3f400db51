// Hours from a park's facts: whether it is open, the rule for dogs now, and the coming hours for the verdict.
import type { StoredFacts } from '../park-facts.ts';
import type { LatLong } from '../lat-long.ts';
import { DAY_MINUTES } from '../durations.ts';
import {
  type DogHours,
  type DogRuleNow,
  dogRuleNow,
  dogSpans,
  parseDogHours,
} from './dog-hours.ts';
import {
  type HoursNow,
  hoursNow,
  type HoursPlace,
  type LocalTime,
  merged,
  type OpenSpan,
  spansAhead,
} from './open-now.ts';
import { type HoursRule, parseHours } from './parse-hours.ts';
import { parkClock, parkOffset } from '../park-time.ts';

/** Park-local hours: 14.5 is half past two, 24 and above is tomorrow. */
export interface Opening {
  opensAt: number;
  closesAt: number;
}

export interface HoursOfPark {
  rules: HoursRule[] | null;
  dogs: DogHours | null;
  place: HoursPlace;
}

/** Parses the hours in a park's facts; null if there are none or they cannot be parsed. */
export function hoursOfPark(facts: StoredFacts, { lat, long }: LatLong): HoursOfPark | null {
  const { opening_hours: written, dog, 'dog:conditional': conditional } = facts;
  const rules = written === undefined ? null : parseHours(written);
  const dogs = parseDogHours(dog, conditional);
  return rules || dogs ? { rules, dogs, place: { lat, long, offset: parkOffset } } : null;
}

export const openNow = ({ rules, place }: HoursOfPark, now: LocalTime): HoursNow | null =>
  rules && hoursNow(rules, now, place);

/** The rule for dogs now and the next one; null if there is only one rule or none is known. */
export const dogsNow = ({ dogs, place }: HoursOfPark, now: LocalTime): DogRuleNow | null =>
  dogs && dogs.exceptions.length > 0 ? dogRuleNow(dogs, now, place) : null;

/** Returns whether dogs are allowed in at a given time; null if unknown. */
export function isOpenAt(facts: StoredFacts, place: LatLong, date: Date): boolean | null {
  const { day, minute } = parkClock(date);
  const hour = minute / 60;
  const opening = openingAhead(hoursOfPark(facts, place), day);
  return opening && opening.some(({ opensAt, closesAt }) => opensAt <= hour && hour < closesAt);
}

/** A span that ends before this time on the next day is shown only on the day on which it begins. */
const NIGHT_ENDS = 12 * 60;

/** Open spans of seven days from `day`; spans past midnight end above 1440. Null if unknown. */
export function weekOf({ rules, place }: HoursOfPark, day: number): OpenSpan[][] | null {
  const spans = rules && spansAhead(rules, day - 1, place);
  if (!spans) return null;
  return Array.from({ length: 7 }, (_, days) => {
    const midnight = (days + 1) * DAY_MINUTES;
    return spans
      .map(({ from, to }) => ({ from: from - midnight, to: to - midnight }))
      .filter(({ from, to }) => from < DAY_MINUTES && to > (from < 0 ? NIGHT_ENDS : 0))
      .map(({ from, to }) => ({
        from: Math.max(0, from),
        to: to > DAY_MINUTES + NIGHT_ENDS ? DAY_MINUTES : to,
      }));
  });
}

/** When dogs are allowed in today and tomorrow; null if unknown. */
export function openingAhead(hours: HoursOfPark | null, day: number): Opening[] | null {
  if (!hours) return null;
  const { rules, dogs, place } = hours;
  // A day without dogs counts as closed. Leash rules do not affect opening hours.
  const allowed =
    dogs &&
    merged(
      [0, 1].flatMap((days) =>
        dogSpans(dogs, day + days, place).map(({ from, to }) => ({
          from: from + days * DAY_MINUTES,
          to: to + days * DAY_MINUTES,
        })),
      ),
    );
  const always =
    allowed?.length === 1 && allowed[0]?.from === 0 && allowed[0].to === 2 * DAY_MINUTES;
  if (!rules && (allowed === null || always)) return null;
  const open = rules ? spansAhead(rules, day, place) : [{ from: 0, to: 2 * DAY_MINUTES }];
  const both =
    allowed === null || always
      ? open
      : open.flatMap((span) =>
          allowed
            .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
            .filter(({ from, to }) => to > from),
        );
  return both
    .filter(({ from }) => from < 2 * DAY_MINUTES)
    .map(({ from, to }) => ({ opensAt: from / 60, closesAt: to / 60 }));
}
