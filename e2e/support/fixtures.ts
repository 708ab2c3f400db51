// What journeys arrange behind the browser's back: a dog, an agreement, a picture to give, a park to oneself.
import sharp from 'sharp';
import type { Person, Site } from './test.ts';

/** A dog of somebody; answers its id. */
export async function addDog(person: Person, name: string): Promise<string> {
  const { data, error } = await person.client
    .from('dogs')
    .insert({ owner: person.id, name, breed: 'mixed', gender: 'FEMALE', birthday: '2022-05-01' })
    .select('id')
    .single();
  if (error) throw error;
  return data.id;
}

/** Somebody accepts the terms, which the app else asks for before the first post. */
export async function acceptTerms(person: Person): Promise<void> {
  const { error } = await person.client.rpc('accept_terms');
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

/** Parks in which other journeys count reports, photos or reviews. */
const TAKEN = [12, 13, 14, 22, 23, 24, 25, 27, 30, 31, 32, 33, 34, 35, 36, 37];

/**
 * An approved park where nobody is and nothing is the matter: none of those that the demo fills, and what earlier journeys
 * left there is ended.
 * @param nth so that a test has two, and tests of one host seldom meet
 */
export async function emptyPark(site: Site, nth: number): Promise<{ id: number; name: string }> {
  const parks = await site.sql<{ id: number; name: string }>(
    `select p.id::int, t.name from public.parks p
     join public.park_translations t on t.park_id = p.id and t.language = 'en'
     where p.status = 'approved' and p.id <> all ($1) and not exists (
       select from (
         select park_id, user_id from public.check_ins
         union all select park_id, reporter from private.live_reports
       ) done join auth.users u on u.id = done.user_id
       where done.park_id = p.id and u.email not like '%@example.test')
     order by p.id desc`,
    [TAKEN],
  );
  const park = parks[nth % parks.length];
  if (!park) throw new Error('The demo fills every park');
  for (const table of ['public.check_ins', 'private.live_reports'])
    await site.sql(`update ${table} set ended_at = now() where park_id = $1 and ended_at is null`, [
      park.id,
    ]);
  return park;
}
