// What is frozen about the rules: who may call what and reach which columns, and that nothing is left without rules.
import { expect, test } from 'vitest';
import { createFixtures } from './fixtures.ts';

const fixtures = await createFixtures();

const list = async (sql: string) =>
  (
    await fixtures.admin.rows<{ line: string }>(
      `select line::text from (${sql}) lines order by line::text collate "C"`,
    )
  ).map((row) => row.line);

const executableBy = (role: string, schema: string) =>
  list(`select p.proname as line from pg_proc p
    where p.pronamespace = '${schema}'::regnamespace and has_function_privilege('${role}', p.oid, 'execute')`);

test('every table has row-level security', async () => {
  expect(
    await list(`select c.oid::regclass::text as line from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind in ('r', 'p') and not c.relrowsecurity`),
  ).toEqual([]);
});

test('every view is a barrier', async () => {
  expect(
    await list(`select c.relname as line from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
      and not coalesce('security_barrier=true' = any (c.reloptions), false)`),
  ).toEqual([]);
});

test("every function that runs with its owner's rights looks names up nowhere", async () => {
  expect(
    await list(`select p.oid::regprocedure::text as line from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosecdef
      and not coalesce('search_path=""' = any (p.proconfig), false)`),
  ).toEqual([]);
});

test('every foreign key has an index', async () => {
  // But for the list of kinds: its rows never go.
  expect(
    await list(`select k.conrelid::regclass || '.' || k.conname as line from pg_constraint k
      where k.contype = 'f' and k.confrelid <> 'private.notification_kinds'::regclass and k.connamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indpred is null
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`),
  ).toEqual([]);
});

test('nothing of ours is executable by everybody', async () => {
  expect([
    ...(await executableBy('public', 'public')),
    ...(await executableBy('public', 'private')),
  ]).toEqual([]);
});

test('what anonymous callers may call', async () => {
  expect(await executableBy('anon', 'public')).toMatchInlineSnapshot(`
    [
      "former_park",
      "live_counts",
      "mail_is_late",
      "park_cards",
      "park_company",
      "park_pack_times",
      "park_status",
      "report_app_error",
      "search_users_with_dogs",
      "suggest_places",
    ]
  `);
  expect(await executableBy('anon', 'private')).toMatchInlineSnapshot(`
    [
      "blocked_ids",
      "busy_level",
      "day_start",
      "is_park_list",
      "known_ids",
      "listed_block_ids",
      "park_day",
      "park_time",
      "quarter_hour",
      "shown_confirmations",
      "time_zone",
      "uid",
    ]
  `);
});

test('what users may call', async () => {
  expect(await executableBy('authenticated', 'public')).toMatchInlineSnapshot(`
    [
      "accept_friend_request",
      "accept_terms",
      "add_hazard_photo",
      "answer_pack_time",
      "answer_park_question",
      "api_cleanup_device_tokens",
      "ask_for_review",
      "block_user",
      "call_off_meeting",
      "cancel_friend_request",
      "check_in",
      "check_out",
      "confirm_age",
      "confirm_condition",
      "decline_friend_request",
      "delete_dog",
      "delete_review",
      "desk_allow_download",
      "desk_app_errors",
      "desk_audit_log",
      "desk_back_up",
      "desk_change_park",
      "desk_claim",
      "desk_counts",
      "desk_decide",
      "desk_decide_many",
      "desk_decisions",
      "desk_imports",
      "desk_lift_measure",
      "desk_members",
      "desk_next",
      "desk_numbers",
      "desk_people",
      "desk_person",
      "desk_queue",
      "desk_release",
      "desk_remove_factors",
      "desk_send_test_mail",
      "desk_take_measure",
      "desk_undo",
      "desk_undo_import",
      "end_calendar_feed",
      "end_condition",
      "end_my_session",
      "extend_stay",
      "favourites_of",
      "former_park",
      "friends_now",
      "friends_of",
      "inform_city",
      "invite_to_park",
      "live_counts",
      "mail_is_late",
      "make_calendar_feed",
      "make_pack_time",
      "mark_all_notifications_as_read",
      "mark_all_notifications_as_seen",
      "mark_notification_read",
      "my_blocks",
      "my_calendar_feed",
      "my_check_in",
      "my_consents",
      "my_contributions",
      "my_meetings",
      "my_reviews",
      "my_role",
      "my_sessions",
      "open_desk",
      "park_cards",
      "park_company",
      "park_pack_times",
      "park_question",
      "park_status",
      "report_app_error",
      "report_condition",
      "report_hazard",
      "report_pack_time",
      "report_photo",
      "report_review",
      "report_user",
      "respond_to_invite",
      "save_review",
      "search_users_with_dogs",
      "send_friend_request",
      "submit_park",
      "suggest_park_details",
      "suggest_places",
      "unblock_user",
      "unfriend",
      "user_page",
      "user_reviews",
    ]
  `);
  expect(await executableBy('authenticated', 'private')).toMatchInlineSnapshot(`
    [
      "are_park_facts",
      "blocked_ids",
      "busy_level",
      "day_start",
      "friend_ids",
      "is_moderator",
      "is_park_list",
      "is_photo_name",
      "known_ids",
      "listed_block_ids",
      "may_add_dog_photo",
      "may_add_park_photo",
      "may_see_folder_of",
      "may_see_photo_of_dog",
      "park_day",
      "park_fact_kinds",
      "park_time",
      "quarter_hour",
      "second_factor_done",
      "shown_confirmations",
      "submitted_park_ids",
      "time_zone",
      "uid",
      "uploaded_photo_paths",
    ]
  `);
});

