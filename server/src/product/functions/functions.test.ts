// Tests the functions that use only our own data, with the official client.
import path from 'node:path';
import { unzipSync, strFromU8 } from 'fflate';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { createFunctionsService } from '#/host/functions/service.ts';
import { createLog } from '#/host/lib/log.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { atEnd } from '../../../../testing/at-end.ts';
import { startPushService } from '../../../../testing/push-service.ts';
import { startStubService } from '../../../../testing/stub-service.ts';
import { connectTo, startTestHost, type Client } from '../../../../testing/test-host.ts';
import { draw } from '../../../../testing/draw.ts';
import { contextOf } from '../../../../testing/request-context.ts';

const fcm = await startPushService();
atEnd(fcm.close);
const host = await startTestHost(fcm.settings);

/** Users sign up with it through the API, because the functions require a token with a session. */
const PASSWORD = 'a long enough password';

async function signUp(name: string) {
  const client = host.client();
  const email = `${name}-${Math.random().toString(36).slice(2)}@example.test`;
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: name, age_confirmed: true } },
  });
  if (error || !data.user) throw error ?? new Error('no user');
  return { id: data.user.id, email, client };
}

const statusOf = (error: unknown) => (error as { context?: Response } | null)?.context?.status;

async function addDogPhoto(user: Awaited<ReturnType<typeof signUp>>): Promise<string> {
  const { data: dog } = await user.client
    .from('dogs')
    .insert({ name: 'Rex', breed: 'Mixed', gender: 'MALE', birthday: '2020-01-01' })
    .select('id')
    .single();
  const picture = await draw(40, 40).webp().toBuffer();
  const name = `${user.id}/dogs/${dog?.id}/primary/primary-${crypto.randomUUID()}.webp`;
  const { error } = await user.client.storage
    .from('users')
    .upload(name, picture, { contentType: 'image/webp' });
  if (error) throw error;
  return name;
}

/** Returns the data that is left of a deleted user. */
async function left(id: string, photo = '') {
  const [found] =
    await host.sql`select (select count(*)::int from auth.users where id = ${id}) as accounts,
    (select count(*)::int from storage.objects where name = ${photo} or name like ${`${id}/%`}) as files,
    (select count(*)::int from private.user_deletions) as begun`;
  return found;
}
const NOTHING = { accounts: 0, files: 0, begun: 0 };

async function publishedNames(language: string): Promise<string[]> {
  const { data } = host.client().storage.from('parks').getPublicUrl(`parks-${language}.json`);
  const response = await fetch(data.publicUrl);
  if (!response.ok) return [];
  return ((await response.json()) as { name: string }[]).map((park) => park.name);
}

test('publish-parks: only the service key can call it', async () => {
  const { error } = await host.client().functions.invoke('publish-parks', { body: {} });
  expect(statusOf(error)).toBe(403);
});

test('publish-parks: writes the list in three languages, and only if the parks have changed', async () => {
  const id = await host.park('Sea View');
  await host.sql`update public.parks set lat = 32.100004 where id = ${id}`;
  expect(await host.functions.run('publish-parks')).toEqual({ published: true });
  expect(await host.functions.run('publish-parks')).toEqual({ published: false });
  const { data } = host.client().storage.from('parks').getPublicUrl('parks-he.json');
  expect(await (await fetch(data.publicUrl)).json()).toEqual([
    { id, name: 'Sea View', city: 'Haifa', address: 'Sea 1', location: { lat: 32.1, long: 34.8 } },
  ]);
});

test('publish-parks: writes the list again if the files are missing', async () => {
  const service = host.service();
  await service.storage.from('parks').remove(['parks-ar.json']);
  expect(await host.functions.run('publish-parks')).toEqual({ published: true });
  expect(await publishedNames('ar')).toContain('Sea View');
});

