// Data that tests create without the browser: a dog, accepted terms, an image to upload, a park for one test.
import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { TestUser, Site } from './test.ts';

export async function addDog(user: TestUser, name: string): Promise<string> {
  const { data, error } = await user.client
    .from('dogs')
    .insert({ owner: user.id, name, breed: 'mixed', gender: 'FEMALE', birthday: '2022-05-01' })
    .select('id')
    .single();
  if (error) throw error;
  return data.id;
}

/** Accepts the terms, for which the app otherwise shows a sheet before the first post. */
export async function acceptTerms(user: TestUser): Promise<void> {
  const { error } = await user.client.rpc('accept_terms', { p_licence: true });
  if (error) throw error;
}

export async function befriend(one: TestUser, other: TestUser): Promise<void> {
  await one.client.rpc('send_friend_request', { p_user_id: other.id });
  await other.client.rpc('accept_friend_request', { p_user_id: one.id });
}

/** A review with only a title. */
export const writeReview = (author: TestUser, park: number, title: string, rank: number) =>
  author.client.rpc('save_review', {
    p_park_id: park,
    p_title: title,
    p_content: '',
    p_rank: rank,
  });

export const inviteTo = (host: TestUser, guest: TestUser, park: number, hours = 1) =>
  host.client.rpc('invite_to_park', {
    p_park_id: park,
    p_friend_ids: [guest.id],
    p_meet_at: new Date(Date.now() + hours * 3_600_000).toISOString(),
  });

/** Checks in on the page of a park with the sheet's defaults. */
export async function checkIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check in here' }).click();
  await confirmCheckIn(page).click();
}

/** The button in the sheet. */
export const confirmCheckIn = (page: Page): Locator =>
  page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true });

/** Checks the user out, if checked in. */
export async function checkOut({ client }: TestUser): Promise<void> {
  const { data } = await client.rpc('my_check_in');
  if (!data?.[0]) return;
  const { error } = await client.rpc('check_out', { p_visit_id: data[0].check_in_id });
  if (error) throw error;
}

/** A photo's bytes: 900 × 700 pixels of one colour. */
export const picture = (
  format: 'jpeg' | 'png' | 'webp' = 'png',
  background = '#b98a5a',
): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 700, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

/** A photo as a file for a file input. */
export const pictureFile = async (name = '1.jpg', background?: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await picture('jpeg', background),
});

/**
 * Uploads a photo of a park, which is then pending.
 * @returns its path
 */
export async function contributePhoto(contributor: TestUser, park: number): Promise<string> {
  const path = `${park}/other/photo-${randomUUID()}.webp`;
  const { error } = await contributor.client.storage
    .from('pending-photos')
    .upload(path, await picture('webp'), { contentType: 'image/webp' });
  if (error) throw error;
  return path;
}

/** Makes users regulars by visits on two earlier days. */
export const makeRegulars = (site: Site, park: number, ...users: TestUser[]) =>
  site.sql`insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, ended_at)
     select id, ${park}, 1, moment, moment + interval '1 hour', moment + interval '1 hour'
     from unnest(${users.map(({ id }) => id)}::uuid[]) id, generate_series(2, 3) day,
       lateral (select now() - make_interval(days => day) as moment) clock`;

/** A park's facts in the published list. */
interface ListedPark {
  ground?: string[];
  shade?: number;
  facts?: Record<string, string>;
}

/** Opens the park list and returns the published parks; changes of other tests are published an hour later. */
export async function openList(page: Page, address = '/parks'): Promise<ListedPark[]> {
  const answer = page.waitForResponse('**/parks-en.json');
  await page.goto(address);
  const list = (await (await answer).json()) as ListedPark[];
  await expectParks(page, list.length);
  return list;
}

/** Asserts the number of listed parks. */
export const expectParks = (page: Page, count: number): Promise<void> =>
  expect(page.getByRole('main').getByText(/^\d+ parks?$/)).toHaveText(
    `${count} ${count === 1 ? 'park' : 'parks'}`,
  );

