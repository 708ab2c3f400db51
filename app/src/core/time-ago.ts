// How long ago something was, in words: 'now', '5 minutes ago', 'yesterday'.
const STEPS: [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [30 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
  [Infinity, 'year', 365 * 86_400],
];

/** `moment`: ISO 8601. */
export function timeAgo(moment: string, now: number, locale: string): string {
  // A device's clock may be behind the server's: moments in the future count as now.
  const seconds = Math.max(0, Math.round((now - Date.parse(moment)) / 1000));
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (seconds < 60) return format.format(0, 'second');
  const [, unit, size] = STEPS.find(([limit]) => seconds < limit) ?? ['', 'year' as const, 1];
  // CLDR's Hebrew adds the number to its one and two, 'לפני שעתיים (2)', and writes two minutes with a digit.
  return format
    .format(-Math.floor(seconds / size), unit)
    .replace(/ \(\d\)$/, '')
    .replace(/(?<!\d)2 (?=דק)/, 'שתי ');
}