test('delete-user: users can only delete themselves, which removes their rows, files and account', async () => {
  const [ada, ben] = [await signUp('Ada'), await signUp('Ben')];
  const photo = await addDogPhoto(ada);
  const deleteAs = ({ functions }: Client) =>
    functions.invoke('delete-user', { body: { id: ada.id } });
  expect(statusOf((await deleteAs(ben.client)).error)).toBe(403);
  expect(statusOf((await deleteAs(host.client())).error)).toBe(401);
  // A stolen token alone must not be enough to delete the account.
  await host.sql`update auth.sessions set amr = '[{"method":"password","timestamp":1}]' where user_id = ${ada.id}`;
  await ada.client.auth.refreshSession();
  expect(statusOf((await deleteAs(ada.client)).error)).toBe(403);
  expect(await host.sql('select id from public.users where id = $1', [ada.id])).toHaveLength(1);
  await ada.client.auth.signInWithPassword({ email: ada.email, password: PASSWORD });

  expect(await deleteAs(ada.client)).toMatchObject({ error: null, data: { deleted: true } });
  expect(await left(ada.id, photo)).toEqual(NOTHING);
  expect(await host.sql('select from public.users where id = $1', [ada.id])).toEqual([]);
  expect(await left(ben.id)).toEqual({ ...NOTHING, accounts: 1 });
});

test('delete-user: deletes a photo whose upload was accepted just before', async () => {
  const ida = await signUp('Ida');
  await addDogPhoto(ida);
  // Simulates a photo that is uploaded after the rows were deleted and before the account is deleted.
  await host.sql`
      create function public.arrive_late() returns trigger language plpgsql security definer set search_path = '' as $$
      begin
        insert into storage.objects (bucket_id, name, version)
        values ('users', old.id || '/dogs/' || gen_random_uuid() || '/other/' || gen_random_uuid() || '.webp', gen_random_uuid());
        return old;
      end $$;
      create trigger arrive_late before delete on auth.users for each row execute function public.arrive_late()`;
  const { error } = await ida.client.functions.invoke('delete-user', { body: { id: ida.id } });
  await host.sql('drop trigger arrive_late on auth.users; drop function public.arrive_late()');
  expect(error).toBeNull();
  expect(await left(ida.id)).toEqual(NOTHING);
});

test('delete-user: the next run finishes a deletion that a crash interrupted', async () => {
  const eve = await signUp('Eve');
  const photo = await addDogPhoto(eve);
  // Simulates a crash directly after the rows were deleted; files and account still exist.
  await host.sql('select public.delete_user_data($1)', [eve.id]);
  expect(await host.functions.run('delete-user')).toEqual({ deleted: true, finished: 1 });
  expect(await left(eve.id, photo)).toEqual(NOTHING);
  expect(await host.functions.run('delete-user')).toEqual({ deleted: true, finished: 0 });
});

test('move-photos: the photos of a transferred dog, including a keeper’s, belong to its new owner', async () => {
  const [ada, ben] = [await signUp('Ada'), await signUp('Ben')];
  const photo = await addDogPhoto(ada);
  const moved = photo.replace(ada.id, ben.id);
  await host.sql`insert into private.dog_carers (dog_id, user_id, role) values (split_part(${photo}, '/', 3)::uuid, ${ben.id}, 'keeper')`;
  const other = `${photo.split('/primary')[0]}/other/${crypto.randomUUID()}.webp`;
  const kept = await ben.client.storage
    .from('users')
    .upload(other, await draw(9, 9).webp().toBuffer(), { contentType: 'image/webp', upsert: true });
  expect(kept.error).toBeNull();
  await host.sql`select private.hand_over(split_part(${photo}, '/', 3)::uuid, ${ben.id})`;
  expect(await host.functions.run('move-photos')).toEqual({ moved: 2 });
  const files = ben.client.storage.from('users');
  expect((await files.download(moved)).data?.type).toBe('image/webp');
  expect((await files.download(photo)).error).not.toBeNull();
  const pictures = 'select picture from public.users where id = any ($1) order by picture';
  expect(await host.sql(pictures, [[ada.id, ben.id]])).toEqual([
    { picture: moved },
    { picture: null },
  ]);
});

test('move-photos: a sighting with the ID of another user does not remove that user’s file of the same name', async () => {
  const [victim, eve, mallory] = [
    await signUp('Victim'),
    await signUp('Eve'),
    await signUp('Mallory'),
  ];
  const photo = await addDogPhoto(victim);
  const dog = (await addDogPhoto(eve)).split('/')[2];
  for (const { client } of [eve, mallory]) await client.rpc('accept_terms');
  const place = { p_lat: 32.1, p_long: 34.8 };
  const lost = await eve.client.rpc('report_lost_dog', { p_dog_id: dog ?? '', ...place });
  await host.sql`update private.lost_dogs set approved_at = now() where id = ${lost.data}`;
  const seen = { p_id: victim.id, p_lost_id: lost.data ?? '', ...place };
  expect((await mallory.client.rpc('report_sighting', seen)).error).toBeNull();
  const upload = await mallory.client.storage
    .from('sightings')
    .upload(photo, await draw(9, 9).webp().toBuffer(), { contentType: 'image/webp' });
  expect(upload.error).toBeNull();
  expect((await eve.client.rpc('found_dog', { p_dog_id: dog ?? '' })).data).toBe(true);
  await host.functions.run('move-photos');
  expect(await host.sql`select bucket_id from storage.objects where name = ${photo}`).toEqual([
    { bucket_id: 'users' },
  ]);
});