/** For each site, its parks without demo users, reviews or reports. Each test takes the first and puts it last. */
const freeParks = new WeakMap<Site, (ReservedPark & { initial: object })[]>();

interface ReservedPark {
  id: number;
  name: string;
  lat: number;
  long: number;
}

/** Sets this page's device location to the park. */
export const standAt = (page: Page, { lat, long }: ReservedPark): Promise<void> =>
  page.context().setGeolocation({ latitude: lat, longitude: long, accuracy: 20 });

/** The park whose name and address a test makes too long. */
export const LONG_NAMED_PARK = 28;

/** Tables in which tests add rows about a park. */
const OF_PARK = [
  'public.reviews',
  'public.park_photos',
  'public.park_suggestions',
  'public.park_invites',
  'private.fact_answers',
  'private.pack_times',
  'private.park_companies',
];

/**
 * An approved park for this test only, without visitors, conditions or reviews. Each worker has its own site and runs one test at a
 * time, so what earlier tests changed at the park is restored first.
 */
export async function reservePark(site: Site): Promise<ReservedPark> {
  const parks = freeParks.get(site) ?? (await parksWithoutDemo(site));
  freeParks.set(site, parks);
  const park = parks.shift();
  if (!park) throw new Error('The demo fills every park');
  parks.push(park);
  const { initial, ...reserved } = park;
  const ended = ['public.check_ins', 'private.live_reports'].map(
    (table) =>
      `update ${table} set ended_at = now() where park_id = ${park.id} and ended_at is null;`,
  );
  const removed = OF_PARK.map((table) => `delete from ${table} where park_id = ${park.id};`);
  await site.sql([...ended, ...removed].join('\n'));
  await site.sql(
    `update public.parks p set (size, materials, source, licence, source_date, primary_photo, outline, facts, fact_sources) =
       (i.size, i.materials, i.source, i.licence, i.source_date, i.primary_photo, i.outline, i.facts, i.fact_sources)
     from jsonb_populate_record(null::public.parks, $2) i where p.id = $1 and to_jsonb(p) <> $2`,
    [park.id, JSON.stringify(initial)],
  );
  return reserved;
}

/**
 * The demo's parks, which have a Hebrew name, without those that are closed at times. Parks created by tests are all in one town,
 * and some are gone by now.
 */
const parksWithoutDemo = (site: Site) =>
  site.sql<ReservedPark & { initial: object }>`
     select p.id::int, t.name, p.lat, p.long, to_jsonb(p) as initial from public.parks p
     join public.park_translations t on t.park_id = p.id and t.language = 'en'
     join public.park_translations h on h.park_id = p.id and h.language = 'he'
     where p.status = 'approved' and p.id <> ${LONG_NAMED_PARK} and t.city <> 'Hadera'
       and not p.facts ?| '{opening_hours,dog:conditional}' and not exists (
       select from (
         select park_id, user_id from public.check_ins
         union all select park_id, reporter from private.live_reports
         union all select park_id, author from public.reviews
       ) done join auth.users u on u.id = done.user_id
       where done.park_id = p.id and u.email not like '%@example.test')
     order by p.id desc`;

/** Opens all folded sections of the settings. */
export async function unfold(page: Page): Promise<void> {
  const folded = page.locator('details');
  await folded.first().waitFor();
  await folded.evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '');
  });
}

/** A park of this test only, which it may change permanently. */
export async function ownPark(site: Site, name: string): Promise<number> {
  const [park] = await site.sql<{ id: number }>(
    `with made as (insert into public.parks (lat, long, status) values (32.5, 34.95, 'approved') returning id)
     insert into public.park_translations select id, 'en', $1, 'Hadera', '5 Sea St' from made returning park_id::int as id`,
    [name],
  );
  return Number(park?.id);
}
