// How long ago something was, in the words of a language: minutes, hours, days, then the date.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Some versions of the locale data write the Hebrew dual with its number behind it, 'שעתיים (2)'. */
const NUMBER_BEHIND = / \(\d+\)$/;

/** '5 minutes ago', 'yesterday', and after a week the date. */
export function formatAgo(moment: Date, now: Date, locale: string): string {
  const passed = now.getTime() - moment.getTime();
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const inWords = (value: number, unit: Intl.RelativeTimeFormatUnit) =>
    words.format(value, unit).replace(NUMBER_BEHIND, '');
  if (passed < MINUTE) return inWords(0, 'second');
  if (passed < HOUR) return inWords(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return inWords(-Math.floor(passed / HOUR), 'hour');
  if (passed < 7 * DAY) return inWords(-Math.floor(passed / DAY), 'day');
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(moment);
}
