-- Carries a database that has the 39 steps of before the baseline (the last one is 20261121006040) over to the baseline, with
-- all of its rows: afterwards it is what the baseline makes, and supabase_migrations.schema_migrations says so.
-- The host runs this by itself. On the Supabase platform: psql --single-transaction -v ON_ERROR_STOP=1 -f, see docs/deploy.md.

do $$
declare
  expected text[] := array[
    '20261121000100', '20261121000200', '20261121000300', '20261121000400', '20261121000500', '20261121000600',
    '20261121000700', '20261121000800', '20261121000900', '20261121001000', '20261121001100', '20261121001200',
    '20261121001300', '20261121001400', '20261121001500', '20261121001600', '20261121001700', '20261121001800',
    '20261121002000', '20261121002100', '20261121002200', '20261121002300', '20261121002400', '20261121002500',
    '20261121002600', '20261121002700', '20261121003000', '20261121003100', '20261121003200', '20261121003300',
    '20261121003400', '20261121003500', '20261121003600', '20261121003700', '20261121004000', '20261121004010',
    '20261121005000', '20261121006000', '20261121006040'
  ];
  applied text[] := array(select version from supabase_migrations.schema_migrations);
begin
  if not (applied @> expected and expected @> applied) then
    raise exception 'This database has % of the 39 steps that come before the baseline, and % others: bring it to the last of the 39 first (check out the commit 26f1ee5 and run "npx packpark migrate" or "supabase db push" there), then carry it over.',
      cardinality(array(select unnest(expected) intersect select unnest(applied))),
      cardinality(array(select unnest(applied) except select unnest(expected)));
  end if;
end
$$;

-- Tables ---------------------------------------------------------------------------------------------------------

