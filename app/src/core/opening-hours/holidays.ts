// Israel's public holidays, by the Hebrew calendar of the browser: what opening_hours calls PH.
import { DAY_MS } from '#/core/durations.ts';
import { parkTimeZone } from '#/core/park-time.ts';

/** Days on which the country rests, by month and day of the Hebrew year. */
const RESTS: Readonly<Record<string, readonly number[]>> = {
  // Rosh Hashana, Yom Kippur, the first and the last day of Sukkot.
  Tishri: [1, 2, 10, 15, 22],
  // The first and the last day of Passover.
  Nisan: [15, 21],
  // Shavuot.
  Sivan: [6],
};
/** Independence Day is the 5th of Iyar; it moves away from the Sabbath, and so that no memorial day begins on one. */
const INDEPENDENCE: Readonly<Record<number, number>> = { 5: 4, 6: 3, 1: 6 };

let parts: Intl.DateTimeFormat | null = null;

/** False in other countries, whose holidays are not known. @param day days since 1970-01-01 */
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
  // On which weekday the 5th falls decides.
  const weekdayOfFifth = (((day - date + 5 + 4) % 7) + 7) % 7;
  return date === (INDEPENDENCE[weekdayOfFifth] ?? 5);
}
