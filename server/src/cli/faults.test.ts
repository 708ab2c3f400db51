// Host and database killed at random moments while people sign up, upload, check in, befriend and delete their account:
// nothing acknowledged is lost, nothing half-done stays.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { startPushService } from '../../../testing/push-service.ts';
import {
  killServer,
  migratedData,
  startCli,
  type RunningCommand,
} from '../../../testing/run-cli.ts';
import { socketConnection } from '#/host/db/cluster.ts';
import { openDatabase } from '#/host/db/database.ts';
import { readSettings } from '#/product/settings.ts';
import { createTokens } from '#/host/lib/tokens.ts';
import { createStorageContext } from '#/host/storage/context.ts';
import { removeLeftovers, sweepBytes } from '#/host/storage/sweep.ts';
import type { Database } from '../../../shared/database.types.ts';

const ROUNDS = 4;
const password = 'a long enough password';

/** What people were told had worked. */
interface Acknowledged {
  accounts: string[];
  photos: string[];
  checkIns: { id: string; user: string }[];
  devices: Set<string>;
  requests: { from: string; to: string }[];
  deleted: string[];
  /** Asked for; whether it was done is not known. */
  deletionAsked: Set<string>;
}

function connect(url: string, key: string): SupabaseClient<Database> {
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
}

/** One person's whole life, noted step by step; any step may fail because something was just killed. */
async function live(
  url: string,
  key: string,
  picture: Buffer,
  friend: string | undefined,
  leaves: boolean,
  seen: Acknowledged,
): Promise<string | undefined> {
  const client = connect(url, key);
  const { data } = await client.auth.signUp({
    email: `${randomUUID()}@example.test`,
    password,
    options: { data: { full_name: 'Somebody', age_confirmed: true } },
  });
  const id = data.user?.id;
  if (!id) return undefined;
  seen.accounts.push(id);
  const dog = await client
    .from('dogs')
    .insert({ owner: id, name: 'Rex', breed: 'Mixed', gender: 'MALE', birthday: '2020-01-01' })
    .select('id')
    .single();
  if (dog.data) {
    const photo = `${id}/dogs/${dog.data.id}/other/${randomUUID()}.webp`;
    const { error } = await client.storage
      .from('users')
      .upload(photo, picture, { contentType: 'image/webp' });
    if (!error) seen.photos.push(photo);
  }
  const checkIn = await client.rpc('check_in', { p_park_id: 1, p_key: randomUUID() });
  const checkInId = (checkIn.data as { check_in_id?: string } | null)?.check_in_id;
  if (checkInId) seen.checkIns.push({ id: checkInId, user: id });
  const device = await client
    .from('device_tokens')
    .insert({ device_id: randomUUID(), platform: 'android', token: `token-of-${id}` });
  if (!device.error) seen.devices.add(id);
  if (friend !== undefined) {
    const { data: state } = await client.rpc('send_friend_request', { p_user_id: friend });
    if (state === 'outgoing') seen.requests.push({ from: id, to: friend });
  }
  if (!leaves) return id;
  seen.deletionAsked.add(id);
  const { error } = await client.functions.invoke('delete-user', { body: { id } });
  if (!error) seen.deleted.push(id);
  return undefined;
}

/** Sweeps as a host does in its own time; then the files that are there, and those that rows name. */
async function sweptFiles(environment: Record<string, string>, connection: string) {
  const database = openDatabase(connection);
  try {
    const context = await createStorageContext({
      settings: readSettings(environment),
      database,
      tokens: await createTokens('never used, but it must have 32 characters'),
    });
    await database.pool.query('update storage.deleted_bytes set due_at = now()');
    await sweepBytes(context);
    await removeLeftovers(context, Date.now() + 2 * 60 * 60_000);
    const bytes = path.join(environment.DATA_DIR ?? '', 'storage/bytes');
    const entries = await readdir(bytes, { recursive: true, withFileTypes: true });
    const { rows } = await database.pool.query<{ version: string }>(
      'select version from storage.objects',
    );
    return {
      there: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
      named: rows.map(({ version }) => version),
    };
  } finally {
    await database.close();
  }
}

// The official client prints each refused connection, of which there are many here.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterAll(() => vi.restoreAllMocks());

