// Tests the app's buckets and policies with the official client: photos of dogs and pending photos of parks.
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startTestHost, type Client, type TestHost } from '../../../../testing/test-host.ts';
import { draw } from '../../../../testing/draw.ts';

type TestUser = Awaited<ReturnType<TestHost['user']>>;

const host = await startTestHost();
const [ann, bob] = [await host.user('Ann'), await host.user('Bob')];
await host.sql`update private.user_consents set age_confirmed_at = now(), terms_accepted_at = now(), licence_agreed_at = now()`;
const photo = await draw(80, 60).webp().toBuffer();
const { data, error } = await ann.client.rpc('submit_park', {
  p_name: 'Green',
  p_city: 'Tel Aviv',
  p_address: 'Street 1',
  p_lat: 32.1,
  p_long: 34.8,
});
expect(error).toBeNull();
const park = Number(data);
await host.service().rpc('desk_decide', { p_type: 'park', p_id: String(park), p_approve: true });

const give = (who: TestUser, bucket: string, name: string, bytes = photo) =>
  who.client.storage
    .from(bucket)
    .upload(name, bytes, { contentType: 'image/webp', cacheControl: '2592000' });

async function dogOf(user: TestUser): Promise<string> {
  const { data, error } = await user.client
    .from('dogs')
    .insert({ name: 'Rex', breed: 'Mixed', gender: 'MALE', birthday: '2020-01-01' })
    .select('id')
    .single();
  expect(error).toBeNull();
  return data?.id ?? '';
}

test('a dog’s photo can be uploaded, replaced and restored, and it is available all the time', async () => {
  const folder = `${ann.id}/dogs/${await dogOf(ann)}`;
  const users = ann.client.storage.from('users');
  const [first, second] = [`primary-${randomUUID()}.webp`, `${randomUUID()}.webp`];
  expect((await give(ann, 'users', `${folder}/primary/${first}`)).error).toBeNull();
  expect((await give(ann, 'users', `${folder}/other/${second}`)).error).toBeNull();
  const url = users.getPublicUrl(`${folder}/primary/${first}`).data.publicUrl;
  const response = await fetch(url);
  expect(response.headers.get('cache-control')).toBe('max-age=2592000');
  expect(
    (await users.move(`${folder}/other/${second}`, `${folder}/primary/primary-${second}`)).error,
  ).toBeNull();
  expect(
    (await users.move(`${folder}/primary/${first}`, `${folder}/other/${first}`)).error,
  ).toBeNull();
  const names = async (who: Client, at: string) =>
    (await who.storage.from('users').list(`${folder}/${at}`)).data?.map(({ name }) => name);
  expect(await names(ann.client, 'primary')).toEqual([`primary-${second}`]);
  expect(await names(ann.client, 'other')).toEqual([first]);
  expect(await names(bob.client, 'other')).toEqual([first]);
  expect(await names(host.client(), 'other')).toEqual([]);
});

test('a user’s photo of a park is pending, uploaded directly or by signed URL; the service key’s photo is shown', async () => {
  const path = () => `${park}/other/${randomUUID()}.webp`;
  const [uploaded, linked, ours] = [path(), path(), path()];
  expect((await give(ann, 'pending-photos', uploaded)).error).toBeNull();
  const given = ann.client.storage.from('pending-photos');
  const { data } = await given.createSignedUploadUrl(linked);
  const anyone = host.client().storage.from('pending-photos');
  const { error } = await anyone.uploadToSignedUrl(linked, data?.token ?? '', photo, {
    contentType: 'image/webp',
  });
  expect(error).toBeNull();
  const service = { ...ann, client: host.service() };
  expect((await give(service, 'parks', ours)).error).toBeNull();

  const listed = async (who: Client) => {
    const buckets = ['parks', 'pending-photos'].map((bucket) => who.storage.from(bucket));
    const entries = await Promise.all(buckets.map((bucket) => bucket.list(`${park}/other`)));
    return entries.flatMap(({ data }) => data ?? []).map(({ name }) => `${park}/other/${name}`);
  };
  expect(await listed(bob.client)).toEqual([ours]);
  expect(await listed(host.client())).toEqual([ours]);
  expect(new Set(await listed(ann.client))).toEqual(new Set([uploaded, linked, ours]));

  // Inserts the row as Supabase's storage-api does: with the service role and the user as the owner.
  const platform = path();
  await host.sql(
    `insert into storage.objects (bucket_id, name, owner_id, version) values ('parks', $1, $2, gen_random_uuid())`,
    [platform, ann.id],
  );
  expect(await listed(bob.client)).toEqual([ours]);
});