test('what the service may call', async () => {
  expect(await executableBy('service_role', 'public')).toMatchInlineSnapshot(`
    [
      "calendar_of",
      "choose_primary_photo",
      "claim_photo_moves",
      "claim_pushes",
      "claim_service_slot",
      "delete_user_data",
      "desk_allow_download",
      "desk_app_errors",
      "desk_audit_log",
      "desk_back_up",
      "desk_change_park",
      "desk_claim",
      "desk_counts",
      "desk_decide",
      "desk_decide_many",
      "desk_decisions",
      "desk_imports",
      "desk_lift_all_measures",
      "desk_lift_measure",
      "desk_members",
      "desk_next",
      "desk_numbers",
      "desk_people",
      "desk_person",
      "desk_queue",
      "desk_release",
      "desk_remove_factors",
      "desk_send_test_mail",
      "desk_set_role",
      "desk_take_measure",
      "desk_undo",
      "desk_undo_import",
      "export_user_page",
      "finish_photo_move",
      "finish_push",
      "finish_user_deletion",
      "limit_service_share",
      "my_role",
      "open_desk",
      "open_parks",
      "park_list_published",
      "park_now",
      "parks_for_publishing",
      "stale_park_list",
      "unfinished_user_deletions",
    ]
  `);
});

test('what anonymous callers and users may do with which columns', async () => {
  expect(
    await list(`select grantee || ': ' || privilege || ' ' || relation || case when columns is not distinct from all_columns then '' else ' (' || array_to_string(columns, ', ') || ')' end as line
      from (
        select g.grantee::text, lower(g.privilege_type) as privilege, g.table_name::text as relation,
          array_agg(g.column_name::text order by g.column_name) as columns,
          (select array_agg(a.column_name::text order by a.column_name) from information_schema.columns a where a.table_schema = 'public' and a.table_name = g.table_name) as all_columns
        from information_schema.column_privileges g
        where g.table_schema = 'public' and g.grantee in ('anon', 'authenticated', 'PUBLIC') and g.privilege_type in ('SELECT', 'INSERT', 'UPDATE')
        group by g.grantee, g.privilege_type, g.table_name
        union all
        select grantee, 'delete', table_name, null, null from information_schema.table_privileges
        where table_schema = 'public' and grantee in ('anon', 'authenticated', 'PUBLIC') and privilege_type = 'DELETE'
      ) granted`),
  ).toMatchInlineSnapshot(`
    [
      "anon: select park_conditions",
      "anon: select park_hazards",
      "anon: select park_photos",
      "anon: select park_reviews",
      "anon: select park_translations",
      "anon: select parks",
      "authenticated: delete blocks",
      "authenticated: delete device_tokens",
      "authenticated: delete favourite_parks",
      "authenticated: delete reviews",
      "authenticated: insert device_tokens",
      "authenticated: insert dogs (birthday, breed, description, dislikes, energy, gender, id, likes, name, owner, possessive, size, temperament)",
      "authenticated: insert favourite_parks (park_id, user_id)",
      "authenticated: insert notifications_preferences",
      "authenticated: insert reviews (anonymous, author, content, park_id, rank, title)",
      "authenticated: select blocks",
      "authenticated: select check_in_dogs",
      "authenticated: select check_ins",
      "authenticated: select device_tokens",
      "authenticated: select dogs",
      "authenticated: select favourite_parks",
      "authenticated: select friend_requests",
      "authenticated: select friends",
      "authenticated: select notifications",
      "authenticated: select notifications_preferences",
      "authenticated: select own_changes",
      "authenticated: select park_conditions",
      "authenticated: select park_hazards",
      "authenticated: select park_invites",
      "authenticated: select park_photos",
      "authenticated: select park_reviews",
      "authenticated: select park_suggestions",
      "authenticated: select park_translations",
      "authenticated: select parks",
      "authenticated: select reviews",
      "authenticated: select user_roles",
      "authenticated: select users",
      "authenticated: update device_tokens",
      "authenticated: update dogs (birthday, breed, description, dislikes, energy, gender, likes, name, possessive, size, temperament)",
      "authenticated: update notifications_preferences",
      "authenticated: update parks (has_facilities, materials, shade, size)",
      "authenticated: update reviews (anonymous, content, rank, title)",
      "authenticated: update users (hidden, language, name, show_favourites, show_friends, theme)",
    ]
  `);
});
