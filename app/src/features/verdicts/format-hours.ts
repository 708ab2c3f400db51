// Formats opening hours such as 'open, closes at 14:00', the hours of a day, and when dogs may be off the leash.
import { DAY_MINUTES, DAY_MS } from '../../../../shared/durations.ts';
import type { DogRuleNow } from '../../../../shared/opening-hours/dog-hours.ts';
import type { HoursNow, LocalTime, OpenSpan } from '../../../../shared/opening-hours/open-now.ts';
import { formatHour } from '../../../../shared/park-time.ts';
import {
  dogsNow,
  type HoursOfPark,
  openNow,
} from '../../../../shared/opening-hours/hours-of-park.ts';
import type { Translate } from '#/i18n/i18n.ts';
import { LIST } from '#/i18n/list-format.ts';

const formatTime = (minute: number, locale: string) => formatHour(minute / 60, locale);
const formatEnd = (minute: number, locale: string) =>
  minute === DAY_MINUTES
    ? formatTime(minute, locale).replace('00:00', '24:00')
    : formatTime(minute, locale);

/** Returns the name of a weekday. @param day days since 1970-01-01 */
export const weekdayName = (day: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(day * DAY_MS);

/** Returns true if a span is a whole day or longer, because it would then end at the time at which it starts. */
export const isWholeDay = ({ from, to }: OpenSpan): boolean => to - from >= DAY_MINUTES;

/** Formats a span such as 06:00–14:00, which stays left-to-right. */
export const formatSpan = (span: OpenSpan, t: Translate, locale: string): string =>
  isWholeDay(span)
    ? t('parks.hours.allDay')
    : `\u2066${formatTime(span.from, locale)}–${formatEnd(span.to, locale)}\u2069`;

/** @param now day and minute in the park's time zone */
export function formatOpen(
  { open, changesAt }: HoursNow,
  now: LocalTime,
  t: Translate,
  locale: string,
): string {
  if (!changesAt) return t(open ? 'parks.hours.always' : 'parks.hours.closed');
  const time = formatTime(changesAt.minute, locale);
  const days = changesAt.day - now.day;
  const state = open ? 'open' : 'closed';
  // A park that closes shortly after midnight closes 'today' in everyday language.
  const soon = days === 0 || (days === 1 && changesAt.minute <= now.minute && open);
  if (soon) return t(`parks.hours.${state}Until`, { time });
  if (days === 1) return t(`parks.hours.${state}UntilTomorrow`, { time });
  return t(`parks.hours.${state}UntilDay`, { time, day: weekdayName(changesAt.day, locale) });
}

/** Formats a rule such as 'Off the leash until 09:00', with the time of the next change. */
export function formatRule(
  { rule, next }: DogRuleNow,
  now: LocalTime,
  t: Translate,
  locale: string,
): string {
  const ruleKey = rule ?? 'unknown';
  if (!next || next.at.day > now.day + 1) return t(`parks.dogRule.${ruleKey}`);
  const time = formatTime(next.at.minute, locale);
  const until = t(`parks.dogRule.${ruleKey}Until`, { time });
  return next.rule === 'unleashed' ? t('parks.dogRule.unleashedFrom', { time }) : until;
}

export const formatDay = (spans: readonly OpenSpan[], t: Translate, locale: string): string => {
  if (spans.length === 0) return t('parks.hours.closed');
  return new Intl.ListFormat(locale, LIST).format(spans.map((span) => formatSpan(span, t, locale)));
};

/** Returns the text of the confirmation before a check-in at a closed park; null if the park is open or its hours are unknown. */
export function closedWarning(
  hours: HoursOfPark | null,
  now: LocalTime,
  t: Translate,
  locale: string,
): string | null {
  const open = hours && openNow(hours, now);
  if (open?.open === false)
    return t('parks.hours.checkIn', { hours: formatOpen(open, now, t, locale) });
  const dogs = hours && dogsNow(hours, now);
  return dogs?.rule === 'no'
    ? t('parks.hours.checkIn', { hours: formatRule(dogs, now, t, locale) })
    : null;
}
