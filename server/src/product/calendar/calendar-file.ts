// Formats meetings as a calendar file (RFC 5545).
import { type SiteMessages, siteMessages } from '#/product/site-messages.ts';
import type { Language } from '../../../../shared/languages.ts';

/** The result of public.calendar_of(). */
export interface Calendar {
  language: Language;
  events: CalendarEvent[];
}

export interface CalendarEvent {
  id: string;
  park: {
    id: number;
    name: string | null;
    city: string | null;
    address: string | null;
    lat: number;
    long: number;
  };
  meet_at: string;
  /** The user's response to the invite; `host` if the user sent it. */
  answer: 'host' | 'pending' | 'accepted' | 'declined' | 'cancelled';
  changed_at: string;
}

const STATUS: Record<CalendarEvent['answer'], 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'> = {
  host: 'CONFIRMED',
  pending: 'TENTATIVE',
  accepted: 'CONFIRMED',
  // A declined event is confirmed, but TRANSP shows the user's time as free.
  declined: 'CONFIRMED',
  cancelled: 'CANCELLED',
};

/** Meetings have no end time, but calendars draw events without an end as a line that is hard to tap. */
const DRAWN_HOURS = 1;
/** The interval at which calendar programs should refresh. */
const REFRESH = 'PT1H';
/** Maximum octets of a line without its line break (RFC 5545, 3.1). */
const MAX_OCTETS = 75;
/** Invites are sent at most this long before the meeting, so no meeting changes earlier. */
const MAX_AHEAD_MS = 31 * 86_400_000;

/** Escapes a value of type TEXT (RFC 5545, 3.3.11). */
const text = (value: string): string =>
  value
    // Other control characters are not allowed in a line.
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]+/g, ' ')
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n');

const utc = (moment: Date): string =>
  moment.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');

/**
 * Folds long lines (RFC 5545, 3.1). Lines are never folded within a character, because some programs decode each piece separately.
 */
function fold(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  let octets = 0;
  for (const sign of line) {
    const more = Buffer.byteLength(sign);
    if (octets + more > MAX_OCTETS) {
      pieces.push(piece);
      piece = ' ';
      octets = 1;
    }
    piece += sign;
    octets += more;
  }
  return [...pieces, piece].join('\r\n');
}

function event(
  { id, park, meet_at, answer, changed_at }: CalendarEvent,
  messages: SiteMessages['calendar'],
  origin: string,
): string[] {
  const start = new Date(meet_at);
  const changed = new Date(changed_at);
  const place = [park.address, park.city].filter(Boolean).join(', ');
  return [
    'BEGIN:VEVENT',
    `UID:${id}@${new URL(origin).hostname}`,
    // In a published calendar, DTSTAMP is the time of the last change.
    `DTSTAMP:${utc(changed)}`,
    `LAST-MODIFIED:${utc(changed)}`,
    // A later change must have a higher number. Seconds ensure this even if a cancelled meeting takes place again.
    `SEQUENCE:${Math.max(0, Math.floor((changed.getTime() - start.getTime() + MAX_AHEAD_MS) / 1000))}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(new Date(start.getTime() + DRAWN_HOURS * 3_600_000))}`,
    `SUMMARY:${text(messages.at.replace('{park}', () => park.name ?? ''))}`,
    `DESCRIPTION:${text(messages[answer])}`,
    ...(place ? [`LOCATION:${text(place)}`] : []),
    `GEO:${park.lat.toFixed(6)};${park.long.toFixed(6)}`,
    `URL:${origin}/parks/${park.id}/`,
    `STATUS:${STATUS[answer]}`,
    `TRANSP:${answer === 'declined' || answer === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ];
}

/**
 * Formats the file. It contains the park, the time and the user's response of each meeting, but no names.
 * @param origin the site's origin, such as https://park.example
 */
export function writeCalendar({ language, events }: Calendar, origin: string): string {
  const { calendar: messages } = siteMessages(language);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Packpark//Meetings//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${text(messages.calendar)}`,
    // Most programs read the calendar's name and refresh interval only from these older properties.
    `X-WR-CALNAME:${text(messages.calendar)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...events.flatMap((one) => event(one, messages, origin)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