async function exported({ client }: { client: Client }) {
  const { data, error } = await client.functions.invoke('export-my-data', { body: {} });
  expect(error).toBeNull();
  return unzipSync(new Uint8Array(await (data as Blob).arrayBuffer()));
}

test('export-my-data: a zip file with all pages of all data, including photos', async () => {
  const noa = await signUp('Noa');
  const photo = await addDogPhoto(noa);
  await host.sql`insert into public.notifications (type, receiver_id, is_ready, title)
     select 'sanction', ${noa.id}, true, E'Two\nlines' from generate_series(1, 120)`;
  const files = await exported(noa);
  expect(Object.keys(files).sort()).toEqual(['data.json', `photos/users/${photo}`]);
  expect((await sharp(files[`photos/users/${photo}`]).metadata()).format).toBe('webp');
  const text = strFromU8(files['data.json'] ?? new Uint8Array());
  const json = JSON.parse(text) as Record<string, unknown[]>;
  expect(text).toBe(JSON.stringify(json, null, 2));
  expect(json).toMatchObject({ user: { id: noa.id }, dogs: [{ name: 'Rex' }] });
  expect(json.notifications).toHaveLength(120);
  const anonymous = await host.client().functions.invoke('export-my-data', { body: {} });
  expect(statusOf(anonymous.error)).toBe(401);
});

test('export-my-data: a photo that cannot be read is listed in the archive, and the rest is included', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const noa = await signUp('Noa');
  const [kept, lost] = [await addDogPhoto(noa), await addDogPhoto(noa)];
  // Removes the photo's bytes from the test's point of view: bytes are stored by version, and none exist for a new version.
  await host.sql`update storage.objects set version = gen_random_uuid()::text where name = ${lost}`;
  const files = await exported(noa);
  expect(Object.keys(files).sort()).toEqual(['data.json', 'missing.json', `photos/users/${kept}`]);
  expect(JSON.parse(strFromU8(files['missing.json'] ?? new Uint8Array()))).toEqual([
    `photos/users/${lost}`,
  ]);
  expect(warned).toHaveBeenCalledTimes(1);
  warned.mockRestore();
});

/** Creates two users, the second with a device, and sends a friend request, which causes a push. */
async function requestFriend(token: string) {
  const [from, to] = [await signUp('From'), await signUp('To')];
  const device = await to.client
    .from('device_tokens')
    .insert({ user_id: to.id, device_id: crypto.randomUUID(), platform: 'android', token });
  if (device.error) throw device.error;
  const { error } = await from.client.rpc('send_friend_request', { p_user_id: to.id });
  if (error) throw error;
  return to;
}
const messages = () =>
  fcm.requests.filter((request) => request.url.pathname.endsWith('messages:send'));
const devicesOf = ({ id }: { id: string }) =>
  host.sql('select from public.device_tokens where user_id = $1', [id]);
const outbox = () => host.sql(`select id from private.jobs where type = 'send-push'`);

function respondWith(status: number, body: unknown = {}) {
  fcm.requests.length = 0;
  fcm.respond = ({ url }) =>
    url.pathname === '/token'
      ? { body: { access_token: 'an access token', expires_in: 3600 } }
      : { status, body };
}

const dueNow = () => host.sql(`update private.jobs set due_at = now() where type = 'send-push'`);

async function expectSentNow(): Promise<void> {
  respondWith(200);
  await dueNow();
  await host.functions.run('send-push');
  expect(messages()).toHaveLength(1);
  expect(await outbox()).toHaveLength(0);
}

