// Parses OpenStreetMap's opening_hours, as far as parks use its grammar. Everything else is rejected.

const DAY_MINUTES = 1440;

export type SunEvent = 'dawn' | 'sunrise' | 'sunset' | 'dusk';

/** Minutes after midnight, or an offset in minutes from a solar event. */
export type TimePoint = number | { sun: SunEvent; offset: number };

interface TimeSpan {
  from: TimePoint;
  /** A number above 24 hours, up to 48, is a time on the next day. */
  to: TimePoint;
}

/** Inclusive; months start at 1, and day 0 means the whole month. */
export interface DateRange {
  from: { month: number; day: number };
  to: { month: number; day: number };
}

export interface HoursRule {
  /** Date ranges; empty for every day of the year. */
  dates: DateRange[];
  /** Days of the week, 0 (Sunday) to 6; null if the rule has none. */
  weekdays: ReadonlySet<number> | null;
  /** Offsets from a public holiday: 0 is the holiday, -1 its eve; null if the rule has none. */
  holidays: ReadonlySet<number> | null;
  /** Time spans; empty for the whole day. */
  spans: TimeSpan[];
  open: boolean;
  /** True after a comma: the rule adds to earlier rules instead of overriding them. */
  additional: boolean;
}

const DAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const SUN: readonly string[] = ['dawn', 'sunrise', 'sunset', 'dusk'] satisfies SunEvent[];
const isSun = (token: string): token is SunEvent => SUN.includes(token);

const TOKEN =
  /\s*(24\/7|\d{1,2}:\d{2}|\d{1,2}|PH|off|closed|open|dawn|sunrise|sunset|dusk|Su|Mo|Tu|We|Th|Fr|Sa|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|days?|[-+,;:()]|"[^"]*")/iy;

/** Canonical case, because mappers also write `mo` and `OFF`. */
function canonical(token: string): string {
  const lower = token.toLowerCase();
  if (lower === 'ph') return 'PH';
  const named = [...DAYS, ...MONTHS].find((name) => name.toLowerCase() === lower);
  return named ?? lower;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end.length) {
    const found = TOKEN.exec(end);
    if (!found) throw new Error('not understood');
    tokens.push(canonical(found[1] ?? ''));
  }
  return tokens;
}

class Reader {
  readonly #tokens: string[];
  #at = 0;
  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }
  peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? '';
  }
  take(): string {
    this.#at += 1;
    return this.peek(-1);
  }
  takeIf(...wanted: string[]): boolean {
    if (!wanted.includes(this.peek())) return false;
    this.#at += 1;
    return true;
  }
  expect(wanted: string): void {
    if (!this.takeIf(wanted)) throw new Error('not understood');
  }
  /** Reads comma-separated items, as long as the next token begins another item. */
  list<Item>(begins: (token: string) => boolean, read: () => Item): Item[] {
    if (!begins(this.peek())) return [];
    const items = [read()];
    while (this.peek() === ',' && begins(this.peek(1))) {
      this.take();
      items.push(read());
    }
    return items;
  }
  get done(): boolean {
    return this.#at >= this.#tokens.length;
  }
}

function indexIn(names: readonly string[], token: string): number {
  const index = names.indexOf(token);
  if (index === -1) throw new Error('not understood');
  return index;
}

function wholeNumber(token: string, most: number): number {
  const number = /^\d{1,2}$/.test(token) ? Number(token) : Number.NaN;
  if (!(number >= 1 && number <= most)) throw new Error('not understood');
  return number;
}

const isClock = (token: string) => /^\d{1,2}:\d{2}$/.test(token);

function readClock(token: string, mostHours: number): number {
  const [hours = 0, minutes = 0] = token.split(':').map(Number);
  if (!isClock(token) || minutes > 59 || hours * 60 + minutes > mostHours * 60)
    throw new Error('not understood');
  return hours * 60 + minutes;
}

/** Days in a month of a leap year. @param month from 1 */
const daysOf = (month: number) => new Date(Date.UTC(2024, month, 0)).getUTCDate();

/** `Mar`, `Mar 15`. */
function readDate(reader: Reader): DateRange['from'] {
  const month = indexIn(MONTHS, reader.take()) + 1;
  // `Mar 06:00-22:00` continues with a time, not a day.
  const day = /^\d{1,2}$/.test(reader.peek()) ? wholeNumber(reader.take(), daysOf(month)) : 0;
  return { month, day };
}