test('a pending photo can be read only by its contributor until it is approved', async () => {
  const path = `${park}/other/${randomUUID()}.webp`;
  expect((await give(ann, 'pending-photos', path)).error).toBeNull();
  const service = host.service();
  const pathOf = (bucket: string) => service.storage.from(bucket).getPublicUrl(path).data.publicUrl;
  const statuses = async () => [
    (await fetch(pathOf('parks'))).status,
    (await fetch(pathOf('pending-photos'))).status,
    (await fetch(pathOf('parks').replace('/object/', '/render/image/'))).status,
  ];
  expect(await statuses()).toEqual([400, 400, 400]);
  const waiting = (who: Client) => who.storage.from('pending-photos');
  expect((await waiting(bob.client).download(path)).error).toMatchObject({ statusCode: '404' });
  expect((await waiting(bob.client).createSignedUrl(path, 60)).error).not.toBeNull();
  const { data } = await waiting(ann.client).createSignedUrl(path, 60);
  expect((await fetch(data?.signedUrl ?? '')).status).toBe(200);

  const { error } = await waiting(service).move(path, path, { destinationBucket: 'parks' });
  expect(error).toBeNull();
  expect(await statuses()).toEqual([200, 400, 200]);
  const { data: row } = await host
    .client()
    .from('park_photos')
    .select('status')
    .eq('path', path)
    .single();
  expect(row).toEqual({ status: 'approved' });
});

test('an approved photo reveals only the day on which it was uploaded', async () => {
  const path = `${park}/other/${randomUUID()}.webp`;
  expect((await give(ann, 'pending-photos', path)).error).toBeNull();
  // Simulates a photo that was uploaded yesterday and is still pending.
  await host.sql`update storage.objects set created_at = now() - interval '1 day' where name = ${path}`;
  const service = host.service();
  const from = service.storage.from('pending-photos');
  expect((await from.move(path, path, { destinationBucket: 'parks' })).error).toBeNull();
  const parks = host.client().storage.from('parks');
  const { data: listed } = await parks.list(`${park}/other`, { search: path.split('/')[2] ?? '' });
  const { data: info } = await parks.info(path);
  const response = await fetch(parks.getPublicUrl(path).data.publicUrl);
  const published = JSON.stringify([
    listed,
    info,
    [...response.headers].filter(([name]) => name !== 'date'),
  ]);
  const times =
    published.match(/\d{4}-\d\d-\d\dT[\d:.]+|\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g) ?? [];
  expect(times.length).toBeGreaterThan(5);
  const days = await host.sql<{ exact: string }>(
    `select t as exact from unnest($1::timestamptz[]) t where t <> date_trunc('day', t, 'Asia/Jerusalem')`,
    [times],
  );
  expect(days).toEqual([]);
});

test('a photo of a visit has no metadata or time, and a friend can neither store nor sign it', async () => {
  const dog = await dogOf(ann);
  const { data } = await ann.client.rpc('check_in', { p_park_id: park, p_dog_ids: [dog] });
  const visit = { p_visit_id: (data as { check_in_id: string }).check_in_id, p_dog_id: dog };
  const path = (await ann.client.rpc('add_visit_photo', visit)).data ?? '';
  const taken = await draw(60, 40)
    .withExif({
      IFD0: { Model: 'Camera' },
      IFD2: { DateTimeOriginal: '2026:01:02 03:04:05' },
      IFD3: { GPSLatitude: '32/1 5/1 59/1', GPSLatitudeRef: 'N' },
    })
    .jpeg()
    .toBuffer();
  expect(taken.includes('Exif')).toBe(true);
  expect((await give(ann, 'visit-photos', path, taken)).error).toBeNull();
  const readAt = (route: string) =>
    fetch(`${host.url}/storage/v1/${route}/visit-photos/${path}`, {
      headers: { authorization: `Bearer ${bob.token}` },
    });
  const read = () => readAt('object');
  expect((await read()).status).toBe(400);
  await ann.client.rpc('send_friend_request', { p_user_id: bob.id });
  await bob.client.rpc('accept_friend_request', { p_user_id: ann.id });
  for (const route of ['object', 'render/image/authenticated']) {
    const { status, headers } = await readAt(route);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('last-modified')).toBe('Thu, 01 Jan 1970 00:00:00 GMT');
  }
  const response = await read();
  const bytes = Buffer.from(await response.arrayBuffer());
  expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  expect(bytes.includes('Exif')).toBe(false);
  const photos = bob.client.storage.from('visit-photos');
  const listed = [(await photos.list()).data, (await photos.info(path)).data];
  expect(JSON.stringify(listed)).toContain(path);
  expect(JSON.stringify(listed)).not.toContain(new Date().getFullYear());
  expect((await photos.createSignedUrl(path, 60)).error).toMatchObject({ statusCode: '404' });
  expect((await photos.createSignedUrls([path], 60)).data).toMatchObject([{ signedUrl: null }]);
  await ann.client.rpc('unfriend', { p_user_id: bob.id });
  expect((await read()).status).toBe(400);
});

test('the size limit of photos applies to dogs and parks, and a photo of a park must be an image whatever its name is', async () => {
  const parks = ann.client.storage.from('pending-photos');
  const page = `${park}/other/${randomUUID()}.webp`;
  const large = Buffer.alloc(5 * 1024 * 1024 + 1);
  for (const [bucket, name] of [
    ['pending-photos', page],
    ['users', `${ann.id}/dogs/${await dogOf(ann)}/other/${randomUUID()}.webp`],
  ] as const)
    expect((await give(ann, bucket, name, large)).error).toMatchObject({
      status: 413,
      message: 'The object exceeded the maximum allowed size',
    });
  const { error } = await parks.upload(page, Buffer.from('{"any":"thing"}'), {
    contentType: 'application/json',
  });
  expect(error).toMatchObject({ status: 415 });
  expect((await fetch(parks.getPublicUrl(page).data.publicUrl)).status).toBe(400);
});