test('send-push: sends a push once, with the data that the phone needs', async () => {
  respondWith(200, { name: 'projects/packpark-test/messages/1' });
  await requestFriend('device-token-1');
  await Promise.all([host.functions.run('send-push'), host.functions.run('send-push')]);
  await host.functions.run('send-push');
  expect(messages()).toHaveLength(1);
  const [sent] = messages();
  expect(sent?.url.pathname).toBe('/v1/projects/packpark-test/messages:send');
  expect(sent?.headers.authorization).toBe('Bearer an access token');
  const { message } = JSON.parse(sent?.body ?? '') as { message: Record<string, never> };
  expect(message).toMatchObject({
    token: 'device-token-1',
    notification: { title: expect.any(String) as string, body: expect.any(String) as string },
    data: { type: 'friendRequest' },
    android: { notification: { channel_id: 'default' } },
  });
  expect(await outbox()).toHaveLength(0);
});

test('send-push: retries later if the service fails', async () => {
  respondWith(503);
  await requestFriend('device-token-2');
  await host.functions.run('send-push');
  await host.functions.run('send-push');
  expect(messages()).toHaveLength(1);
  expect(await outbox()).toHaveLength(1);
  await expectSentNow();
});

test('send-push: waits while the key is rejected, and logs neither the key nor the receiver', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  respondWith(200);
  fcm.respond = ({ url }) =>
    url.pathname === '/token'
      ? { status: 400, body: { error: 'invalid_grant' } }
      : { status: 401, body: {} };
  await requestFriend('device-token-5');
  // The first attempt may use a cached access token of the push service; the second requests a new one.
  for (let time = 0; time < 2; time++) {
    await dueNow();
    await host.functions.run('send-push');
  }
  expect(await outbox()).toHaveLength(1);
  const log = warned.mock.calls.map((args) => args.join(' ')).join('\n');
  warned.mockRestore();
  expect(log).toContain('no access token: 400 invalid_grant');
  expect(log).not.toMatch(/device-token|PRIVATE KEY|example\.test/);
  await expectSentNow();
});

test('send-push: deletes a device that no longer exists', async () => {
  respondWith(404, { error: { details: [{ '@type': 'x', errorCode: 'UNREGISTERED' }] } });
  const to = await requestFriend('device-token-3');
  await host.functions.run('send-push');
  expect(await devicesOf(to)).toHaveLength(0);
  expect(await outbox()).toHaveLength(0);
});

test('send-push: a push that the service rejects becomes a failed job, and the device is kept', async () => {
  respondWith(400, { error: { details: [] } });
  const to = await requestFriend('device-token-4');
  await host.functions.run('send-push');
  // The push is in the list of failed jobs, which operators see.
  expect(
    await host.sql`delete from private.jobs where user_id = ${to.id} returning error, failed_at is not null as dead`,
  ).toEqual([{ error: 'The push service refuses this push', dead: true }]);
  expect(await devicesOf(to)).toHaveLength(1);
});

test('the jobs automatically publish a changed park and send a new push', async () => {
  await host.startJobs();
  await host.park('By Itself');
  await expect.poll(() => publishedNames('en')).toContain('By Itself');

  // Closes the connection that listens for changes. Changes until it reconnects must not be lost.
  const other = await connectTo(host.connectionString);
  await other.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  // A connection of the pool may have been closed too, so the test polls.
  await expect.poll(() => host.park('After A Break')).toBeGreaterThan(0);
  await expect.poll(() => publishedNames('en')).toContain('After A Break');
});

test.each([
  ['an account that is to go', 'delete-user', true],
  ['a suggestion', 'geocode?mode=suggest&q=Haifa', false],
])('%s: a caller is told to retry while the host starts', async (_, target, asUser) => {
  const starting = await startStubService(() => ({ status: 503, body: { message: 'starting' } }));
  atEnd(starting.close);
  const { tokens } = host;
  const functions = createFunctionsService({
    folder: path.join(ROOT, 'server/dist/functions'),
    tokens,
    log: createLog('silent'),
    url: starting.url,
    environment: {},
  });
  const user = asUser ? await host.user('Dana') : null;
  const request = new Request(`${starting.url}/functions/v1/${target}`, {
    headers: { authorization: `Bearer ${user?.token ?? tokens.anonKey}` },
    ...(user && { method: 'POST', body: JSON.stringify({ id: user.id }) }),
  });
  const response = await functions.handle(request, contextOf(request));
  expect(response.status).toBe(503);
});
