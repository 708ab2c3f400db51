// Two hosts on one PostgreSQL and one S3 store, as docs/deploy.md sets several machines up: whichever is killed, nothing that was
// acknowledged is lost.
import { createClient } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import WebSocket from 'ws';
import { startPostgres15 } from '../../testing/postgres-15.ts';
import { startCli, temporaryData } from '../../testing/run-cli.ts';
import { startS3Server } from '../../testing/s3-server.ts';

test('two hosts are one service, and one goes on where the other or the database is killed', async () => {
  const [database, s3] = await Promise.all([startPostgres15(), startS3Server()]);
  const start = (port = '0') =>
    startCli({
      DATABASE_URL: database.url,
      DATA_DIR: temporaryData(),
      JWT_SECRET: 'a shared secret with at least 32 characters',
      DEMO: 'true',
      PORT: port,
      ...s3.environment,
    });
  // Both bring the schema to the same empty database.
  const hosts = await Promise.all([start(), start()]);
  const [{ anonKey }] = (await Promise.all(
    hosts.map(async ({ url }) => (await fetch(`${url}/config.json`)).json()),
  )) as [{ anonKey: string }, unknown];
  const clients = hosts.map(({ url }) =>
    createClient(url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    }),
  );
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
  const photo = `${id}/dogs/${String(dog.data?.id)}/other/${randomUUID()}.webp`;
  const bytes = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'red' } })
    .webp()
    .toBuffer();
  const { error } = await first.storage
    .from('users')
    .upload(photo, bytes, { contentType: 'image/webp' });
  expect(error).toBeNull();

  /** As a person does: one that does not answer is asked again, or the other. */
  const like = (park: number) =>
    vi.waitFor(
      async () => {
        const asked = clients.map((client) =>
          client
            .from('favourite_parks')
            .upsert({ user_id: id, park_id: park }, { ignoreDuplicates: true })
            .then(({ error }) => expect(error).toBeNull()),
        );
        await Promise.any(asked);
      },
      { timeout: 60_000, interval: 50 },
    );
  const [one, other] = [parks.slice(0, 20), parks.slice(20)];
  const liking = Promise.all(one.map(like));
  await hosts[0]?.end('SIGKILL');
  await liking;
  const again = Promise.all(other.map(like));
  await database.crash();
  await again;
  // The one that was killed is there again where it was, and the other goes.
  const back = await start(new URL(hosts[0]?.url ?? '').port);
  await hosts[1]?.end('SIGKILL');

  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ park: number }>(
    'select park_id::int as park from public.favourite_parks where user_id = $1 order by 1',
    [id],
  );
  expect(rows.map(({ park }) => park)).toEqual(parks.toSorted((a, b) => a - b));
  const shown = await fetch(first.storage.from('users').getPublicUrl(photo).data.publicUrl);
  expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 80 });
  await first.auth.signOut();
  expect((await first.auth.refreshSession({ refresh_token })).error).toMatchObject({ status: 400 });
  expect(await back.end('SIGTERM')).toBe(0);
});
