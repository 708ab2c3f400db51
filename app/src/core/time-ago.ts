// Relative times: 'now', '5 minutes ago', 'yesterday'.
const UNITS = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
  ['month', 30 * 86_400],
  ['year', 365 * 86_400],
] as const;

/** @param timestamp ISO 8601 */
export function timeAgo(timestamp: string, now: number, locale: string): string {
  // The device's clock may be behind the server's, so times in the future count as now.
  const seconds = Math.max(0, Math.round((now - Date.parse(timestamp)) / 1000));
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const [unit, size] =
    UNITS.findLast(([, each]) => seconds >= each) ?? (['second', Infinity] as const);
  // CLDR's Hebrew repeats the number after a word, as in 'לפני שעתיים (2)', and writes two minutes with a digit.
  return format
    .format(-Math.floor(seconds / size), unit)
    .replace(/ \(\d\)$/, '')
    .replace(/(?<!\d)2 (?=דק)/, 'שתי ');
}