create temporary table moved_idempotency_keys on commit drop as select * from private.idempotency_keys;
drop table private.idempotency_keys;
create table private.idempotency_keys (
  user_id uuid not null,
  key uuid not null,
  operation text not null,
  result jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
comment on table private.idempotency_keys is 'Results of mutations with a key: a second call with the same key gets the first result and changes nothing.';
alter table private.idempotency_keys enable row level security;
insert into private.idempotency_keys
select user_id, key, what, answer, created_at from moved_idempotency_keys;
drop table moved_idempotency_keys;

create index on private.idempotency_keys (created_at);

create temporary table moved_rate_limits on commit drop as select * from private.rates;
drop table private.rates;
create table private.rate_limits (
  user_id uuid not null,
  operation text not null,
  window_start timestamptz not null default now(),
  count integer not null default 1,
  primary key (user_id, operation)
);
comment on table private.rate_limits is 'How often a user did something in the current window; see private.limit_rate.';
alter table private.rate_limits enable row level security;
insert into private.rate_limits
select user_id, what, since, count from moved_rate_limits;
drop table moved_rate_limits;

create temporary table moved_service_slots on commit drop as select * from private.outside_turns;
drop table private.outside_turns;
create table private.service_slots (
  service text primary key,
  next_at timestamptz not null default '-infinity',
  day date,
  calls integer not null default 0
);
comment on table private.service_slots is 'When the next call to an external service may be made. One row a service, because its limits are for all our users together: all hosts, and all functions on the platform, share it.';
comment on column private.service_slots.calls is 'Calls on that day (UTC): services also limit the day.';
alter table private.service_slots enable row level security;
insert into private.service_slots
select service, next_at, day, used from moved_service_slots;
drop table moved_service_slots;

-- Names ----------------------------------------------------------------------------------------------------------

alter function private.condition_lasts(public.park_condition) rename to condition_duration;
alter function private.forget_hidden_review() rename to clear_hidden_review;
alter function private.hand_device_over() rename to reassign_device_token;
alter function private.has_turned_to_me(uuid) rename to has_contacted_caller;
alter function private.isolated(text) rename to isolate_direction;
alter function private.keep_park_photos() rename to sync_park_photos;
alter function private.keep_review_hidden() rename to hide_resubmitted_review;
alter function private.likeness(text, text) rename to name_similarity;
alter function private.make_ready() rename to publish_notification;
alter function private.make_user() rename to create_user;
alter function private.may_give_photo(text) rename to may_add_park_photo;
alter function private.me() rename to require_user;
alter function private.note_device_session() rename to record_device_session;
alter function private.note_park_list_change() rename to mark_park_list_changed;
alter function private.part_blocked() rename to end_friendship_on_block;
alter function private.silence_blocked() rename to delete_notifications_on_block;
alter function private.tell_of_friendship() rename to notify_of_friendship;
alter function private.tell_of_invite() rename to notify_of_invite;
alter function private.withdraw_invites() rename to delete_invites_on_block;
alter trigger forget_hidden_review on public.reviews rename to clear_hidden_review;
alter trigger keep_review_hidden on public.reviews rename to hide_resubmitted_review;
alter trigger hand_device_over on public.device_tokens rename to reassign_device_token;
alter trigger note_device_session on public.device_tokens rename to record_device_session;
alter trigger make_ready on public.notifications rename to publish_notification;
alter trigger note_park_list_change on public.parks rename to mark_park_list_changed;
alter trigger note_park_list_growth on public.parks rename to mark_park_list_count_changed;
alter trigger note_park_list_change on public.park_translations rename to mark_park_list_changed;
alter trigger part_blocked on public.blocks rename to end_friendship_on_block;
alter trigger silence_blocked on public.blocks rename to delete_notifications_on_block;
alter trigger withdraw_invites on public.blocks rename to delete_invites_on_block;
alter trigger tell_of_friendship on private.friendships rename to notify_of_friendship;
alter trigger tell_of_invite on public.park_invites rename to notify_of_invite;
alter policy "users see the photos they gave" on public.park_photos rename to "users see the photos they uploaded";

-- Dropped and made anew, not renamed: on the Supabase platform these tables have another owner, who lets us do just that.
drop trigger keep_park_photos on storage.objects;
drop trigger make_user on auth.users;
drop trigger make_confirmed_user on auth.users;
drop policy "users give photos to parks" on storage.objects;
drop policy "users take their own photos of parks back" on storage.objects;
drop policy "what is public of parks is listed" on storage.objects;

-- Functions ------------------------------------------------------------------------------------------------------

drop function private.begin_once(uuid, text), private.end_once(uuid, jsonb), private.limit_rate(text, integer, interval),
  private.short_time(timestamptz, public.language), public.claim_outside_turn(text, integer, integer, integer);
drop trigger remember_hidden_review on public.reviews;

create or replace function private.uid() returns uuid
language sql stable security definer set search_path = ''
as $$
  select case when private.second_factor_done() then auth.uid() end
$$;
comment on function private.uid is 'The caller''s id for what only this user may see; null for anonymous callers, and before the second factor.';

create function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- The name of a user who gave none; the time of a meeting, for to_char; and the title and message of each notification,
  -- for format(): %1$s is the sender, %2$s the park and %3$s the time.
  -- The pattern of a time has a word in right-to-left languages: digits alone would be laid out from left to right.
  return case p_language::text
    when 'he' then $he${
      "new_user": "מהלהקה",
      "time": "FMDD.FMMM \"בשעה\" HH24:MI",
      "friendRequest": ["בקשת חברות חדשה", "התקבלה בקשת חברות מאת %1$s"],
      "friendApproval": ["בקשת החברות אושרה", "עכשיו אתם חברים של %1$s"],
      "parkInvite": ["הזמנה לגינת כלבים", "הזמנה מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.accepted": ["אישור הגעה", "נפגשים! אישור מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.declined": ["לא הפעם", "הפעם בלי %1$s: %2$s, %3$s"]
    }$he$
    when 'ar' then $ar${
      "new_user": "من رفاقنا",
      "time": "FMDD/FMMM \"الساعة\" HH24:MI",
      "friendRequest": ["طلب صداقة جديد", "وصلكم طلب صداقة من %1$s"],
      "friendApproval": ["تم قبول طلب الصداقة", "أصبحتم أنتم و%1$s أصدقاء"],
      "parkInvite": ["دعوة إلى حديقة الكلاب", "دعوة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.accepted": ["تم قبول الدعوة", "نلتقي هناك! ردّ بالموافقة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.declined": ["ليس هذه المرة", "اعتذار عن الدعوة من %1$s: %2$s، %3$s"]
    }$ar$
    else $en${
      "new_user": "From the pack",
      "time": "FMDD Mon, HH24:MI",
      "friendRequest": ["New friend request", "%1$s wants to be your friend"],
      "friendApproval": ["Friend request accepted", "You and %1$s are now friends"],
      "parkInvite": ["Meet at the park?", "%1$s invites you to %2$s, %3$s"],
      "parkInviteResponse.accepted": ["See you at the park", "%1$s is coming to %2$s, %3$s"],
      "parkInviteResponse.declined": ["Not this time", "%1$s cannot come to %2$s, %3$s"]
    }$en$
  end::jsonb;
end
$texts$;
comment on function private.texts is 'What the database says in a language, as one object with the same keys for each language.';

create or replace function private.isolate_direction(p_text text) returns text
language sql immutable set search_path = ''
as $$
  -- A Hebrew name in an English sentence must not reverse the sentence: FSI ... PDI. No such marks within: a name that
  -- brings its own could close the isolation and reverse the rest of the message.
  select U&'\2068' || translate(p_text, U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', '') || U&'\2069'
$$;

create function private.claim_idempotency_key(p_key uuid, p_operation text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  existing private.idempotency_keys;
begin
  if p_key is null then
    return null;
  end if;
  -- A concurrent second call waits here for the first one's transaction: then it finds the result, or starts anew after a rollback.
  insert into private.idempotency_keys (user_id, key, operation) values ((select auth.uid()), p_key, p_operation)
  on conflict do nothing;
  if found then
    return null;
  end if;
  select * into existing from private.idempotency_keys k where k.user_id = (select auth.uid()) and k.key = p_key;
  if existing.operation is distinct from p_operation then
    perform private.fail('invalid_input', 'This key was already used for something else.');
  end if;
  return existing.result;
end
$$;
comment on function private.claim_idempotency_key is 'The stored result of a key, or null when the operation is to be carried out now.';

create function private.store_idempotent_result(p_key uuid, p_result jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  if p_key is not null then
    update private.idempotency_keys k set result = p_result where k.user_id = (select auth.uid()) and k.key = p_key;
  end if;
  return p_result;
end
$$;
comment on function private.store_idempotent_result is 'Stores the result for further calls with the key, and returns it.';

create function private.limit_rate(p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  used integer;
begin
  insert into private.rate_limits as r (user_id, operation) values ((select auth.uid()), p_operation)
  on conflict (user_id, operation) do update set
    count = case when r.window_start < now() - p_window then 1 else r.count + 1 end,
    window_start = case when r.window_start < now() - p_window then now() else r.window_start end
  returning r.count into used;
  if used > p_limit then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;
comment on function private.limit_rate is 'Refuses with too_many when the caller did this more than p_limit times in p_window.';

create function public.claim_service_slot(p_service text, p_per_second integer, p_max_waiting integer, p_per_day integer default null)
returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  slot timestamptz;
  asked_at timestamptz;
  today date;
  calls_today integer;
begin
  insert into private.service_slots (service) values (p_service) on conflict do nothing;
  select s.next_at, s.day, s.calls into slot, today, calls_today from private.service_slots s where s.service = p_service for update;
  -- Not now(): that is before the wait for others who locked the row.
  asked_at := clock_timestamp();
  if today is distinct from (asked_at at time zone 'utc')::date then
    today := (asked_at at time zone 'utc')::date;
    calls_today := 0;
  end if;
  if calls_today >= p_per_day then
    return -1;
  end if;
  slot := greatest(slot, asked_at);
  if slot - asked_at > make_interval(secs => p_max_waiting::double precision / p_per_second) then
    return null;
  end if;
  update private.service_slots s
  set next_at = slot + make_interval(secs => 1.0 / p_per_second), day = today, calls = calls_today + 1
  where s.service = p_service;
  return ceil(extract(epoch from slot - asked_at) * 1000);
end
$$;
comment on function public.claim_service_slot is 'Reserves the next call to a service: how many milliseconds to wait before making it; null when p_max_waiting calls wait already, -1 when p_per_day calls were made today.';

create or replace function private.create_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  given jsonb := coalesce(new.raw_user_meta_data, '{}');
  language public.language := case when given ->> 'language' = any (enum_range(null::public.language)::text[]) then given ->> 'language' else 'en' end;
  name text := btrim(left(btrim(regexp_replace(
    coalesce(nullif(btrim(given ->> 'full_name'), ''), given ->> 'name', ''), '[[:cntrl:]]', ' ', 'g')), 80));
begin
  -- An account that is confirmed again has its public half already.
  if exists (select from public.users u where u.id = new.id) then
    return null;
  end if;
  -- Apple may give no name; the part of the email before the @ is nobody's business.
  insert into public.users (id, name, language)
  values (new.id, coalesce(nullif(name, ''), private.texts(language) ->> 'new_user'), language);
  insert into private.user_consents (user_id, age_confirmed_at)
  values (new.id, case when given -> 'age_confirmed' = 'true' then now() end);
  return null;
end
$$;

create or replace function private.require_user() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid;
begin
  select u.id into me from public.users u where u.id = auth.uid();
  if me is null then
    perform private.fail('not_logged_in', 'Log in first.', '42501');
  end if;
  if not private.second_factor_done() then
    perform private.fail('second_factor_required', 'Give the code of the second factor first.', '42501');
  end if;
  return me;
end
$$;
comment on function private.require_user is 'The caller''s id; refuses when not logged in, before the second factor, or when the account is gone but its token is not.';

create or replace function private.require_consent() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  given private.user_consents;
begin
  select c.* into given from private.user_consents c where c.user_id = private.require_user();
  if given.terms_accepted_at is null then
    perform private.fail('terms_required', 'Accept the terms of use before the first post.');
  end if;
  if given.age_confirmed_at is null then
    perform private.fail('age_required', 'Confirm that you are old enough before the first post.');
  end if;
  return given.user_id;
end
$$;
comment on function private.require_consent is 'The caller''s id; refuses before the terms are accepted and the age is confirmed.';

create or replace function public.my_consents() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('age_confirmed', c.age_confirmed_at is not null, 'terms_accepted', c.terms_accepted_at is not null)
  from private.user_consents c where c.user_id = private.require_user()
$$;

create or replace function public.accept_terms() returns void
language sql volatile security definer set search_path = ''
as $$
  update private.user_consents c set terms_accepted_at = coalesce(c.terms_accepted_at, now()) where c.user_id = private.require_user()
$$;

create or replace function public.confirm_age() returns void
language sql volatile security definer set search_path = ''
as $$
  update private.user_consents c set age_confirmed_at = coalesce(c.age_confirmed_at, now()) where c.user_id = private.require_user()
$$;

create or replace function public.block_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  -- Only somebody the caller sees or heard from: otherwise my_blocks would reveal hidden users' names.
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_contacted_caller(p_user_id)) then
    insert into public.blocks (blocker, blocked) values (me, p_user_id) on conflict do nothing;
  end if;
end
$$;

create or replace function public.unblock_user(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.blocks b where b.blocker = private.require_user() and b.blocked = p_user_id
$$;

create or replace function private.end_friendship_on_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.friendships f
  where f.user_low = least(new.blocker, new.blocked) and f.user_high = greatest(new.blocker, new.blocked);
  return null;
end
$$;

create or replace function public.send_friend_request(p_user_id uuid, p_key uuid default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'send_friend_request');
  low uuid := least(me, p_user_id);
  high uuid := greatest(me, p_user_id);
  found_row private.friendships;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  if p_user_id is null or p_user_id = me then
    perform private.fail('invalid_input', 'A request goes to somebody else.');
  end if;
  if exists (select from public.blocks b where b.blocker = me and b.blocked = p_user_id) then
    perform private.fail('blocked', 'Unblock this user first.');
  end if;
  perform private.lock_pair(p_user_id);
  select f.* into found_row from private.friendships f where f.user_low = low and f.user_high = high;
  if found_row.status = 'accepted' then
    null; -- Nothing to do: friends already.
  elsif found_row.requester = p_user_id then
    -- Both want it, even when the caller once declined.
    update private.friendships f set status = 'accepted', accepted_at = now() where f.user_low = low and f.user_high = high;
    delete from private.declined_requests d where d.requester = p_user_id and d.receiver = me;
  elsif found_row.requester = me and private.may_see(p_user_id) then
    null; -- Asked already.
  else
    -- Also where a request is pending with somebody who hid since: if repeating it cost nothing, the caller could tell
    -- somebody who hides from somebody who left.
    perform private.limit_rate('send_friend_request', 50, '1 day');
    -- Somebody who blocked or hides, and somebody who does not exist, all look like success: the caller cannot tell them apart.
    if private.may_see(p_user_id) then
      insert into private.friendships (user_low, user_high, requester, status)
      values (low, high, me, case when exists (
        select from private.declined_requests d
        where d.requester = me and d.receiver = p_user_id and d.declined_at > now() - interval '30 days'
      ) then 'declined'::private.friendship_status else 'pending' end)
      on conflict do nothing;
    end if;
  end if;
  result := to_jsonb(private.friendship_state(p_user_id));
  if result = to_jsonb('none'::text) then
    result := to_jsonb('outgoing'::text);
  end if;
  return private.store_idempotent_result(p_key, result) #>> '{}';
end
$$;

create or replace function public.cancel_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  delete from private.friendships f
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id) and f.requester = me and f.status <> 'accepted';
  return private.friendship_state(p_user_id);
end
$$;

create or replace function public.accept_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  update private.friendships f set status = 'accepted', accepted_at = now()
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id)
    and f.requester = p_user_id and p_user_id <> me and f.status = 'pending';
  return private.friendship_state(p_user_id);
end
$$;

create or replace function public.decline_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  update private.friendships f set status = 'declined'
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id)
    and f.requester = p_user_id and p_user_id <> me and f.status = 'pending';
  if found then
    insert into private.declined_requests (requester, receiver) values (p_user_id, me)
    on conflict (requester, receiver) do update set declined_at = now();
  end if;
  return private.friendship_state(p_user_id);
end
$$;

create or replace function public.unfriend(p_user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  delete from private.friendships f
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id) and f.status = 'accepted';
  return private.friendship_state(p_user_id);
end
$$;

create or replace function private.limit_dogs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The policy refuses to write for others.
  if new.owner is distinct from coalesce(auth.uid(), new.owner) then
    return new;
  end if;
  if (select count(*) from public.dogs d where d.owner = new.owner and d.deleted_at is null) >= 20 then
    perform private.fail('too_many', 'A profile has room for 20 dogs.');
  end if;
  return new;
end
$$;

create or replace function public.delete_dog(dog_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.dogs d set deleted_at = now()
  where d.id = delete_dog.dog_id and d.owner = private.require_user() and d.deleted_at is null
$$;

create or replace function private.mark_park_list_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'parks' and tg_op = 'UPDATE' then
    if not exists (
      select from after a join before b using (id)
      where (a.status, a.lat, a.long) is distinct from (b.status, b.lat, b.long)
    ) then
      return null;
    end if;
  end if;
  -- Whole milliseconds, which every client can send back, and never the same one twice.
  update private.park_list set changed_at =
    greatest(date_trunc('milliseconds', clock_timestamp()), changed_at + interval '1 millisecond');
  perform pg_notify('park_list', '');
  return null;
end
$$;

create or replace function public.parks_for_publishing(p_language public.language) returns json
language sql stable security definer set search_path = ''
as $$
  -- Ordered by city and street: neighbours in the file repeat each other, so it compresses well.
  select coalesce(json_agg(json_build_object(
    'id', p.id, 'name', t.name, 'city', t.city, 'address', t.address,
    'location', json_build_object('lat', round(p.lat::numeric, 5)::float8, 'long', round(p.long::numeric, 5)::float8)
  ) order by t.city, t.address, t.name, p.id), '[]')
  from public.parks p
  left join public.park_translations own on own.park_id = p.id and own.language = p_language
  left join public.park_translations english on english.park_id = p.id and english.language = 'en' and own.park_id is null
  left join lateral (
    select x.* from public.park_translations x where x.park_id = p.id order by x.language limit 1
  ) any_other on own.park_id is null and english.park_id is null
  cross join lateral (select
    coalesce(own.name, english.name, any_other.name) as name,
    coalesce(own.city, english.city, any_other.city) as city,
    coalesce(own.address, english.address, any_other.address) as address
  ) t
  where p.status = 'approved' and t.name is not null
$$;
comment on function public.parks_for_publishing is 'The content of parks-{language}.json.';

create or replace function public.stale_park_list() returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select l.changed_at from private.park_list l where l.published_at is distinct from l.changed_at
$$;
comment on function public.stale_park_list is 'The change that is not published yet, or null. Read it before parks_for_publishing, then pass it to park_list_published.';

create or replace function public.suggest_places(input text, p_language public.language default 'en')
returns table (label text, lat double precision, long double precision, city text, address text, is_park boolean)
language sql stable security definer set search_path = ''
as $$
  -- Our own parks, cities and streets answer while somebody types, so that no public geocoder has to.
  with typed as (
    select lower(btrim(left(input, 100))) as text,
      replace(replace(replace(lower(btrim(left(input, 100))), '\', '\\'), '%', '\%'), '_', '\_') as pattern
  ), hits as (
    (select t.name || ', ' || t.city as label, t.city, t.address, t.park_id, t.language, 0 as rank
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like typed.pattern || '%' limit 100)
    union all
    (select t.name || ', ' || t.city, t.city, t.address, t.park_id, t.language, 1
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like '%' || typed.pattern || '%' limit 100)
    union all
    (select t.address || ', ' || t.city, t.city, t.address, t.park_id, t.language, 2
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.address || ' ' || t.city) like '%' || typed.pattern || '%' limit 100)
  ), places as (
    select distinct on (h.label)
      h.label, p.lat, p.long, h.city, h.address, h.rank, h.language = p_language as in_language
    from hits h join public.parks p on p.id = h.park_id and p.status = 'approved'
    -- Where several parks share a label, its place is that of one of them, not a point between them.
    order by h.label, h.rank, h.language = p_language desc, p.id
  )
  select label, lat, long, city, address, rank < 2
  from places
  order by rank, in_language desc, label
  limit 3
$$;

create or replace function public.check_in(
  p_park_id bigint,
  p_dog_ids uuid[] default '{}',
  p_dog_count integer default null,
  p_stay_minutes integer default 60,
  p_switch boolean default false,
  p_key uuid default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'check_in');
  dogs uuid[] := array(select distinct d from unnest(p_dog_ids) d where d is not null);
  dog_count integer := coalesce(nullif(cardinality(dogs), 0), p_dog_count, 1);
  present public.check_ins;
  made public.check_ins;
  moment timestamptz;
begin
  if result is not null then
    return result;
  end if;
  if dog_count not between 0 and 20 or p_stay_minutes is null or p_stay_minutes not between 1 and 240 then
    perform private.fail('invalid_input', 'At most 20 dogs, and a stay of 1 to 240 minutes.');
  end if;
  -- One check-in of a user at a time: two at once would both see no open one.
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  -- Not now(): that is when the transaction began, before it waited for the lock.
  moment := clock_timestamp();
  select * into present from public.check_ins c where c.user_id = me and c.ended_at is null;
  if present.expires_at > moment then
    if present.park_id = p_park_id then
      return private.store_idempotent_result(p_key, jsonb_build_object('status', 'already_here', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at, 'elsewhere', null));
    end if;
    if not coalesce(p_switch, false) then
      -- Nothing happened: the same key is used again once the user said whether to switch.
      delete from private.idempotency_keys k where k.user_id = me and k.key = p_key;
      return jsonb_build_object('status', 'elsewhere', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at,
        'elsewhere', jsonb_build_object('park_id', present.park_id, 'name', private.park_name(present.park_id, private.my_language())));
    end if;
  end if;
  if present.id is not null then
    update public.check_ins c set ended_at = least(c.expires_at, moment) where c.id = present.id;
  end if;
  insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at)
  select me, p.id, dog_count, moment, moment + make_interval(mins => p_stay_minutes)
  from public.parks p where p.id = p_park_id and p.status = 'approved'
  returning * into made;
  if made.id is null then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  if cardinality(dogs) > 0 then
    insert into public.check_in_dogs (check_in_id, dog_id)
    select made.id, d.id from public.dogs d where d.id = any (dogs) and d.owner = me and d.deleted_at is null;
    get diagnostics dog_count = row_count;
    if dog_count <> cardinality(dogs) then
      perform private.fail('invalid_input', 'Only your own dogs come along.');
    end if;
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object('status', 'checked_in', 'check_in_id', made.id,
    'park_id', made.park_id, 'expires_at', made.expires_at, 'elsewhere', null));
end
$$;

create or replace function public.extend_stay(p_minutes integer, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'extend_stay');
  present public.check_ins;
begin
  if result is not null then
    return result;
  end if;
  if p_minutes is null or p_minutes not between 1 and 240 then
    perform private.fail('invalid_input', 'Extend by 1 to 240 minutes.');
  end if;
  update public.check_ins c
  set expires_at = greatest(c.expires_at, least(c.expires_at + make_interval(mins => p_minutes), c.started_at + interval '4 hours'))
  where c.user_id = me and c.ended_at is null and c.expires_at > now()
  returning * into present;
  if present.id is null then
    perform private.fail('not_checked_in', 'Check in first.');
  end if;
  return private.store_idempotent_result(p_key,
    jsonb_build_object('check_in_id', present.id, 'park_id', present.park_id, 'expires_at', present.expires_at));
end
$$;
comment on function public.extend_stay is 'Adds minutes to the planned stay, up to 4 hours in all; the same key adds them once.';

create or replace function public.park_busy_hours(p_park_id bigint)
returns table (day_kind text, hour integer, dogs numeric, samples integer)
language sql stable security definer set search_path = ''
as $$
  with days as (
    -- The last eight weeks without today, from the first day with data; the weekend is Friday and Saturday.
    select day::date, case when extract(dow from day) in (5, 6) then 'weekend' else 'weekday' end as kind
    from (select (now() at time zone 'Asia/Jerusalem')::date as today) clock,
      generate_series(
        (select greatest(min(b.day), clock.today - 56) from private.busy_hours b where b.park_id = p_park_id),
        clock.today - 1, interval '1 day') day
  ), kinds as (
    select kind, count(*) as days from days group by kind
  ), sums as (
    select d.kind, b.hour, sum(b.dogs) as dogs, count(*) as samples
    from days d join private.busy_hours b on b.park_id = p_park_id and b.day = d.day
    group by d.kind, b.hour
  )
  select k.kind, h.hour, coalesce(round(s.dogs / nullif(n.days, 0), 2), 0), coalesce(s.samples, 0)::integer
  from (values ('weekday'), ('weekend')) k (kind)
  cross join generate_series(0, 23) h (hour)
  left join kinds n on n.kind = k.kind
  left join sums s on s.kind = k.kind and s.hour = h.hour
  where exists (select from public.parks p where p.id = p_park_id and p.status = 'approved')
  order by k.kind, h.hour
$$;
comment on function public.park_busy_hours is 'Dogs at a park by hour on an average weekday and weekend day; samples is how many days had dogs at that hour.';

create or replace function public.check_out(p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'check_out');
  left_park bigint;
begin
  if result is not null then
    return result;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  update public.check_ins c set ended_at = least(c.expires_at, clock_timestamp())
  where c.user_id = me and c.ended_at is null
  returning c.park_id into left_park;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when left_park is null then 'not_checked_in' else 'checked_out' end,
    'park_id', left_park,
    'offer_review', left_park is not null and not exists (
      select from public.reviews r where r.author = me and r.park_id = left_park)
  ));
end
$$;

create or replace function private.condition_duration(p_condition public.park_condition) returns interval
language sql immutable set search_path = ''
as $$
  select case p_condition
    when 'muddy' then interval '12 hours'
    when 'gateClosed' then interval '6 hours'
    when 'brokenFountain' then interval '7 days'
    when 'underConstruction' then interval '14 days'
  end
$$;
comment on function private.condition_duration is 'How long a report counts after it was made or last confirmed.';

create or replace function private.confirm_report(p_report_id uuid, p_me uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  report private.live_reports;
begin
  update private.live_reports r set confirmed_at = now(), expires_at = now() + private.condition_duration(r.condition)
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now()
  returning * into report;
  if report.id is null then
    return false;
  end if;
  -- A confirmation outweighs earlier votes that it is over.
  delete from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'over' and v.user_id <> p_me;
  if report.reporter is distinct from p_me then
    insert into private.live_report_votes (report_id, user_id, vote) values (p_report_id, p_me, 'confirm')
    on conflict (report_id, user_id) do update set vote = 'confirm', voted_at = now();
  end if;
  return true;
end
$$;

create or replace function public.report_condition(p_park_id bigint, p_condition public.park_condition, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'report_condition');
  report_id uuid;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  perform private.require_park(p_park_id);
  perform private.limit_rate('live_report', 30, '1 hour');
  if p_condition is null then
    perform private.fail('invalid_input', 'Say what is the matter.');
  end if;
  update private.live_reports r set ended_at = r.expires_at
  where r.park_id = p_park_id and r.condition = p_condition and r.ended_at is null and r.expires_at <= now();
  insert into private.live_reports (park_id, condition, reporter, expires_at)
  values (p_park_id, p_condition, me, now() + private.condition_duration(p_condition))
  on conflict (park_id, condition) where ended_at is null do nothing
  returning id into report_id;
  if report_id is null then
    select r.id into report_id from private.live_reports r
    where r.park_id = p_park_id and r.condition = p_condition and r.ended_at is null;
    perform private.confirm_report(report_id, me);
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(report_id)) #>> '{}';
end
$$;

create or replace function public.confirm_condition(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'confirm_condition');
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_rate('live_report', 30, '1 hour');
  return private.store_idempotent_result(p_key, to_jsonb(private.confirm_report(p_report_id, me)))::boolean;
end
$$;
comment on function public.confirm_condition is 'False when the report is no longer active.';

create or replace function public.end_condition(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'end_condition');
  report private.live_reports;
  is_over boolean := false;
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_rate('live_report', 30, '1 hour');
  -- The lock makes two votes at the same moment count as two.
  select * into report from private.live_reports r
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now() for update;
  if report.id is not null then
    if report.reporter = me then
      is_over := true;
    else
      insert into private.live_report_votes (report_id, user_id, vote) values (p_report_id, me, 'over')
      on conflict (report_id, user_id) do update set vote = 'over', voted_at = now();
      is_over := (select count(*) >= 2 from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'over');
    end if;
    if is_over then
      update private.live_reports r set ended_at = now() where r.id = p_report_id;
    end if;
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(is_over))::boolean;
end
$$;
comment on function public.end_condition is 'A vote that it is over; true when that ended the report (the reporter''s vote, or the second one of others).';

create or replace function private.check_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Without a caller it is the seed or an operator who writes: they are trusted.
  if auth.uid() is not null then
    perform private.require_consent();
    if tg_op = 'INSERT' then
      perform private.require_park(new.park_id);
      perform private.limit_rate('review', 30, '1 day');
    end if;
  end if;
  return new;
end
$$;

create or replace function private.count_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  before_rank smallint := case when tg_op <> 'INSERT' and old.hidden_at is null then old.rank end;
  after_rank smallint := case when tg_op <> 'DELETE' and new.hidden_at is null then new.rank end;
  of_park bigint := case when tg_op = 'DELETE' then old.park_id else new.park_id end;
begin
  if before_rank is distinct from after_rank then
    -- Where a deleted park takes its reviews along, there is no row to count in.
    insert into private.park_ratings (park_id) select p.id from public.parks p where p.id = of_park on conflict do nothing;
    update private.park_ratings r set ranks = array(
      select n + case when i = after_rank then 1 else 0 end - case when i = before_rank then 1 else 0 end
      from unnest(r.ranks) with ordinality u (n, i) order by i
    ) where r.park_id = of_park;
  end if;
  return null;
end
$$;

create function private.record_hidden_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- When its author or its park is deleted, nobody can write another.
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select u.id, p.id, old.hidden_at from public.users u, public.parks p
  where u.id = old.author and p.id = old.park_id
  on conflict do nothing;
  return null;
end
$$;

create or replace function private.hide_resubmitted_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.hidden_at := coalesce(new.hidden_at, (
    select h.hidden_at from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id));
  return new;
end
$$;

create or replace function private.clear_hidden_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id;
  return null;
end
$$;

create or replace function public.save_review(
  p_park_id bigint, p_title text, p_content text, p_rank integer, p_anonymous boolean default false, p_key uuid default null,
  p_based_on timestamptz default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'save_review');
  review_id uuid;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  if p_rank is null or p_rank not between 1 and 5 or char_length(p_title) > 120 or char_length(p_content) > 4000 then
    perform private.fail('invalid_input', 'A rank of 1 to 5, at most 120 characters of title and 4000 of text.');
  end if;
  insert into public.reviews as r (park_id, author, title, content, rank, anonymous)
  values (p_park_id, me, btrim(coalesce(p_title, '')), btrim(coalesce(p_content, '')), p_rank, coalesce(p_anonymous, false))
  on conflict (author, park_id) do update
    set title = excluded.title, content = excluded.content, rank = excluded.rank, anonymous = excluded.anonymous
    -- One that a moderator hid is shown to nobody, so its author cannot have seen how new it is.
    where p_based_on is null or r.updated_at <= p_based_on or r.hidden_at is not null
  returning id into review_id;
  if review_id is null then
    perform private.fail('review_changed', 'There is a newer review than the one that this one was written over.');
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(review_id)) #>> '{}';
end
$$;
comment on function public.save_review is 'p_based_on is the updated_at of the review that the author saw, 1970 where there was none: a newer one stays, and review_changed is raised, so that a review that was queued on a device does not overwrite a newer one. Null overwrites whatever is there.';

create or replace function public.delete_review(p_review_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.reviews r where r.id = p_review_id and r.author = private.require_user()
$$;

create or replace function private.publish_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  receiver record;
  wanted record;
  texts record;
begin
  select u.language into receiver from public.users u where u.id = new.receiver_id;
  select p.* into wanted from public.notifications_preferences p where p.user_id = new.receiver_id;
  if wanted.muted or not coalesce(case new.type
      when 'friendRequest' then wanted.friend_request
      when 'friendApproval' then wanted.friend_approval
      else wanted.park_invite
    end, true) then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  select t.* into texts from private.notification_texts(
    new.type, receiver.language, (select u.name from public.users u where u.id = new.sender_id),
    private.park_name((new.data ->> 'park_id')::bigint, receiver.language),
    (new.data ->> 'meet_at')::timestamptz, (new.data ->> 'accepted')::boolean) t;
  update public.notifications n
  set title = texts.title, app_message = texts.message, push_message = texts.message, is_ready = true
  where n.id = new.id;
  if found then
    insert into private.push_outbox (notification_id, device_id)
    select new.id, d.device_id from public.device_tokens d where d.user_id = new.receiver_id;
    if found then
      perform pg_notify('push_outbox', '');
    end if;
  end if;
  return null;
end
$$;
comment on function private.publish_notification is 'Writes the texts and queues the pushes, or drops what is muted; runs when the transaction that notified commits.';

create or replace function private.notify_of_friendship() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  friendship private.friendships := case when tg_op = 'DELETE' then old else new end;
  asker uuid := friendship.requester;
  other uuid := case when asker = friendship.user_low then friendship.user_high else friendship.user_low end;
begin
  if tg_op = 'INSERT' then
    if new.status = 'pending' then
      perform private.notify('friendRequest', asker, other);
    end if;
  elsif tg_op = 'UPDATE' and new.status = 'accepted' then
    perform private.notify('friendApproval', other, asker);
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now())
    where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest' and n.read_at is null;
  else
    -- Removed or declined: there is nothing to answer any more.
    delete from public.notifications n where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  end if;
  return null;
end
$$;

create or replace function private.delete_notifications_on_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n
  where (n.sender_id = new.blocker and n.receiver_id = new.blocked) or (n.sender_id = new.blocked and n.receiver_id = new.blocker);
  return null;
end
$$;

create or replace function private.notification_texts(
  p_type public.notification_type, p_language public.language, p_sender text, p_park text, p_meet_at timestamptz, p_accepted boolean,
  out title text, out message text
)
language plpgsql stable set search_path = ''
as $$
declare
  texts jsonb := private.texts(p_language);
  pair jsonb := texts -> (p_type || case when p_type = 'parkInviteResponse' then case when p_accepted then '.accepted' else '.declined' end else '' end);
begin
  title := pair ->> 0;
  message := format(pair ->> 1, private.isolate_direction(p_sender), private.isolate_direction(coalesce(p_park, '')),
    private.isolate_direction(coalesce(to_char(p_meet_at at time zone 'Asia/Jerusalem', texts ->> 'time'), '')));
end
$$;

create or replace function private.has_contacted_caller(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- Only what the other user did and what told the caller their name: the caller's own requests would reveal whether
  -- somebody hides or has blocked.
  select exists (
      select from private.friendships f
      where f.user_low = least(p_user_id, private.uid()) and f.user_high = greatest(p_user_id, private.uid()) and f.requester = p_user_id)
    or exists (select from private.declined_requests d where d.requester = p_user_id and d.receiver = private.uid())
    or exists (select from public.notifications n where n.sender_id = p_user_id and n.receiver_id = private.uid() and n.is_ready)
$$;
comment on function private.has_contacted_caller is 'Whether this user sent the caller a request, an answer or an invite.';

create or replace function private.reassign_device_token() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A device with a new user, or a token that moved to a new device id, belongs to whoever registers it now.
  delete from public.device_tokens d
  where (d.device_id = new.device_id and d.user_id <> new.user_id) or (d.token = new.token and d.device_id <> new.device_id);
  new.updated_at := now();
  return new;
end
$$;

create or replace function private.record_device_session() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  session text := auth.jwt() ->> 'session_id';
begin
  if session ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    insert into private.device_sessions (device_id, session_id) values (new.device_id, session::uuid)
    on conflict (device_id) do update set session_id = excluded.session_id;
  end if;
  return null;
end
$$;

create or replace function public.claim_push_outbox(p_limit integer default 50, p_lease_seconds integer default 60)
returns table (
  id bigint, attempts integer, token text, platform public.device_platform,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Seen in the app meanwhile, the device has another user now, or its session ended: nothing to push.
  delete from private.push_outbox o using public.notifications n, public.device_tokens d
  where n.id = o.notification_id and d.device_id = o.device_id and o.due_at <= now()
    and (n.seen_at is not null or d.user_id <> n.receiver_id or exists (
      select from private.device_sessions s
      where s.device_id = d.device_id and not exists (select from auth.sessions a where a.id = s.session_id)));
  return query
    with due as (
      select o.id from private.push_outbox o where o.due_at <= now()
      order by o.due_at limit p_limit for update skip locked
    ), leased as (
      update private.push_outbox o set attempts = o.attempts + 1, due_at = now() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id returning o.*
    )
    -- The sender comes along: a tap on an approval opens the new friend's page without asking the server first.
    select l.id, l.attempts::integer, d.token, d.platform, n.id, n.type, n.title, n.push_message,
      n.data || jsonb_build_object('sender_id', n.sender_id)
    from leased l
    join public.notifications n on n.id = l.notification_id
    join public.device_tokens d on d.device_id = l.device_id
    order by l.id;
end
$$;
comment on function public.claim_push_outbox is 'Leases due pushes to one sender. Send with notification_id as collapse id and tag, so that a push repeated after a crash replaces itself.';

create or replace function private.notify_of_invite() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.notify('parkInvite', new.sender_id, new.receiver_id,
      jsonb_build_object('park_id', new.park_id, 'invite_id', new.id, 'meet_at', new.meet_at));
  else
    perform private.notify('parkInviteResponse', new.receiver_id, new.sender_id,
      jsonb_build_object('park_id', new.park_id, 'invite_id', new.id, 'meet_at', new.meet_at, 'accepted', new.status = 'accepted'));
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now())
    where n.sender_id = new.sender_id and n.receiver_id = new.receiver_id and n.type = 'parkInvite'
      and n.data ->> 'invite_id' = new.id::text and n.read_at is null;
  end if;
  return null;
end
$$;

create or replace function private.delete_invites_on_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.park_invites i
  where (i.sender_id = new.blocker and i.receiver_id = new.blocked) or (i.sender_id = new.blocked and i.receiver_id = new.blocker);
  return null;
end
$$;

create or replace function public.invite_to_park(p_park_id bigint, p_friend_ids uuid[], p_meet_at timestamptz, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'invite_to_park');
begin
  if result is not null then
    return result;
  end if;
  perform private.require_park(p_park_id);
  if coalesce(cardinality(p_friend_ids), 0) not between 1 and 50
    or p_meet_at is null or p_meet_at not between now() - interval '15 minutes' and now() + interval '30 days' then
    perform private.fail('invalid_input', 'Invite 1 to 50 friends, for a time within the next 30 days.');
  end if;
  perform private.limit_rate('invite_to_park', 30, '1 day');
  with made as (
    insert into public.park_invites (park_id, sender_id, receiver_id, meet_at)
    select p_park_id, me, f, p_meet_at from private.friend_ids() f where f = any (p_friend_ids)
    on conflict do nothing
    returning id
  )
  select coalesce(jsonb_agg(id), '[]') into result from made;
  return private.store_idempotent_result(p_key, result);
end
$$;
comment on function public.invite_to_park is 'The ids of the new invites; whoever is no friend is left out.';

create or replace function public.respond_to_invite(p_invite_id uuid, p_accept boolean, p_key uuid default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'respond_to_invite');
  invite public.park_invites;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  select * into invite from public.park_invites i where i.id = p_invite_id and i.receiver_id = me for update;
  if invite.id is null then
    perform private.fail('invite_not_found', 'This invite is gone.');
  elsif invite.status = 'pending' then
    if invite.meet_at < now() - interval '4 hours' then
      perform private.fail('invite_expired', 'The time of this invite has passed.');
    end if;
    update public.park_invites i set status = case when p_accept then 'accepted'::public.invite_status else 'declined' end
    where i.id = p_invite_id returning * into invite;
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(invite.status)) #>> '{}';
end
$$;
comment on function public.respond_to_invite is 'The status afterwards; the first answer stands.';

create or replace function private.turn_update_into_suggestion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.role() is distinct from 'authenticated' then
    return new;
  end if;
  if (new.size, new.materials, new.shade, new.has_facilities) is not distinct from (old.size, old.materials, old.shade, old.has_facilities) then
    -- Nothing is written where nothing changes: otherwise one request could rewrite every park.
    return null;
  end if;
  if old.status = 'pending' and old.id in (select private.submitted_park_ids()) then
    return new;
  end if;
  perform private.add_suggestion(old.id,
    case when new.size is distinct from old.size then new.size end,
    case when new.materials is distinct from old.materials then new.materials end,
    case when new.shade is distinct from old.shade then new.shade end,
    case when new.has_facilities is distinct from old.has_facilities then new.has_facilities end);
  return old;
end
$$;
comment on function private.turn_update_into_suggestion is 'A user''s update of a park leaves the row as it is and becomes a pending suggestion.';

create or replace function private.sync_park_photos() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  of_park bigint;
  uploader uuid;
begin
  if tg_op <> 'INSERT' and old.bucket_id = 'parks' then
    update public.parks p set primary_photo = null where p.primary_photo = old.name and p.id = (regexp_match(old.name, '^(\d{1,18})/'))[1]::bigint;
    delete from public.park_photos f where f.path = old.name;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id = 'parks' then
    of_park := (regexp_match(new.name, '^(\d{1,18})/(?:primary|other)/[^/]+$'))[1]::bigint;
    uploader := coalesce(auth.uid(), case when new.owner_id ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then new.owner_id::uuid end);
    if not exists (select from public.parks p where p.id = of_park) then
      return null;
    end if;
    if new.name like '%/primary/%' then
      update public.parks p set primary_photo = new.name where p.id = of_park;
    else
      insert into public.park_photos (path, park_id, status)
      values (new.name, of_park, case when uploader is null then 'approved'::public.park_status else 'pending' end)
      on conflict do nothing;
      if uploader is not null then
        insert into private.photo_uploaders (path, user_id)
        select new.name, u.id from public.users u where u.id = uploader
        on conflict do nothing;
      end if;
    end if;
  end if;
  return null;
end
$$;
comment on function private.sync_park_photos is 'Keeps primary_photo and park_photos equal to the files in the bucket parks: a user''s upload is pending, the service''s is approved.';

create or replace function public.submit_park(
  p_name text, p_city text, p_address text, p_lat double precision, p_long double precision,
  p_language public.language default 'en', p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'submit_park');
  new_id bigint;
begin
  if result is not null then
    return result::bigint;
  end if;
  if coalesce(btrim(p_city), '') = '' or coalesce(btrim(p_address), '') = '' or p_lat is null or p_long is null then
    perform private.fail('invalid_input', 'A park needs a city, an address and a location.');
  end if;
  perform private.limit_rate('submit_park', 10, '1 day');
  insert into public.parks (size, materials, shade, has_facilities, lat, long, source)
  values (p_size, coalesce(p_materials, '{}'), p_shade, p_has_facilities, p_lat, p_long, 'user')
  returning id into new_id;
  insert into public.park_translations (park_id, language, name, city, address)
  values (new_id, p_language, coalesce(nullif(btrim(p_name), ''), left(btrim(p_address), 120)), btrim(p_city), btrim(p_address));
  insert into private.park_submitters (park_id, user_id) values (new_id, me);
  return private.store_idempotent_result(p_key, to_jsonb(new_id))::bigint;
end
$$;

create or replace function public.suggest_park_details(
  p_park_id bigint, p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  result jsonb;
begin
  perform private.require_consent();
  result := private.claim_idempotency_key(p_key, 'suggest_park_details');
  if result is null then
    if num_nonnulls(p_size, nullif(p_materials, '{}'), p_shade, p_has_facilities) = 0 then
      perform private.fail('invalid_input', 'Suggest at least one detail.');
    end if;
    result := private.store_idempotent_result(p_key, to_jsonb(private.add_suggestion(p_park_id, p_size, p_materials, p_shade, p_has_facilities)));
  end if;
  return result #>> '{}';
end
$$;

create or replace function public.report_review(p_review_id uuid, p_reason public.report_reason) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  insert into private.review_reports (review_id, reporter, reason)
  select v.id, me, p_reason from public.park_reviews v where v.id = p_review_id and not v.mine
  on conflict do nothing;
end
$$;

create or replace function public.report_user(p_user_id uuid, p_reason public.report_reason, p_note text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_contacted_caller(p_user_id)) then
    insert into private.user_reports (user_id, reporter, reason, note)
    values (p_user_id, me, p_reason, left(btrim(p_note), 1000))
    on conflict (user_id, reporter, reason) where resolved_at is null do update
      set note = coalesce(nullif(excluded.note, ''), user_reports.note);
  end if;
end
$$;

create or replace function private.name_similarity(p_typed text, p_name text) returns real
language sql stable set search_path = ''
as $$
  select case when p_name = p_typed then 3 when starts_with(p_name, p_typed) then 2 else extensions.word_similarity(p_typed, p_name) end
$$;

create or replace function public.search_users_with_dogs(input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  typed text := lower(btrim(regexp_replace(left(search_users_with_dogs.input, 80), '\s+', ' ', 'g')));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  unwanted uuid[] := array_remove(array(select private.blocked_ids()) || private.uid(), null);
  found_ids uuid[];
begin
  if coalesce(typed, '') = '' then
    return;
  end if;
  -- Exact names and beginnings of names first, by index. Only where these are few: similar names.
  found_ids := array(
    (select u.id from public.users u
    where lower(u.name) like pattern || '%' and not u.hidden and u.id <> all (unwanted) order by lower(u.name) limit 40)
    union
    (select u.id from public.users u
    where lower(u.name) like '% ' || pattern || '%' and not u.hidden and u.id <> all (unwanted) limit 40)
    union
    (select d.owner from public.dogs d join public.users u on u.id = d.owner and not u.hidden
    where d.deleted_at is null and lower(d.name) like pattern || '%' and d.owner <> all (unwanted) order by lower(d.name) limit 40)
  );
  if cardinality(found_ids) < 20 and char_length(typed) > 2 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.4', true);
    found_ids := found_ids || array(
      select near.id from (
        (select u.id, extensions.word_similarity(typed, lower(u.name)) as likeness
        from public.users u
        where typed operator(extensions.<%) lower(u.name) and not u.hidden and u.id <> all (unwanted) limit 2000)
        union all
        (select d.owner, extensions.word_similarity(typed, lower(d.name))
        from public.dogs d join public.users u on u.id = d.owner and not u.hidden
        where d.deleted_at is null and typed operator(extensions.<%) lower(d.name) and d.owner <> all (unwanted) limit 2000)
      ) near
      order by near.likeness desc, near.id limit 40
    );
  end if;
  return query
    select u.id, u.name, private.dogs_of(u.id)
    from public.users u
    where u.id = any (found_ids)
    order by greatest(
      private.name_similarity(typed, lower(u.name)) + 0.01,
      (select max(private.name_similarity(typed, lower(d.name))) from public.dogs d where d.owner = u.id and d.deleted_at is null)
    ) desc, u.name, u.id
    limit 20;
end
$$;
comment on function public.search_users_with_dogs is 'People by their own or their dogs'' names, best first, at most 20; never hidden or blocked ones, nor the caller.';

create or replace function public.user_page(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'name', u.name, 'hidden', u.hidden and u.id = private.uid(),
    'friendship', private.friendship_state(u.id), 'dogs', private.dogs_of(u.id))
  from public.users u
  where u.id = p_user_id and private.uid() is not null and private.may_see(u.id)
$$;
comment on function public.user_page is 'A user''s page with dogs; null for callers who may not see it, as where there is no such user.';

create or replace function private.check_photo() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.bucket_id not in ('users', 'parks') or (new.bucket_id = 'parks' and private.is_park_list(new.name)) then
    return new;
  end if;
  -- Supabase's storage first inserts a row without metadata, to ask the policies before it takes the file.
  if new.metadata is not null then
    if coalesce(new.metadata ->> 'mimetype', '') not like 'image/%' then
      raise exception using errcode = 'PT415', message = 'Only pictures are kept here';
    elsif coalesce((new.metadata ->> 'size')::bigint, 0) > 5242880 then
      raise exception using errcode = 'PT413', message = 'The object exceeded the maximum allowed size';
    end if;
  end if;
  return new;
end
$$;
comment on function private.check_photo is 'Photos have at most 5 MB and are pictures, whatever their names say; PTnnn sets the HTTP status.';

create or replace function private.limit_photos() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  folder text := split_part(new.name, '/', 1) || '/';
begin
  -- For one's own folder only: the policy refuses others, and a refusal by this limit would tell how many photos they have.
  if folder <> coalesce(auth.uid() || '/', folder) then
    return new;
  end if;
  -- A photo that is replaced needs no more room.
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'users' and o.name >= folder and o.name < left(folder, -1) || '0' and o.name <> new.name
  ) >= 300 then
    perform private.fail('too_many', 'There is room for 300 photos.');
  end if;
  return new;
end
$$;
comment on function private.limit_photos is 'At most 300 photos in a person''s folder of the bucket users.';

create or replace function private.is_photo_name(p_name text) returns boolean
language sql immutable set search_path = ''
as $$
  -- The random id in the name keeps a pending photo, or one of a hidden user's dog, from being guessed.
  select p_name ~* '(^|/)[a-z0-9_-]*[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.(webp|jpe?g|png|avif)$'
$$;

create function private.is_park_list(p_name text) returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(substring(p_name from '^parks-(.*)\.json$') = any (enum_range(null::public.language)::text[]), false)
$$;
comment on function private.is_park_list is 'Whether this is the name of a published list: parks-{language}.json.';

create or replace function private.may_add_park_photo(p_park text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.parks p
    where p.id::text = p_park and (p.status = 'approved' or p.id in (select private.submitted_park_ids()))
      and p.id = case when p_park ~ '^\d{1,18}$' then p_park::bigint end
  ) and exists (
    select from private.user_consents c
    where c.user_id = private.uid() and c.terms_accepted_at is not null and c.age_confirmed_at is not null
  ) and (
    select count(*) < 30 from private.photo_uploaders u join public.park_photos f on f.path = u.path
    where u.user_id = private.uid() and f.created_at > now() - interval '1 day'
  )
$$;
comment on function private.may_add_park_photo is 'Terms accepted, age confirmed, the park is there, and fewer than 30 photos in a day.';

create or replace function public.delete_user_data(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  found_objects jsonb;
  left_over jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name)), '[]') into found_objects
  from storage.objects o
  where (o.bucket_id = 'users' and o.name >= p_user_id || '/' and o.name < p_user_id || '0')
    or (o.bucket_id = 'parks' and o.name in (select u.path from private.photo_uploaders u where u.user_id = p_user_id));
  insert into private.user_deletions as d (user_id, objects) values (p_user_id, found_objects)
  on conflict (user_id) do update set objects = (
    select coalesce(jsonb_agg(distinct o), '[]') from jsonb_array_elements(d.objects || excluded.objects) o)
  returning d.objects into left_over;
  -- Approved parks belong to everybody; pending and rejected ones are deleted.
  delete from public.parks p using private.park_submitters s
  where s.park_id = p.id and s.user_id = p_user_id and p.status <> 'approved';
  delete from public.park_photos f using private.photo_uploaders u where u.path = f.path and u.user_id = p_user_id;
  delete from public.users u where u.id = p_user_id;
  delete from private.idempotency_keys k where k.user_id = p_user_id;
  delete from private.rate_limits r where r.user_id = p_user_id;
  return left_over;
end
$$;
comment on function public.delete_user_data is 'Deletes all rows of a user and returns which files are to be removed: [{bucket, name}]. Safe to call again; then finish_user_deletion.';

create or replace function public.export_user_data(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'user', to_jsonb(u),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'dogs', (select coalesce(jsonb_agg(to_jsonb(d) - 'owner' order by d.created_at), '[]') from public.dogs d where d.owner = u.id),
    'friends', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending' else f.status::text end,
        'requested_by_me', f.requester = u.id, 'since', coalesce(f.accepted_at, f.created_at)) order by f.created_at), '[]')
      from private.friendships f join public.users o on o.id = case when f.user_low = u.id then f.user_high else f.user_low end
      where u.id in (f.user_low, f.user_high) and (f.status <> 'declined' or f.requester = u.id) and (f.status = 'accepted' or f.requester <> u.id or not o.hidden)),
    'blocked', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'since', b.created_at) order by b.created_at), '[]')
      from public.blocks b join public.users o on o.id = b.blocked where b.blocker = u.id),
    'check_ins', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(c.park_id, u.language), 'dog_count', c.dog_count,
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at) order by c.started_at), '[]')
      from public.check_ins c where c.user_id = u.id),
    'reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from public.reviews r where r.author = u.id),
    'live_reports', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'reported_at', l.reported_at) order by l.reported_at), '[]')
      from private.live_reports l where l.reporter = u.id),
    'favourite_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'since', f.created_at) order by f.created_at), '[]')
      from public.favourite_parks f where f.user_id = u.id),
    'submitted_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(p.id, u.language), 'status', p.status, 'created_at', p.created_at) order by p.id), '[]')
      from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = u.id),
    'suggestions', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]') from public.park_suggestions s where s.user_id = u.id),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'receiver_id' - 'sender_id' order by n.created_at), '[]') from public.notifications n where n.receiver_id = u.id and n.is_ready),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id),
    'devices', (select coalesce(jsonb_agg(jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)), '[]') from public.device_tokens d where d.user_id = u.id),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name) order by o.name), '[]')
      from storage.objects o
      where (o.bucket_id = 'users' and o.name >= u.id || '/' and o.name < u.id || '0')
        or (o.bucket_id = 'parks' and o.name in (select x.path from private.photo_uploaders x where x.user_id = u.id)))
  )
  from public.users u where u.id = p_user_id
