// Tests two hosts on one PostgreSQL and one S3 store, as in docs/deploy.md. Killing any of them never loses acknowledged data.
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { loadPushKey, publicPushKey } from '#/product/secrets.ts';
import { startPostgres15 } from '../../testing/postgres-15.ts';
import { startCli, temporaryData } from '../../testing/run-cli.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { draw } from '../../testing/draw.ts';
import { clientAt, connectTo } from '../../testing/test-host.ts';

test('two hosts form one service, and one continues when the other, the database or the store is killed', async () => {
  const [database, s3] = await Promise.all([startPostgres15(), startS3Server()]);
  const VAPID_KEY = loadPushKey(temporaryData(), undefined);
  const start = (port = '0') =>
    startCli({
      DATABASE_URL: database.url,
      DATA_DIR: temporaryData(),
      JWT_SECRET: 'a shared secret with at least 32 characters',
      VAPID_KEY,
      SITE_URL: 'http://localhost',
      DEMO: 'true',
      PORT: port,
      ...s3.environment,
    });
  // Both hosts migrate the same empty database at the same time.
  const hosts = await Promise.all([start(), start()]);
  const configs = (await Promise.all(
    hosts.map(async ({ url }) => (await fetch(`${url}/config.json`)).json()),
  )) as [{ anonKey: string; pushKey: string }, unknown];
  const [{ anonKey, pushKey }] = configs;
  expect(pushKey).toBe(publicPushKey(VAPID_KEY));
  expect(configs[1]).toEqual(configs[0]);
  const clients = hosts.map(({ url }) => clientAt(url, anonKey));
  const [first, second] = clients as [(typeof clients)[0], (typeof clients)[0]];
  const { data } = await first.auth.signUp({
    email: 'ann@example.test',
    password: 'correct horse',
    options: { data: { full_name: 'Ann', age_confirmed: true } },
  });
  const [id, session] = [data.user?.id ?? '', data.session];
  const { access_token = '', refresh_token = '' } = session ?? {};
  await second.auth.setSession({ access_token, refresh_token });
  const parks =
    (await second.from('parks').select('id')).data?.map((park) => Number(park.id)) ?? [];
  expect(parks).toHaveLength(40);

  const dog = await first
    .from('dogs')
    .insert({ owner: id, name: 'Bamba', breed: 'Mixed', gender: 'FEMALE', birthday: '2023-05-01' })
    .select('id')
    .single();
  expect(dog.error).toBeNull();
  const photos = Array.from(
    { length: 6 },
    () => `${id}/dogs/${String(dog.data?.id)}/other/${randomUUID()}.webp`,
  );
  const bytes = await draw(80, 80).webp().toBuffer();
  const upload = (client: typeof first, photo: string) =>
    client.storage.from('users').upload(photo, bytes, { contentType: 'image/webp', upsert: true });

  /** Repeats a request that got no response, with the same or the other host, as a user would. */
  const insist = (ask: (client: typeof first) => PromiseLike<{ error: unknown }>) =>
    vi.waitFor(
      () =>
        Promise.any(
          clients.map((client) => ask(client).then(({ error }) => expect(error).toBeNull())),
        ),
      { timeout: 60_000, interval: 50 },
    );
  const like = (park: number) =>
    insist((client) =>
      client
        .from('favourite_parks')
        .upsert({ user_id: id, park_id: park }, { ignoreDuplicates: true }),
    );
  const keep = (photo: string) => insist((client) => upload(client, photo));
  const [one, other] = [parks.slice(0, 20), parks.slice(20)];
  const busy = Promise.all([...one.map(like), ...photos.slice(0, 3).map(keep)]);
  await hosts[0]?.end('SIGKILL');
  await busy;
  const again = Promise.all(other.map(like));
  // A host that starts while the database is down exits. Its service manager would start it again.
  await database.crash(() => expect(start()).rejects.toThrow('start ended with 1'));
  await again;
  const uploading = Promise.all(photos.slice(3).map(keep));
  expect((await s3.away(() => upload(second, photos[3] ?? ''))).error).not.toBeNull();
  await uploading;
  // The killed host starts again on its port, and then the other host is killed.
  const back = await start(new URL(hosts[0]?.url ?? '').port);
  await hosts[1]?.end('SIGKILL');

  const client = await connectTo(database.url);
  const { rows } = await client.query<{ park: number }>(
    'select park_id::int as park from public.favourite_parks where user_id = $1 order by 1',
    [id],
  );
  expect(rows.map(({ park }) => park)).toEqual(parks.toSorted((a, b) => a - b));
  for (const photo of photos) {
    const shown = await fetch(first.storage.from('users').getPublicUrl(photo).data.publicUrl);
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 80 });
  }
  await first.auth.signOut();
  expect((await first.auth.refreshSession({ refresh_token })).error).toMatchObject({ status: 400 });
  expect(await back.end('SIGTERM')).toBe(0);
});
