// Tests that a session that used only the password of an account with a second factor has the access of an anonymous caller.
import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { words } from '../../testing/seeded.ts';
import { startTestHost, type Client } from '../../testing/test-host.ts';

const PASSWORD = 'correct horse';

const host = await startTestHost({ RATE_LIMITS: 'off' });
/** The session that enrolled the factor (aal2), and a later one that used only the password (aal1). */
const verified = host.client();
const passwordOnly = host.client();
const account = { email: 'ann@example.test', password: PASSWORD };
const id = (await verified.auth.signUp(account)).data.user?.id ?? '';
await verified.rpc('accept_terms');
await verified.rpc('confirm_age');
const park = await host.park();
const { data: dog } = await verified
  .from('dogs')
  .insert({ name: 'Pita', breed: 'mixed', gender: 'FEMALE', birthday: '2020-02-02' })
  .select('id')
  .single();
await verified.rpc('check_in', { p_park_id: park });
await verified.rpc('save_review', { p_park_id: park, p_title: '', p_content: '', p_rank: 5 });
await verified.from('favourite_parks').insert({ park_id: park });
const friend = await host.user('Friend');
await friend.client.rpc('send_friend_request', { p_user_id: id });
await verified.rpc('accept_friend_request', { p_user_id: friend.id });
const photo = `${id}/dogs/${dog?.id}/primary/p-0b6e7c1e-58a0-4c3b-9d5e-3f1c2a4b5d6e.webp`;
await host.sql(`insert into storage.objects (bucket_id, name) values ('users', $1)`, [photo]);

const { data: factor } = await verified.auth.mfa.enroll({ factorType: 'totp' });
const secret = new URL(factor?.totp.uri ?? '').searchParams.get('secret') ?? '';
const code = new TOTP({ secret }).generate();
const challenge = await verified.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code });
expect(challenge.error).toBeNull();
const { data } = await passwordOnly.auth.signInWithPassword(account);
expect(decodeJwt(data.session?.access_token ?? '').aal).toBe('aal1');

test('with only the password, functions with effects fail with the reason', async () => {
  const refused = { code: '42501', message: 'second_factor_required' };
  expect((await passwordOnly.rpc('check_in', { p_park_id: park })).error).toMatchObject(refused);
  expect((await passwordOnly.rpc('my_consents')).error).toMatchObject(refused);
  const ended = await passwordOnly.rpc('end_my_session', { p_session_id: id });
  expect(ended.error).toMatchObject(refused);
  expect((await passwordOnly.rpc('block_user', { p_user_id: id })).status).toBe(403);
});

test('with only the password, public functions and views return the same as to an anonymous caller', async () => {
  const asAnonymous = (await host.client().rpc('park_status', { p_park_id: park })).data;
  expect((await passwordOnly.rpc('park_status', { p_park_id: park })).data).toEqual(asAnonymous);
  expect((await verified.rpc('park_status', { p_park_id: park })).data).not.toEqual(asAnonymous);
  expect((await passwordOnly.from('park_reviews').select('mine')).data).toEqual([{ mine: false }]);
  expect((await passwordOnly.from('parks').select('id').eq('id', park)).data).toEqual([
    { id: park },
  ]);
});

test('with only the password, public functions and views return nothing about the user', async () => {
  expect((await passwordOnly.from('friends').select('user_id')).data).toEqual([]);
  expect((await verified.from('friends').select('user_id')).data).toHaveLength(1);
  expect((await passwordOnly.rpc('my_reviews')).data).toEqual([]);
  expect((await passwordOnly.rpc('my_check_in')).data).toEqual([]);
  expect((await passwordOnly.rpc('my_sessions')).data).toEqual([]);
  expect((await passwordOnly.rpc('user_page', { p_user_id: id })).data).toBeNull();
});

test('a signed upload URL has the access of the session that created it', async () => {
  const path = photo.replace('/primary/p-0', '/other/p-1');
  const users = (client: Client) => client.storage.from('users');
  expect((await users(passwordOnly).createSignedUploadUrl(path)).error).not.toBeNull();
  const { data } = await users(verified).createSignedUploadUrl(path);
  const red = { width: 1, height: 1, channels: 3, background: 'red' } as const;
  const picture = await sharp({ create: red }).webp().toBuffer();
  const anyone = users(host.client());
  const { error } = await anyone.uploadToSignedUrl(path, data?.token ?? '', picture, {
    contentType: 'image/webp',
  });
  expect(error).toBeNull();
});

test.each(['export-my-data', 'delete-user'])('%s refuses', async (name) => {
  const { error } = await passwordOnly.functions.invoke(name, { method: 'POST', body: { id } });
  expect((error as { context?: Response } | null)?.context?.status).toBe(403);
});

test('every table, function and view checks the second factor', async () => {
  const names = async (sql: string) =>
    (await host.sql<{ name: string }>(`${sql} order by 1`)).map((row) => row.name);
  expect(
    await names(`select c.relname::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
        select from pg_policy p where p.polrelid = c.oid and not p.polpermissive and p.polcmd = '*')`),
  ).toEqual(['park_photos', 'park_translations', 'parks', 'removed_parks']);
  expect(
    await names(`select p.proname::text as name from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosrc like '%auth.uid()%'`),
  ).toEqual(
    words(`
      audit_each check_name check_review claim_idempotency_key find_users limit_dogs limit_favourites
      limit_photos limit_rate lock_pair my_role reject_limited_owner require_role require_user
      second_factor_done store_idempotent_result sync_park_photos uid
    `),
  );
  expect(
    await names(
      `select viewname::text as name from pg_views where schemaname = 'public' and definition like '%auth.uid()%'`,
    ),
  ).toEqual([]);
});

test('realtime sends nothing with only the password, and everything after the second factor', async () => {
  const heard = async (client: Client) => {
    const { data } = await client.auth.getSession();
    await client.realtime.setAuth(data.session?.access_token ?? null);
    const changes: unknown[] = [];
    const states: string[] = [];
    client
      .channel('second-factor')
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'notifications', filter: `receiver_id=eq.${id}` },
        (change) => changes.push(change.new),
      )
      .subscribe((state) => states.push(state));
    await vi.waitFor(() => expect(states).toContain('SUBSCRIBED'), 20_000);
    return changes;
  };
  const [withPassword, withBoth] = [await heard(passwordOnly), await heard(verified)];
  const stranger = await host.user('Stranger');
  await stranger.client.rpc('send_friend_request', { p_user_id: id });
  await vi.waitFor(
    () => expect(withBoth).toContainEqual(expect.objectContaining({ is_ready: true })),
    20_000,
  );
  // Messages are sent in order, so a message to the session with only the password would arrive before the response to this join.
  const fence = await new Promise((resolve) => passwordOnly.channel('fence').subscribe(resolve));
  expect(fence).toBe('SUBSCRIBED');
  expect(withPassword).toEqual([]);
  for (const client of [passwordOnly, verified]) {
    await client.removeAllChannels();
    await client.realtime.disconnect();
  }
});