$$;
comment on function public.export_user_data is 'Everything stored about a user, as one object; files lists what is in storage.';

create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  delete from private.push_outbox o where o.created_at < now() - interval '2 days';
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
comment on function private.reduce_history is 'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';

create trigger record_hidden_review after delete on public.reviews
  for each row when (old.hidden_at is not null) execute function private.record_hidden_review();

grant execute on function private.is_park_list(text) to anon, authenticated;
grant execute on function public.claim_service_slot(text, integer, integer, integer) to service_role;

-- Triggers, policies and views -----------------------------------------------------------------------------------

create trigger sync_park_photos after insert or delete or update of name, bucket_id on storage.objects
  for each row execute function private.sync_park_photos();
create trigger create_user after insert on auth.users for each row
  when (coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.create_user();
create trigger create_confirmed_user after update on auth.users for each row
  when (coalesce(old.email_confirmed_at, old.phone_confirmed_at, old.last_sign_in_at) is null
    and coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.create_user();
create policy "public files of parks are listed" on storage.objects for select to anon, authenticated
  using (
    bucket_id = 'parks' and (
      private.is_park_list(name)
      or exists (select from public.parks p where p.primary_photo = name and p.id = substring(name from '^(\d{1,18})/')::bigint)
      or exists (select from public.park_photos f where f.path = name)
    )
  );
create policy "users add photos to parks" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'parks' and name ~ '^\d{1,18}/other/[^/]+$'
    and private.is_photo_name(name) and private.may_add_park_photo((storage.foldername(name))[1])
  );
create policy "users delete their own photos of parks" on storage.objects for delete to authenticated
  using (bucket_id = 'parks' and name in (select private.uploaded_photo_paths()));

create or replace view public.park_live with (security_barrier) as
  -- One union of all sources, so that a filter on park_id reaches each of the three.
  select source.park_id,
    coalesce(sum(source.dogs), 0)::integer as dogs_now,
    coalesce(sum(source.people), 0)::integer as people_now,
    private.busy_level(coalesce(sum(source.dogs), 0)::bigint) as busy_level,
    max(source.average_rank) as average_rank,
    coalesce(sum(source.review_count), 0)::integer as review_count,
    coalesce(max(source.conditions), '{}') as conditions
  from (
    select c.park_id, sum(c.dog_count)::bigint as dogs, count(*) as people,
      null::numeric as average_rank, null::integer as review_count, null::public.park_condition[] as conditions
    from public.check_ins c where c.ended_at is null and c.expires_at > now() group by c.park_id
    union all
    select r.park_id, null, null, r.average_rank, r.review_count, null
    from private.park_ratings r where r.review_count > 0
    union all
    select l.park_id, null, null, null, null, array_agg(l.condition order by l.condition)
    from private.live_reports l where l.ended_at is null and l.expires_at > now() group by l.park_id
  ) source
  join public.parks p on p.id = source.park_id and p.status = 'approved'
  group by source.park_id;

-- Comments -------------------------------------------------------------------------------------------------------

comment on table private.busy_hours is 'Dogs at a park on average during one hour (Asia/Jerusalem) of one day; nothing in it leads to a person.';
comment on table private.declined_requests is 'Who was declined: a new request within 30 days (after removing the first) stays declined, and the receiver is not told.';
comment on table private.device_sessions is 'The session that registered a device last. No foreign key: a session that ended must differ from no session.';
comment on table private.friendships is 'One row per unordered pair. The sender of a declined request still sees it as pending; whoever declined does not see it any more.';
comment on table private.live_report_votes is 'The latest vote of other users on a report.';
comment on table private.live_reports is 'Nobody may know who reported: everybody reads the view park_conditions.';
comment on table private.push_outbox is 'Pushes to send; a row is deleted when its push was sent or never can be.';
comment on table private.user_deletions is 'Deletions under way and the files still to remove; a row stays until all are gone, so that a deletion is finished after a crash.';
comment on table public.check_ins is 'Visits. Open while ended_at is null; the user counts as present only until expires_at. Seen by its user alone.';
comment on table public.device_tokens is 'Where pushes go: one row per device, owned by the user who registered it last.';
comment on table public.notifications is 'Messages to a user; invisible until published (is_ready).';
comment on table public.park_invites is 'Invites; seen by sender and receiver.';
comment on table public.park_photos is 'The photos in parks/{parkId}/other of the bucket parks; a trigger on storage.objects writes it.';
comment on table public.park_suggestions is 'Details that users suggest; null leaves a detail as it is. Seen by whoever suggested.';
comment on table public.parks is 'Dog parks. Approved ones are for everybody; whoever submitted one sees it while it is pending.';
comment on view public.park_conditions is 'The conditions of parks that are reported now.';
comment on view public.park_live is 'Counts, rating and conditions of parks that have any; a park that is missing here is empty and unrated.';
comment on view public.park_reviews is 'Reviews as readers see them: anonymous ones have no author, and neither have those of hidden users for callers who do not know them.';

-- The record -----------------------------------------------------------------------------------------------------

delete from supabase_migrations.schema_migrations;
insert into supabase_migrations.schema_migrations (version, name) values ('20261122000000', 'baseline');