test('four rounds of kills', async () => {
  const data = migratedData();
  const fcm = await startPushService();
  const environment = {
    DATA_DIR: data,
    DEMO: 'false',
    AUTH_RATE_LIMIT: '1000000',
    ...fcm.settings,
  };
  const picture = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'tan' } })
    .webp()
    .toBuffer();
  const seen: Acknowledged = {
    accounts: [],
    photos: [],
    checkIns: [],
    devices: new Set(),
    requests: [],
    deleted: [],
    deletionAsked: new Set(),
  };

  let host: RunningCommand = await startCli(environment);
  const { anonKey } = (await (await fetch(`${host.url}/config.json`)).json()) as {
    anonKey: string;
  };
  const client = new pg.Client(socketConnection(path.join(data, 'run'), 'packpark'));
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    `insert into public.parks (id, lat, long, status) values (1, 32.1, 34.8, 'approved')`,
  );
  await client.end();

  let going = true;
  const people = [0, 1, 2].map(async (worker) => {
    let friend: string | undefined;
    for (let turn = 0; going; turn += 1) {
      const leaves = (turn + worker) % 3 === 2;
      const next = await live(host.url, anonKey, picture, friend, leaves, seen).catch(
        () => undefined,
      );
      friend = next ?? friend;
      if (next === undefined) await delay(20);
    }
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = seen.accounts.length;
    await vi.waitFor(() => expect(seen.accounts.length).toBeGreaterThan(before + 4), 60_000);
    await delay(Math.random() * 200);
    if (round % 2 === 0) {
      killServer(data, 'SIGKILL');
    } else {
      await host.end('SIGKILL');
      host = await startCli(environment);
    }
  }
  const after = seen.accounts.length;
  const stays = (id: string) => !seen.deletionAsked.has(id);
  const ownerOf = (name: string) => name.split('/')[0] ?? '';
  const pushed = () =>
    seen.requests.filter(({ from, to }) => stays(from) && stays(to) && seen.devices.has(to));
  // On a slow machine a round may hold little more than what was just being done: enough of each is waited for.
  await vi.waitFor(() => {
    expect(seen.accounts.length).toBeGreaterThan(after + 4);
    expect(seen.photos.filter((name) => stays(ownerOf(name))).length).toBeGreaterThan(9);
    expect(seen.checkIns.filter(({ user }) => stays(user)).length).toBeGreaterThan(9);
    expect(pushed().length).toBeGreaterThan(6);
  }, 60_000);
  going = false;
  await Promise.all(people);
  // A last start finishes what was cut off.
  await host.end('SIGKILL');
  host = await startCli(environment);

  const looking = new pg.Client(socketConnection(path.join(data, 'run'), 'packpark'));
  looking.on('error', () => undefined);
  await looking.connect();
  // What a killed host had leased comes due at once instead of in a minute.
  await looking.query('update private.jobs set due_at = now()');
  const column = async (text: string): Promise<string[]> =>
    (await looking.query<{ x: string }>(text)).rows.map((row) => row.x);
  await vi.waitFor(
    async () =>
      expect(await column('select user_id::text as x from private.user_deletions')).toEqual([]),
    60_000,
  );
  await vi.waitFor(
    async () =>
      expect(
        await column(`select id::text as x from private.jobs where kind = 'send-push'`),
      ).toEqual([]),
    60_000,
  );

  const accounts = new Set(await column('select id::text as x from auth.users'));
  const profiles = new Set(await column('select id::text as x from public.users'));
  const objects = new Set(await column('select name as x from storage.objects'));

  expect(
    seen.accounts.filter(stays).filter((id) => !accounts.has(id) || !profiles.has(id)),
  ).toEqual([]);
  expect(seen.deleted.filter((id) => accounts.has(id) || profiles.has(id))).toEqual([]);
  // A deletion that was cut off is done whole, or was never begun.
  expect([...seen.deletionAsked].filter((id) => accounts.has(id) !== profiles.has(id))).toEqual([]);
  expect([...accounts].filter((id) => !profiles.has(id))).toEqual([]);
  expect(
    [...objects].filter((name) => !name.startsWith('parks-') && !profiles.has(ownerOf(name))),
  ).toEqual([]);

  const photos = seen.photos.filter((name) => stays(ownerOf(name)));
  expect(photos.length).toBeGreaterThan(5);
  for (const name of objects) {
    const bucket = name.startsWith('parks-') ? 'parks' : 'users';
    const response = await fetch(`${host.url}/storage/v1/object/public/${bucket}/${name}`);
    expect([name, response.status]).toEqual([name, 200]);
    await response.arrayBuffer();
  }
  expect(photos.filter((name) => !objects.has(name))).toEqual([]);
  // No file is left of an upload that was cut off, nor of a person who is gone.
  await vi.waitFor(async () => {
    const { there, named } = await sweptFiles(
      environment,
      socketConnection(path.join(data, 'run'), 'packpark'),
    );
    expect(there.sort()).toEqual(named.sort());
  }, 60_000);

  const checkIns = new Set(await column('select id::text as x from public.check_ins'));
  const ofThoseWhoStay = seen.checkIns.filter(({ user }) => stays(user));
  expect(ofThoseWhoStay.length).toBeGreaterThan(5);
  expect(ofThoseWhoStay.filter(({ id }) => !checkIns.has(id))).toEqual([]);

  // Every acknowledged request reached the phone; one that was sent again carries the same tag and is shown once.
  const shown = new Map<string, Set<string>>();
  for (const { url, body } of fcm.requests.filter((asked) => asked.url.pathname !== '/token')) {
    expect(url.pathname).toBe('/v1/projects/packpark-test/messages:send');
    const { message } = JSON.parse(body) as {
      message: { token: string; android: { notification: { tag: string } } };
    };
    const tags = shown.get(message.token) ?? new Set();
    shown.set(message.token, tags.add(message.android.notification.tag));
  }
  expect(pushed().length).toBeGreaterThan(3);
  for (const to of new Set(pushed().map((request) => request.to))) {
    const requests = pushed().filter((request) => request.to === to).length;
    expect(shown.get(`token-of-${to}`)?.size ?? 0).toBeGreaterThanOrEqual(requests);
  }
  await looking.end();
  await fcm.close();
}, 480_000);
