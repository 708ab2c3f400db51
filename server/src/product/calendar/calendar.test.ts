// Tests calendar files over HTTP: grammar, parsing by an independent library, and the secrecy of the URL.
import type { IncomingMessage } from 'node:http';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { startTestHost } from '../../../../testing/test-host.ts';
import { createGateway } from '#/host/gateway/gateway.ts';
import { writeCalendar, type CalendarEvent } from '#/product/calendar/calendar-file.ts';
import { CALENDAR_PATH, createCalendarService } from '#/product/calendar/service.ts';

const SITE = 'https://park.example';

const host = await startTestHost({ SITE_URL: SITE });

const at = '2027-03-01T16:30:00+00:00';
const example = (values: Partial<CalendarEvent> = {}): CalendarEvent => ({
  id: '00000000-0000-4000-8000-000000000001',
  park: { id: 7, name: 'Willow', city: 'Haifa', address: '2 HaYam St', lat: 32.8, long: 35 },
  meet_at: at,
  answer: 'accepted',
  changed_at: '2027-02-20T08:00:00.123456+00:00',
  ...values,
});

test('lines end with CRLF, have at most 75 octets, and never break within a character', () => {
  const park = { ...example().park, name: 'גינת הכלבים 🐕 של '.repeat(9), city: null };
  const file = writeCalendar({ language: 'he', events: [example({ park })] }, SITE);
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  const lines = file.split('\r\n');
  expect(lines.join('')).not.toMatch(/[\r\n]/);
  expect(lines.some((line) => line.startsWith(' '))).toBe(true);
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).toBe(Buffer.from(line).toString());
    expect(line).not.toContain('\uFFFD');
  }
});

test('a parser reads each event correctly, whatever a name contains', () => {
  const name = 'Rex; "Co", \\ and\nfriends\r\nBEGIN:VEVENT\u0007';
  const written = [
    example({ park: { ...example().park, name } }),
    example({ answer: 'declined' }),
    example({ answer: 'cancelled', changed_at: '2027-02-20T08:00:05+00:00' }),
  ];
  const file = writeCalendar({ language: 'en', events: written }, SITE);
  const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  const events = calendar.getAllSubcomponents('vevent');
  const values = (name: string) => events.map((event) => String(event.getFirstPropertyValue(name)));
  expect(values('summary')[0]).toBe(
    'Meeting at the park: Rex; "Co", \\ and\nfriends \nBEGIN:VEVENT ',
  );
  const answers = ['You are coming', 'You are not coming', 'The meeting is off'];
  expect(values('description')).toEqual(answers);
  expect(values('status')).toEqual(['CONFIRMED', 'CONFIRMED', 'CANCELLED']);
  expect(values('transp')).toEqual(['OPAQUE', 'TRANSPARENT', 'TRANSPARENT']);
  expect(values('location')[0]).toBe('2 HaYam St, Haifa');
  expect(values('url')[0]).toBe(`${SITE}/parks/7/`);
  expect(values('uid')[0]).toBe('00000000-0000-4000-8000-000000000001@park.example');
  expect(values('dtstamp')[0]).toBe('2027-02-20T08:00:00Z');
  const [sequence = 0, , later = 0] = values('sequence').map(Number);
  expect(sequence).toBeGreaterThan(0);
  expect(later - sequence).toBe(5);
  const [event] = events.map((one) => new ICAL.Event(one));
  expect(event?.startDate.toJSDate()).toEqual(new Date(at));
  expect(event?.startDate.zone.tzid).toBe('UTC');
  expect(event?.duration.toSeconds()).toBe(3600);
});

async function meeting() {
  const [ann, ben] = [await host.user('Ann'), await host.user('Ben')];
  await ann.client.rpc('send_friend_request', { p_user_id: ben.id });
  await ben.client.rpc('accept_friend_request', { p_user_id: ann.id });
  await ann.client.rpc('invite_to_park', {
    p_park_id: await host.park('Willow'),
    p_friend_ids: [ben.id],
    p_meet_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { data } = await ben.client.rpc('make_calendar_feed');
  return { ben: ben.client, secret: String(data) };
}
const calendarUrl = (secret: string) => `${host.url}${CALENDAR_PATH}/${secret}.ics`;

test('the URL works without a token, returns the file only after changes, and stops working immediately when it is revoked', async () => {
  const { ben, secret } = await meeting();
  const response = await fetch(calendarUrl(secret));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  const file = await response.text();
  expect(file).toContain('SUMMARY:Meeting at the park: Willow\r\n');
  expect(file).toContain('STATUS:TENTATIVE\r\n');
  expect(file).not.toContain('Ann');
  const etag = response.headers.get('etag') ?? '';
  const again = () => fetch(calendarUrl(secret), { headers: { 'if-none-match': etag } });
  expect((await again()).status).toBe(304);
  const { data } = await ben.from('park_invites').select('id').single();
  await ben.rpc('respond_to_invite', { p_invite_id: data?.id ?? '', p_accept: true });
  expect(await (await again()).text()).toContain('STATUS:CONFIRMED\r\n');
  expect((await fetch(calendarUrl(secret), { method: 'POST' })).status).toBe(405);
  await ben.rpc('end_calendar_feed');
  const ended = await fetch(calendarUrl(secret));
  expect(ended.status).toBe(404);
  // The response to an unknown secret is the same as that to a revoked one.
  const never = await fetch(calendarUrl('0'.repeat(64)));
  expect([never.status, await never.text()]).toEqual([404, await ended.text()]);
  for (const path of ['', '/', `/${secret}`, `/${secret.toUpperCase()}.ics`, `/x/${secret}.ics`])
    expect((await fetch(`${host.url}${CALENDAR_PATH}${path}`)).status).toBe(404);
});

test('no log or metric contains the secret, even if the database fails', async () => {
  const { secret } = await meeting();
  const written: unknown[] = [];
  const write = (...line: unknown[]) => void written.push(line);
  const handle = createGateway({
    routes: [[CALENDAR_PATH, createCalendarService({ database: host.database, siteOrigin: SITE })]],
    log: { debug: write, info: write, warn: write, error: write } as never,
    trustProxy: false,
    local: true,
    observe: write,
  });
  const incoming = {
    headers: {},
    rawHeaders: [] as string[],
    socket: { remoteAddress: '127.0.0.1' },
  } as IncomingMessage;
  const send = () => handle(new Request(calendarUrl(secret)), incoming);
  expect((await send()).status).toBe(200);
  await host.sql('alter function public.calendar_of(bytea) rename to gone');
  expect((await send()).status).toBe(500);
  await host.sql('alter function public.gone(bytea) rename to calendar_of');
  const text = JSON.stringify(written);
  expect(text).toContain(`"path":"${CALENDAR_PATH}"`);
  expect(text).toContain('request failed');
  expect(text).not.toContain(secret);
});