function readDates(reader: Reader): DateRange[] {
  const isMonth = (token: string) => MONTHS.includes(token);
  const ranges = reader.list(isMonth, () => {
    const from = readDate(reader);
    if (!reader.takeIf('-')) return { from, to: from };
    if (isMonth(reader.peek())) return { from, to: readDate(reader) };
    const day = wholeNumber(reader.take(), daysOf(from.month));
    return { from, to: { month: from.month, day } };
  });
  if (ranges.length > 0) reader.takeIf(':');
  return ranges;
}

/** `PH`, `PH -1 day`. */
function readHoliday(reader: Reader): number {
  reader.expect('PH');
  const sign = reader.peek() === '-' ? -1 : 1;
  if (!['-', '+'].includes(reader.peek()) || !/^\d{1,2}$/.test(reader.peek(1))) return 0;
  reader.take();
  const days = wholeNumber(reader.take(), 1);
  if (!reader.takeIf('day', 'days')) throw new Error('not understood');
  return sign * days;
}

const isDayToken = (token: string) => token === 'PH' || DAYS.includes(token);

function readDays(reader: Reader): Pick<HoursRule, 'weekdays' | 'holidays'> {
  const weekdays = new Set<number>();
  const holidays = new Set<number>();
  reader.list(isDayToken, () => {
    if (reader.peek() === 'PH') return holidays.add(readHoliday(reader));
    const from = indexIn(DAYS, reader.take());
    const to = reader.takeIf('-') ? indexIn(DAYS, reader.take()) : from;
    for (let day = from; day !== to; day = (day + 1) % 7) weekdays.add(day);
    return weekdays.add(to);
  });
  if (weekdays.size + holidays.size > 0) reader.takeIf(':');
  return {
    weekdays: weekdays.size > 0 ? weekdays : null,
    holidays: holidays.size > 0 ? holidays : null,
  };
}

function readSunPoint(reader: Reader): TimePoint {
  const bracket = reader.takeIf('(');
  const sun = reader.take();
  if (!isSun(sun)) throw new Error('not understood');
  if (!bracket) return { sun, offset: 0 };
  const sign = reader.takeIf('-') ? -1 : 1;
  if (sign === 1) reader.expect('+');
  const offset = sign * readClock(reader.take(), 12);
  reader.expect(')');
  return { sun, offset };
}

const readPoint = (reader: Reader, mostHours: number): TimePoint =>
  isClock(reader.peek()) ? readClock(reader.take(), mostHours) : readSunPoint(reader);

const isTimeToken = (token: string) => isClock(token) || isSun(token) || token === '(';

const readSpans = (reader: Reader): TimeSpan[] =>
  reader.list(isTimeToken, () => {
    const from = readPoint(reader, 24);
    reader.expect('-');
    const to = readPoint(reader, 48);
    // `20:00-02:00` ends on the next day.
    const past = typeof from === 'number' && typeof to === 'number' && to <= from;
    return { from, to: past ? to + DAY_MINUTES : to };
  });

function readRule(reader: Reader, additional: boolean): HoursRule {
  const always = reader.takeIf('24/7');
  const dates = always ? [] : readDates(reader);
  const days = always ? { weekdays: null, holidays: null } : readDays(reader);
  const spans = always ? [] : readSpans(reader);
  const says = ['off', 'closed', 'open'].includes(reader.peek()) ? reader.take() : '';
  // A comment after hours is only a note. A comment without hours means that the hours are unknown.
  const something = always || spans.length > 0 || says !== '';
  const comment = reader.peek().startsWith('"');
  if (comment) reader.take();
  const selected = dates.length > 0 || days.weekdays !== null || days.holidays !== null;
  if (!something && (comment || !selected)) throw new Error('not understood');
  return { dates, ...days, spans, open: says !== 'off' && says !== 'closed', additional };
}

/** @returns null if the text is not in the supported grammar */
export function parseHours(text: string): HoursRule[] | null {
  try {
    const reader = new Reader(tokensOf(text));
    const rules = [readRule(reader, false)];
    while (!reader.done) {
      const additional = reader.peek() === ',';
      if (!reader.takeIf(';', ',')) throw new Error('not understood');
      // The last rule may end with a semicolon.
      if (reader.done && !additional) break;
      rules.push(readRule(reader, additional));
    }
    return rules;
  } catch {
    return null;
  }
}
