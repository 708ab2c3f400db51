// Tests the operator settings that SQL needs: they are stored at the start, must be equal on all hosts, and cannot change if visits
// depend on them.
import { expect, test } from 'vitest';
import { createListener } from '#/host/db/listener.ts';
import { readSettings } from '#/product/settings.ts';
import { applySiteSettings, checkSiteSettings, readSiteSettings } from '#/product/site-settings.ts';
import { connectTo, createTestDatabase } from '../../../testing/test-host.ts';

const ISRAEL = {
  TIME_ZONE: 'Asia/Jerusalem',
  WEEKEND: [5, 6],
  HOUR_CYCLE: 24,
  MINIMUM_AGE: 13,
  LANGUAGES: ['en', 'he', 'ar'],
};
const VIENNA = readSettings({ TIME_ZONE: 'Europe/Vienna', WEEKEND: 'saturday, sunday' });

async function open() {
  const connectionString = await createTestDatabase();
  const client = await connectTo(connectionString);
  const value = async (sql: string) =>
    Object.values(((await client.query(sql)).rows[0] ?? {}) as object)[0] as unknown;
  return { client, connectionString, value };
}

test('the start stores the settings, and SQL computes days and hours from them', async () => {
  const { client, value } = await open();
  expect(await readSiteSettings(client)).toEqual(ISRAEL);
  await applySiteSettings(client, readSettings({}));
  // Half past eleven in Vienna is the next day in Jerusalem.
  const late = `'2026-06-06T21:30:00Z'::timestamptz`;
  expect(await value(`select private.park_day(${late})::text`)).toBe('2026-06-07');
  await applySiteSettings(client, VIENNA);
  expect(await readSiteSettings(client)).toEqual({
    ...ISRAEL,
    TIME_ZONE: 'Europe/Vienna',
    WEEKEND: [6, 0],
  });
  expect(await value(`select private.park_day(${late})::text`)).toBe('2026-06-06');
  expect(await value(`select private.day_start(${late}) = '2026-06-05T22:00:00Z'`)).toBe(true);
  expect(await value(`select private.is_weekend('2026-06-05')`)).toBe(false);
  expect(await value(`select private.is_weekend('2026-06-07')`)).toBe(true);
});

test('settings that are not set keep their stored values', async () => {
  const { client } = await open();
  await applySiteSettings(client, VIENNA);
  await applySiteSettings(client, readSettings({}));
  expect(await readSiteSettings(client)).toMatchObject({
    TIME_ZONE: 'Europe/Vienna',
    WEEKEND: [6, 0],
  });
});

test('users without a language get the first language of the site', async () => {
  const { client, value } = await open();
  await applySiteSettings(client, readSettings({ LANGUAGES: 'he,en' }));
  const add = (meta: string) =>
    value(`with made as (
        insert into auth.users (id, email_confirmed_at, raw_user_meta_data) values (gen_random_uuid(), now(), '${meta}') returning id
      ) select id from made`);
  const languageOf = async (meta: string) =>
    value(`select language from public.users where id = '${String(await add(meta))}'`);
  expect(await languageOf('{}')).toBe('he');
  expect(await languageOf('{"language": "fr"}')).toBe('he');
  expect(await languageOf('{"language": "ar"}')).toBe('ar');
});

test('a second host with other settings is rejected while one runs', async () => {
  const { client, connectionString } = await open();
  const listener = createListener(connectionString);
  await listener.listen('anything', () => undefined);
  await expect(applySiteSettings(client, VIENNA)).rejects.toThrow(
    'Another host of this site runs with TIME_ZONE Asia/Jerusalem, WEEKEND 5,6, HOUR_CYCLE 24, MINIMUM_AGE 13, LANGUAGES en,he,ar: start this one with the same, or stop that one to change them.',
  );
  await applySiteSettings(client, readSettings({}));
  await listener.close();
});

test('the time zone is fixed once there are visits; the weekend is not', async () => {
  const { client } = await open();
  await client.query(`
    insert into public.parks (lat, long, status) values (32, 34, 'approved');
    insert into private.busy_hours (park_id, day, hour, dogs) select id, '2026-01-01', 8, 1 from public.parks`);
  await expect(applySiteSettings(client, VIENNA)).rejects.toThrow(
    'The setting TIME_ZONE is wrong: The time zone is Asia/Jerusalem and cannot change once there are visits.',
  );
  expect(await readSiteSettings(client)).toEqual(ISRAEL);
  await expect(checkSiteSettings(client, VIENNA)).rejects.toThrow('The setting TIME_ZONE');
  await applySiteSettings(client, readSettings({ WEEKEND: 'saturday,sunday' }));
  expect(await readSiteSettings(client)).toEqual({ ...ISRAEL, WEEKEND: [6, 0] });
});

test('raising the minimum age makes all users confirm their age again, and the database rejects ages below 13', async () => {
  const { client, value } = await open();
  const confirmed = () => value('select count(age_confirmed_at)::int from private.user_consents');
  await client.query(`
    insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
    select gen_random_uuid(), n || '@example.test', now(), '{"age_confirmed": true}' from generate_series(1, 2) n`);
  await applySiteSettings(client, readSettings({ HOUR_CYCLE: '12' }));
  expect(await confirmed()).toBe(2);
  const time = (language: string) =>
    value(
      `select private.format_time('2026-06-06T14:05:00Z', m ->> 'time', m -> 'months') from private.messages('${language}') m`,
    );
  expect(await time('en')).toBe('6 Jun, 5:05 pm');
  expect(await time('ar')).toBe('6 يونيو الساعة 5:05 pm');
  await applySiteSettings(client, readSettings({ MINIMUM_AGE: '16' }));
  expect(await confirmed()).toBe(0);
  await expect(
    client.query(`select private.set_site_settings('UTC', '{6}', 24, 12)`),
  ).rejects.toMatchObject({ code: '23514' });
});

test.each([
  ['TIME_ZONE', 'Mars/Olympus'],
  ['WEEKEND', 'saturday,caturday'],
  ['FIRST_DAY', 'caturday'],
  ['HOUR_CYCLE', '13'],
  ['UNITS', 'leagues'],
  ['LANGUAGES', 'en,tlh'],
  ['LANGUAGES', ','],
  ['MINIMUM_AGE', '12'],
])('the error names an invalid %s', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(name);
});
