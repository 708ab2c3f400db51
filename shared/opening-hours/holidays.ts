// Israel's public holidays (PH in opening_hours), computed with the browser's Hebrew calendar.
import { DAY_MS } from '../durations.ts';
import { parkTimeZone } from '../park-time.ts';

/** Days off, by month and day of the Hebrew year. */
const RESTS: Readonly<Record<string, readonly number[]>> = {
  // Rosh Hashana, Yom Kippur, first and last day of Sukkot.
  Tishri: [1, 2, 10, 15, 22],
  // First and last day of Passover.
  Nisan: [15, 21],
  // Shavuot.
  Sivan: [6],
};
/**
 * Independence Day (5 Iyar) is celebrated on another day if it would fall on a Friday or Saturday, or if Memorial Day, the day
 * before, would begin on the Sabbath. Keys are the weekday of 5 Iyar, values the day of Iyar.
 */
const INDEPENDENCE: Readonly<Record<number, number>> = { 5: 4, 6: 3, 1: 6 };

let parts: Intl.DateTimeFormat | null = null;

/** False in other countries, whose holidays are unknown. @param day days since 1970-01-01 */
export function isHoliday(day: number): boolean {
  if (parkTimeZone() !== 'Asia/Jerusalem') return false;
  parts ??= new Intl.DateTimeFormat('en-u-ca-hebrew', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
  });
  const found = Object.fromEntries(
    parts.formatToParts(new Date(day * DAY_MS)).map(({ type, value }) => [type, value]),
  );
  const [month, date] = [found.month ?? '', Number(found.day)];
  if (RESTS[month]?.includes(date)) return true;
  if (month !== 'Iyar' || date > 6) return false;
  const weekdayOfFifth = (((day - date + 5 + 4) % 7) + 7) % 7;
  return date === (INDEPENDENCE[weekdayOfFifth] ?? 5);
}
