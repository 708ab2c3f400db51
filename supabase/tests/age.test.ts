// Tests that users who have not confirmed their age cannot write anything that other users see. Calls every function and table over
// HTTP.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { words } from '../../testing/seeded.ts';
import { startTestHost } from '../../testing/test-host.ts';

const host = await startTestHost({ RATE_LIMITS: 'off' });
const [ann, ben] = [await host.user('Ann'), await host.user('Ben')];
const park = await host.park();
const pet = { name: 'Pita', breed: 'mixed', gender: 'FEMALE', birthday: '2020-02-02' } as const;
const dogOf = async ({ client }: typeof ann) =>
  (await client.from('dogs').insert(pet).select('id').single()).data?.id ?? '';
const [dog, bens] = [await dogOf(ann), await dogOf(ben)];
const { data: secret } = await ben.client.rpc('make_dog_invite', {
  p_dog_id: bens,
  p_role: 'keeper',
});
await ann.client.rpc('accept_terms', { p_licence: true });
// Simulates a raised minimum age, after which users must confirm their age again.
await host.sql`update private.user_consents set age_confirmed_at = null where user_id = ${ann.id}`;

test('functions check the age before anything else, and those that do not check it show nothing new to others', async () => {
  const functions = await host.sql<{ name: string; inputs: string[] }>`
    select proname::text as name, (coalesce(proargnames, '{}'))[1:pronargs]::text[] as inputs from pg_proc
    where pronamespace = 'public'::regnamespace and provolatile = 'v' and proname <> 'confirm_age'
      and proname !~ '^(desk|town)_' and has_function_privilege('authenticated', oid, 'execute') order by 1`;
  const silent: string[] = [];
  for (const { name, inputs } of functions) {
    const nothing = Object.fromEntries(inputs.map((input) => [input, null]));
    const { error } = await ann.client.rpc(name as never, nothing as never);
    if (error?.message !== 'age_required') silent.push(name);
  }
  expect(silent).toEqual(
    words(`
      accept_terms api_cleanup_device_tokens ask_for_review block_user call_off_meeting
      cancel_friend_request check_out decline_friend_request delete_dog delete_review dog_invite
      dog_tag end_calendar_feed end_friend_codes end_my_session extend_stay found_dog hand_over_dog
      make_calendar_feed make_dog_invite mark_all_notifications_as_read
      mark_all_notifications_as_seen mark_notification_read offer_to_take_over open_desk
      park_company park_question remove_dog_carer remove_visit_photo report_app_error report_lost_card report_pack_time
      report_photo report_review report_user respond_to_park_question scan_friend_code search_users_with_dogs
      send_from_tag subscribe_to_push tag_answer tag_card unblock_user undo_check_in unfriend
    `),
  );
});

test('rows, files and the effects of functions for other users are rejected as well', async () => {
  const { client } = ann;
  const file = (folder: string) => `${folder}/${randomUUID()}.webp`;
  const upload = (bucket: string, path: string) =>
    client.storage.from(bucket).upload(path, new Blob(['RIFF']), { contentType: 'image/webp' });
  const writes = () =>
    Promise.all([
      client.from('dogs').insert(pet),
      client.from('dogs').update({ name: 'Bamba' }).eq('id', dog),
      client.from('users').update({ name: 'Anna' }).eq('id', ann.id),
      client.from('reviews').insert({ park_id: park, rank: 3 }),
      client.from('parks').update({ size: 5 }).eq('id', park),
      client.rpc('make_dog_invite', { p_dog_id: dog, p_role: 'keeper' }),
      client.rpc('hand_over_dog', { p_dog_id: dog, p_user_id: ben.id }),
      client.rpc('dog_invite', { p_secret: secret ?? '', p_request: true }),
      client.rpc('respond_to_park_question', { p_check_in_id: randomUUID(), p_value: 'yes' }),
      upload('users', file(`${ann.id}/dogs/${dog}/other`)),
      upload('pending-photos', file(`${park}/other`)),
    ]);
  const messages = async () => (await writes()).map(({ error }) => error?.message ?? '');
  const refused = /^(age_required|new row violates row-level security policy)$/;
  for (const message of await messages()) expect(message).toMatch(refused);
  await client.rpc('confirm_age');
  for (const message of await messages()) expect(message).not.toMatch(refused);
});
