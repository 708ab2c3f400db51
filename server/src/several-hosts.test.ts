// Several hosts as several machines run them: three starts race on one empty database, and then are one service.
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import WebSocket from 'ws';
import { startCli, temporaryData } from '../../testing/run-cli.ts';

const SECRET = 'a shared secret with at least 32 characters';

test('three starts on one empty database: one schema, one demo, and a session of one host holds on all', async () => {
  const admin = new pg.Client(inject('adminConnection'));
  await admin.connect();
  await admin.query('create database three_hosts');
  const DATABASE_URL = inject('adminConnection').replace('/postgres?', '/three_hosts?');
  const hosts = await Promise.all(
    [1, 2, 3].map(() =>
      startCli({ DATABASE_URL, DATA_DIR: temporaryData(), JWT_SECRET: SECRET, DEMO: 'true' }),
    ),
  );
  const { anonKey } = (await (await fetch(`${hosts[0]?.url}/config.json`)).json()) as {
    anonKey: string;
  };
  const [first, second, third] = hosts.map((host) =>
    createClient(host.url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    }),
  );

  const signedUp = await first?.auth.signUp({
    email: 'ann@example.test',
    password: 'correct horse',
  });
  const session = signedUp?.data.session;
  const id = session?.user.id ?? '';
  await second?.auth.setSession({
    access_token: session?.access_token ?? '',
    refresh_token: session?.refresh_token ?? '',
  });
  const read = await second?.from('users').select('id').eq('id', id).single();
  expect(read?.data).toEqual({ id });
  const parks = await third?.from('parks').select('id', { count: 'exact', head: true });
  expect(parks?.count).toBe(40);

  await second?.auth.signOut();
  const refresh_token = session?.refresh_token ?? '';
  const late = await third?.auth.refreshSession({ refresh_token });
  expect(late?.error).toMatchObject({ status: 400 });

  expect(await Promise.all(hosts.map((host) => host.end('SIGTERM')))).toEqual([0, 0, 0]);
  await admin.query('drop database three_hosts with (force)');
  await admin.end();
});
