-- Hazards, corrections of names and places, merged parks, reported photos, and the licence of what people contribute.

-- languages.sql
create or replace function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- The name of a user who gave none; the time of a meeting, for to_char; and the title and message of each notification,
  -- for format(): %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard.
  -- The pattern of a time has a word in right-to-left languages: digits alone would be laid out from left to right.
  return case p_language::text
    when 'he' then $he${
      "new_user": "מהלהקה",
      "time": "FMDD.FMMM \"בשעה\" HH24:MI",
      "friendRequest": ["בקשת חברות חדשה", "התקבלה בקשת חברות מאת %1$s"],
      "friendApproval": ["בקשת החברות אושרה", "עכשיו אתם חברים של %1$s"],
      "parkInvite": ["הזמנה לגינת כלבים", "הזמנה מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.accepted": ["אישור הגעה", "נפגשים! אישור מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.declined": ["לא הפעם", "הפעם בלי %1$s: %2$s, %3$s"],
      "hazard": ["זהירות בגינת הכלבים", "%2$s: %4$s"],
      "hazards": {"poison": "דיווח על פיתיון מורעל", "glass": "דיווח על שברי זכוכית", "caterpillars": "דיווח על קרציות או זחלי תהלוכה", "awns": "דיווח על מלענים",
        "looseDog": "דיווח על כלב תוקפני משוחרר", "brokenFence": "דיווח על גדר פרוצה", "noWater": "דיווח שאין מים"}
    }$he$
    when 'ar' then $ar${
      "new_user": "من رفاقنا",
      "time": "FMDD/FMMM \"الساعة\" HH24:MI",
      "friendRequest": ["طلب صداقة جديد", "وصلكم طلب صداقة من %1$s"],
      "friendApproval": ["تم قبول طلب الصداقة", "أصبحتم أنتم و%1$s أصدقاء"],
      "parkInvite": ["دعوة إلى حديقة الكلاب", "دعوة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.accepted": ["تم قبول الدعوة", "نلتقي هناك! ردّ بالموافقة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.declined": ["ليس هذه المرة", "اعتذار عن الدعوة من %1$s: %2$s، %3$s"],
      "hazard": ["انتبهوا في حديقة الكلاب", "%2$s: %4$s"],
      "hazards": {"poison": "بلاغ عن طُعم مسموم", "glass": "بلاغ عن زجاج مكسور", "caterpillars": "بلاغ عن قراد أو يرقات لاسعة", "awns": "بلاغ عن سفا النباتات",
        "looseDog": "بلاغ عن كلب شرس طليق", "brokenFence": "بلاغ عن سياج مكسور", "noWater": "بلاغ عن انقطاع الماء"}
    }$ar$
    else $en${
      "new_user": "From the pack",
      "time": "FMDD Mon, HH24:MI",
      "friendRequest": ["New friend request", "%1$s wants to be your friend"],
      "friendApproval": ["Friend request accepted", "You and %1$s are now friends"],
      "parkInvite": ["Meet at the park?", "%1$s invites you to %2$s, %3$s"],
      "parkInviteResponse.accepted": ["See you at the park", "%1$s is coming to %2$s, %3$s"],
      "parkInviteResponse.declined": ["Not this time", "%1$s cannot come to %2$s, %3$s"],
      "hazard": ["Take care at the dog park", "%2$s: %4$s"],
      "hazards": {"poison": "poison bait reported", "glass": "broken glass reported", "caterpillars": "ticks or caterpillars reported", "awns": "awns reported",
        "looseDog": "aggressive loose dog reported", "brokenFence": "broken fence reported", "noWater": "no water reported"}
    }$en$
  end::jsonb;
end
$texts$;
-- trust.sql
create or replace function private.action_limits()
returns table (action text, per interval, regulars integer, newcomers integer, with_one_person integer)
language sql immutable set search_path = ''
as $$
  values
    ('check_in', interval '1 day', 30, 15, null::integer),
    ('check_in_without_place', interval '1 day', 6, 6, null),
    ('live_report', interval '1 hour', 30, 10, null),
    ('suggest', interval '1 day', 40, 15, null),
    ('review', interval '1 day', 30, 15, null),
    ('send_friend_request', interval '1 day', 50, 20, 3),
    ('invite_to_park', interval '1 day', 30, 15, 6)
$$;
create function private.just_left() returns interval language sql immutable set search_path = '' as $$ select interval '1 hour' $$;
comment on function private.just_left is 'So long after a visit somebody still speaks of a park as one who is there.';
create function private.hazard_pause() returns interval language sql immutable set search_path = '' as $$ select interval '12 hours' $$;
comment on function private.hazard_pause is 'So long nobody is told again of the same hazard at the same park.';
create function private.hidden_hazard_pause() returns interval language sql immutable set search_path = '' as $$ select interval '30 days' $$;
comment on function private.hidden_hazard_pause is 'So long nobody reports again what a moderator hid of theirs.';
create function private.most_hazard_notifications() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.most_hazard_notifications is 'Hazards that one person is told of in a day.';
create function private.is_there(p_user_id uuid, p_park_id bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.check_ins c
    where c.user_id = p_user_id and c.park_id = p_park_id and not c.planned
      and coalesce(c.ended_at, c.expires_at) > now() - private.just_left());
end
$$;
comment on function private.is_there is 'Whether somebody is checked in at a park, or has just left.';
-- users.sql
alter table private.user_consents add column licence_agreed_at timestamptz;
comment on table private.user_consents is 'When a user said to be old enough (no birth year is stored), accepted the terms, and agreed that facts they give are published under the ODbL.';
create function private.require_contributor() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
begin
  if not exists (select from private.user_consents c where c.user_id = me and c.licence_agreed_at is not null) then
    perform private.fail('licence_required', 'Agree first that facts about parks are published under the ODbL.');
  end if;
  return me;
end
$$;
comment on function private.require_contributor is 'The caller''s id; refuses before the terms, the age and the licence of contributed facts are agreed to.';
create or replace function public.my_consents() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('age_confirmed', c.age_confirmed_at is not null, 'terms_accepted', c.terms_accepted_at is not null,
    'licence_agreed', c.licence_agreed_at is not null)
  from private.user_consents c where c.user_id = private.require_user()
$$;
drop function public.accept_terms();
create function public.accept_terms(p_licence boolean default false) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  update private.user_consents c
  set terms_accepted_at = coalesce(c.terms_accepted_at, now()),
    licence_agreed_at = case when p_licence then coalesce(c.licence_agreed_at, now()) else c.licence_agreed_at end
  where c.user_id = me;
  if p_licence then
    delete from private.unlicensed_contributions u where u.user_id = me;
  end if;
end
$$;
comment on function public.accept_terms is 'p_licence: the terms that were shown say that facts are published under the ODbL. What the caller gave before is under it from then on, too.';
grant execute on function public.my_consents(), public.accept_terms(boolean), public.confirm_age() to authenticated;
-- live_reports.sql
create type public.park_hazard as enum ('poison', 'glass', 'caterpillars', 'awns', 'looseDog', 'brokenFence', 'noWater');
alter table private.live_reports
  alter column condition drop not null,
  add column hazard public.park_hazard,
  add column verified_at timestamptz,
  add column city_informed_at timestamptz,
  add column hidden_at timestamptz,
  add constraint live_reports_one_kind check (num_nonnulls(condition, hazard) = 1);
comment on table private.live_reports is 'Nobody may know who reported: everybody reads the views park_conditions and park_hazards.';
comment on column private.live_reports.verified_at is 'When somebody else who was there confirmed a hazard: from then on people are told of it. See private.confirm_report.';
comment on column private.live_reports.city_informed_at is 'When somebody said that they told the city of a hazard.';
comment on column private.live_reports.hidden_at is 'When a moderator hid a hazard that is none; it is ended, too.';
create unique index live_reports_one_open_hazard on private.live_reports (park_id, hazard) where ended_at is null;
create function private.hazard_duration(p_hazard public.park_hazard) returns interval
language sql immutable set search_path = ''
as $$
  select case p_hazard
    when 'looseDog' then interval '3 hours'
    when 'noWater' then interval '2 days'
    when 'poison' then interval '3 days'
    when 'glass' then interval '3 days'
    when 'brokenFence' then interval '7 days'
    when 'caterpillars' then interval '14 days'
    when 'awns' then interval '30 days'
  end
$$;
comment on function private.hazard_duration is 'How long a report counts after it was made or last confirmed.';
drop function private.report_end(timestamptz, public.park_condition, public.standing);
create function private.report_end(p_from timestamptz, p_lasts interval, p_standing public.standing) returns timestamptz
language sql stable set search_path = ''
as $$
  select private.quarter_hour(p_from + p_lasts
    * case when p_standing = 'newcomer' then private.newcomer_share() else 1 end::double precision) + interval '15 minutes'
$$;
comment on function private.report_end is 'Until when a word of p_from counts that lasts p_lasts; that of a newcomer who has not been there for a part of the time.';
create or replace function private.confirm_report(p_report_id uuid, p_me uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  report private.live_reports;
  my_standing public.standing;
begin
  select * into report from private.live_reports r
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now() for update;
  if report.id is null then
    return false;
  end if;
  if report.reporter = p_me then
    -- It stays as long as it would have; only that it was over is taken back.
    delete from private.live_report_votes v where v.report_id = p_report_id and v.user_id = p_me;
    return true;
  end if;
  my_standing := private.standing_at(p_me, report.park_id);
  insert into private.live_report_votes (report_id, user_id, vote, standing) values (p_report_id, p_me, 'confirm', my_standing)
  on conflict (report_id, user_id) do update set vote = 'confirm', voted_at = now(), standing = excluded.standing;
  -- Newcomers do not keep it longer than its reporter could have.
  update private.live_reports r
  set confirmed_at = now(), expires_at = greatest(r.expires_at,
    private.report_end(case when my_standing in ('regular', 'regular_there') then now() else r.reported_at end,
      coalesce(private.condition_duration(r.condition), private.hazard_duration(r.hazard)), my_standing))
  where r.id = p_report_id and my_standing <> 'newcomer';
  -- Two people, of whom one is a regular who knows the park: newcomers alone alarm nobody, however many they are.
  if report.hazard is not null and report.verified_at is null and private.is_there(p_me, report.park_id)
    and 'regular_there' in (my_standing, report.standing) then
    update private.live_reports r set verified_at = now() where r.id = p_report_id;
    perform private.add_job('tell-of-hazard', p_report_id::text, jsonb_build_object('report_id', p_report_id), p_lifetime => interval '3 hours');
  end if;
  return true;
end
$$;
comment on function private.confirm_report is 'False when the report is no longer active. The word of its own reporter changes nothing. A hazard is verified by the word of somebody else who is there, where they or the reporter are a regular who has been there.';
create function private.make_report(
  p_me uuid, p_park_id bigint, p_condition public.park_condition default null, p_hazard public.park_hazard default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  my_standing public.standing := private.standing_at(p_me, p_park_id);
  report_id uuid;
begin
  perform private.require_park(p_park_id);
  perform private.limit_action(p_me, 'live_report');
  if num_nonnulls(p_condition, p_hazard) <> 1 then
    perform private.fail('invalid_input', 'Say what is the matter.');
  end if;
  update private.live_reports r set ended_at = r.expires_at
  where r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard) and r.ended_at is null and r.expires_at <= now();
  insert into private.live_reports (park_id, condition, hazard, reporter, standing, expires_at)
  select p_park_id, p_condition, p_hazard, p_me, my_standing,
    private.report_end(now(), coalesce(private.condition_duration(p_condition), private.hazard_duration(p_hazard)), my_standing)
  where not exists (
    select from private.live_reports r
    where r.reporter = p_me and r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard)
      and ((r.ended_at < r.expires_at and r.ended_at > now() - private.report_pause()) or r.hidden_at > now() - private.hidden_hazard_pause()))
  on conflict do nothing
  returning id into report_id;
  if report_id is null then
    select r.id into report_id from private.live_reports r
    where r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard) and r.ended_at is null;
    if report_id is null then
      perform private.fail('too_many', 'Somebody said that what you reported is over. Try again later.');
    end if;
    perform private.confirm_report(report_id, p_me);
  end if;
  return report_id;
end
$$;
comment on function private.make_report is 'The new report of a condition or a hazard; where there is one already, its reporter is joined: that one is confirmed.';
create or replace view public.park_conditions with (security_barrier) as
  select r.id, r.park_id, r.condition,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.quarter_hour(r.confirmed_at) as confirmed_at,
    (select count(*)::integer from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm' and v.standing <> 'newcomer') as confirmations,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.condition is not null and r.ended_at is null and r.expires_at > now();
create or replace function public.report_condition(p_park_id bigint, p_condition public.park_condition, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'report_condition');
begin
  if result is null then
    result := private.store_idempotent_result(p_key, to_jsonb(private.make_report(me, p_park_id, p_condition)));
  end if;
  return result #>> '{}';
end
$$;
-- contributions.sql
create type public.park_claim as enum ('closed', 'notDogPark', 'double');
alter table public.park_suggestions
  add column words jsonb,
  add column lat double precision,
  add column long double precision,
  add column claim public.park_claim,
  add column double_of bigint references public.parks (id) on delete cascade,
  add column before jsonb not null default '{}',
  add column facts jsonb,
  drop constraint park_suggestions_check,
  add constraint park_suggestions_not_empty check (num_nonnulls(size, materials, shade, has_facilities, words, lat, claim, facts) > 0),
  add constraint park_suggestions_facts check (private.are_park_facts(facts)),
  add constraint park_suggestions_place check (num_nonnulls(lat, long) <> 1 and lat between -90 and 90 and long between -180 and 180),
  add constraint park_suggestions_double check ((claim is not distinct from 'double') = (double_of is not null) and double_of <> park_id);
comment on table public.park_suggestions is 'What users suggest about a park; null leaves a detail as it is. Seen by whoever suggested.';
comment on column public.park_suggestions.words is 'By language: name, city and address, those that are to change.';
comment on column public.park_suggestions.facts is 'Those that are to change, as in parks.facts.';
comment on column public.park_suggestions.claim is 'That the park is closed for good, is no dog park, or is the same as double_of.';
comment on column public.park_suggestions.before is 'What the park said of the same fields when this was suggested; see private.park_fields.';
alter table public.park_photos add column of_hazard boolean not null default false;
comment on column public.park_photos.of_hazard is 'It shows a hazard (private.hazard_photos), and is none of the gallery.';
create table private.unlicensed_contributions (
  park_id bigint not null references public.parks (id) on delete cascade,
  field text not null,
  user_id uuid references public.users (id) on delete set null
);
comment on table private.unlicensed_contributions is 'Fields of parks, or the whole park (field ''park''), whose giver has not agreed to the ODbL: whatever is published as open data leaves them out. All are from before the terms asked for it.';
comment on column private.unlicensed_contributions.user_id is 'Null once the account is deleted: then nobody can agree any more.';
alter table private.unlicensed_contributions enable row level security;
create index on public.park_suggestions (double_of);
create index on private.unlicensed_contributions (park_id);
create index on private.unlicensed_contributions (user_id);
create or replace function private.turn_update_into_suggestion() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  suggestion public.park_suggestions;
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
  suggestion.park_id := old.id;
  suggestion.size := nullif(new.size, old.size);
  suggestion.materials := nullif(new.materials, old.materials);
  suggestion.shade := nullif(new.shade, old.shade);
  suggestion.has_facilities := nullif(new.has_facilities, old.has_facilities);
  perform private.add_suggestion(suggestion);
  return old;
end
$$;
create or replace function private.sync_park_photos() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  of_park bigint;
  uploader uuid;
begin
  if tg_op = 'UPDATE' and new.name = old.name and old.bucket_id in ('parks', 'pending-photos') and new.bucket_id in ('parks', 'pending-photos') then
    -- A moderator approves a photo by moving its file to where everybody may read it.
    if new.bucket_id = 'parks' then
      update public.park_photos f set status = 'approved' where f.path = new.name;
    end if;
    return null;
  end if;
  if tg_op <> 'INSERT' and old.bucket_id in ('parks', 'pending-photos') then
    update public.parks p set primary_photo = private.first_photo(p.id) where p.primary_photo = old.name and p.id in (
      select f.park_id from public.park_photos f where f.path = old.name
      union select (regexp_match(old.name, '^(\d{1,18})/'))[1]::bigint);
    delete from public.park_photos f where f.path = old.name;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id in ('parks', 'pending-photos') then
    of_park := (regexp_match(new.name, '^(\d{1,18})/(?:primary|other)/[^/]+$'))[1]::bigint;
    uploader := coalesce(auth.uid(), case when new.owner_id ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then new.owner_id::uuid end);
    if not exists (select from public.parks p where p.id = of_park) then
      return null;
    end if;
    if new.name like '%/primary/%' then
      update public.parks p set primary_photo = new.name where p.id = of_park and new.bucket_id = 'parks';
    else
      insert into public.park_photos (path, park_id, status)
      values (new.name, of_park, case when uploader is null and new.bucket_id = 'parks' then 'approved'::public.park_status else 'pending' end)
      on conflict do nothing;
      if uploader is not null then
        perform private.limit_subject(uploader, 'park_photo', 30, '1 day');
        insert into private.photo_uploaders (path, user_id)
        select new.name, u.id from public.users u where u.id = uploader
        on conflict do nothing;
      end if;
    end if;
  end if;
  return null;
end
$$;
create function private.first_photo(p_park_id bigint) returns text
language sql stable security definer set search_path = ''
as $$
  select f.path from public.park_photos f
  where f.park_id = p_park_id and f.status = 'approved' and not f.of_hazard
    and exists (select from storage.objects o where o.bucket_id = 'parks' and o.name = f.path)
  order by f.created_at, f.path limit 1
$$;
comment on function private.first_photo is 'The first approved photo of a park whose file is there, or null.';
create function private.set_first_photo() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.parks p set primary_photo = private.first_photo(p.id)
  where p.id = case when tg_op = 'DELETE' then old.park_id else new.park_id end
    and (p.primary_photo is null or (tg_op = 'UPDATE' and p.primary_photo = new.path and new.status <> 'approved'));
  return null;
end
$$;
comment on function private.set_first_photo is 'A park without a primary photo, or whose primary photo was withdrawn, shows the first one that was approved.';
create trigger set_first_photo after insert or delete or update of status, park_id on public.park_photos
  for each row execute function private.set_first_photo();
create function private.clean_park_words(p_words jsonb) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  most constant jsonb := '{"name": 120, "city": 120, "address": 200}';
  cleaned jsonb := '{}';
  given record;
  word record;
  text text;
begin
  if p_words is null then
    return null;
  end if;
  for given in select * from jsonb_each(case jsonb_typeof(p_words) when 'object' then p_words else '{"": 0}' end) loop
    if given.key <> all (enum_range(null::public.language)::text[]) or jsonb_typeof(given.value) <> 'object' then
      perform private.fail('invalid_input', 'Words are name, city and address, by language.');
    end if;
    for word in select * from jsonb_each(given.value) loop
      text := private.clean_name(word.value #>> '{}');
      if most -> word.key is null or jsonb_typeof(word.value) <> 'string' or char_length(text) > (most ->> word.key)::integer
        or (text = '' and word.key <> 'address') then
        perform private.fail('invalid_input', 'Words are name, city and address, by language.');
      end if;
      cleaned := jsonb_set(cleaned, array[given.key], coalesce(cleaned -> given.key, '{}') || jsonb_build_object(word.key, text));
    end loop;
  end loop;
  return nullif(cleaned, '{}');
end
$$;
comment on function private.clean_park_words is 'Name, city and address by language, cleaned; null where nothing is in it. Refuses whatever else there is.';
create function private.park_fields(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('size', p.size, 'materials', to_jsonb(p.materials), 'shade', p.shade, 'has_facilities', p.has_facilities,
    'place', jsonb_build_object('lat', p.lat, 'long', p.long)) || coalesce((
      select jsonb_object_agg(word.name || '.' || t.language, word.text)
      from public.park_translations t cross join lateral (values ('name', t.name), ('city', t.city), ('address', t.address)) word (name, text)
      where t.park_id = p.id), '{}')
    || coalesce((select jsonb_object_agg('fact.' || f.key, f.value) from jsonb_each(p.facts) f), '{}')
  from public.parks p where p.id = p_park_id
$$;
comment on function private.park_fields is 'What a park says, by the field of a suggestion: size, materials, shade, has_facilities, place {lat, long}, name.he, city.he, address.he, fact.lit.';
create function private.suggested_fields(p_suggestion public.park_suggestions) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object('size', s.size, 'materials', to_jsonb(s.materials), 'shade', s.shade, 'has_facilities', s.has_facilities,
    'place', case when s.lat is not null then jsonb_build_object('lat', s.lat, 'long', s.long) end, 'claim', s.claim, 'double_of', s.double_of)) || coalesce((
      select jsonb_object_agg(word.key || '.' || given.key, word.value)
      from jsonb_each(s.words) given cross join lateral jsonb_each(given.value) word), '{}')
    || coalesce((select jsonb_object_agg('fact.' || f.key, f.value) from jsonb_each(s.facts) f), '{}')
  from (select (p_suggestion).*) s
$$;
comment on function private.suggested_fields is 'What a suggestion would change, by the same fields as private.park_fields, and claim and double_of.';
drop function private.add_suggestion(bigint, numeric, public.ground[], numeric, boolean);
create function private.add_suggestion(p_suggestion public.park_suggestions) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_contributor();
  suggestion public.park_suggestions := p_suggestion;
  fields jsonb;
begin
  perform private.require_park(suggestion.park_id);
  if suggestion.double_of is not null then
    perform private.require_park(suggestion.double_of);
  end if;
  perform private.limit_action(me, 'suggest');
  suggestion.materials := nullif(suggestion.materials, '{}');
  suggestion.words := private.clean_park_words(suggestion.words);
  suggestion.facts := nullif(suggestion.facts, '{}');
  if not private.are_park_facts(suggestion.facts) then
    perform private.fail('invalid_input', 'These are no facts of a park.');
  end if;
  fields := private.suggested_fields(suggestion);
  if fields = '{}' then
    perform private.fail('invalid_input', 'Suggest at least one thing.');
  end if;
  insert into public.park_suggestions (park_id, user_id, size, materials, shade, has_facilities, words, lat, long, claim, double_of, facts, before)
  select suggestion.park_id, me, suggestion.size, suggestion.materials, suggestion.shade, suggestion.has_facilities, suggestion.words,
    suggestion.lat, suggestion.long, suggestion.claim, suggestion.double_of, suggestion.facts,
    coalesce((select jsonb_object_agg(now.key, now.value) from jsonb_each(private.park_fields(suggestion.park_id)) now where fields ? now.key), '{}')
  returning id into suggestion.id;
  return suggestion.id;
end
$$;
comment on function private.add_suggestion is 'Checks and stores what the caller suggests about a park; the id of the suggestion.';
create or replace function public.submit_park(
  p_name text, p_city text, p_address text, p_lat double precision, p_long double precision,
  p_language public.language default 'en', p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_contributor();
  result jsonb := private.claim_idempotency_key(p_key, 'submit_park');
  name text := private.clean_name(p_name);
  city text := private.clean_name(p_city);
  address text := private.clean_name(p_address);
  new_id bigint;
begin
  if result is not null then
    return result::bigint;
  end if;
  if coalesce(city, '') = '' or coalesce(address, '') = '' or p_lat is null or p_long is null then
    perform private.fail('invalid_input', 'A park needs a city, an address and a location.');
  end if;
  perform private.limit_rate('submit_park', 10, '1 day');
  insert into public.parks (size, materials, shade, has_facilities, lat, long, source)
  values (p_size, coalesce(p_materials, '{}'), p_shade, p_has_facilities, p_lat, p_long, 'user')
  returning id into new_id;
  insert into public.park_translations (park_id, language, name, city, address)
  values (new_id, p_language, coalesce(nullif(name, ''), left(address, 120)), city, address);
  insert into private.park_submitters (park_id, user_id) values (new_id, me);
  return private.store_idempotent_result(p_key, to_jsonb(new_id))::bigint;
end
$$;
drop function public.suggest_park_details(bigint, numeric, public.ground[], numeric, boolean, uuid);
create function public.suggest_park_details(
  p_park_id bigint, p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null,
  p_words jsonb default null, p_lat double precision default null, p_long double precision default null,
  p_claim public.park_claim default null, p_double_of bigint default null, p_facts jsonb default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  result jsonb;
  suggestion public.park_suggestions;
begin
  perform private.require_contributor();
  result := private.claim_idempotency_key(p_key, 'suggest_park_details');
  if result is null then
    suggestion.park_id := p_park_id;
    suggestion.size := p_size;
    suggestion.materials := p_materials;
    suggestion.shade := p_shade;
    suggestion.has_facilities := p_has_facilities;
    suggestion.words := p_words;
    suggestion.lat := p_lat;
    suggestion.long := p_long;
    suggestion.claim := p_claim;
    suggestion.double_of := p_double_of;
    suggestion.facts := p_facts;
    result := private.store_idempotent_result(p_key, to_jsonb(private.add_suggestion(suggestion)));
  end if;
  return result #>> '{}';
end
$$;
comment on function public.suggest_park_details is 'Suggests what is missing or wrong: details, p_facts (as in parks.facts), p_words ({language: {name, city, address}}), the place, or that the park is closed for good, no dog park, or the same as p_double_of.';
grant execute on function
  public.submit_park(text, text, text, double precision, double precision, public.language, numeric, public.ground[], numeric, boolean, uuid),
  public.suggest_park_details(bigint, numeric, public.ground[], numeric, boolean, uuid, jsonb, double precision, double precision, public.park_claim, bigint, jsonb)
to authenticated;
-- hazards.sql
create table private.hazard_photos (
  path text primary key references public.park_photos (path) on update cascade on delete cascade,
  report_id uuid not null references private.live_reports (id) on delete cascade
);
comment on table private.hazard_photos is 'Photos of hazards; like any photo of a park they show once a moderator approved them.';
alter table private.hazard_photos enable row level security;
create index on private.hazard_photos (report_id);
create function private.tell_of_hazard(p_report_id uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  report private.live_reports;
  told integer;
begin
  select * into report from private.live_reports r
  where r.id = p_report_id and r.verified_at is not null and r.ended_at is null and r.expires_at > now();
  if report.id is null or exists (
    select from private.live_reports earlier
    where earlier.park_id = report.park_id and earlier.hazard = report.hazard and earlier.id <> report.id
      and earlier.verified_at > now() - private.hazard_pause()
  ) then
    return 0;
  end if;
  -- Without a sender: nobody may know who reported.
  insert into public.notifications (type, receiver_id, data)
  select 'hazard', going.user_id, jsonb_build_object('park_id', report.park_id, 'report_id', report.id, 'hazard', report.hazard)
  from (
    select f.user_id from public.favourite_parks f where f.park_id = report.park_id
    union
    select side from public.park_invites i, unnest(array[i.sender_id, i.receiver_id]) side
    where i.park_id = report.park_id and i.status = 'accepted'
      and i.meet_at between now() - private.just_left() and now() + interval '3 hours'
  ) going
  where going.user_id is distinct from report.reporter
    and not exists (select from private.live_report_votes v where v.report_id = report.id and v.user_id = going.user_id)
    and (
      select count(*) from public.notifications n
      where n.receiver_id = going.user_id and n.created_at > now() - interval '1 day' and n.type = 'hazard'
    ) < private.most_hazard_notifications();
  get diagnostics told = row_count;
  return told;
end
$$;
comment on function private.tell_of_hazard is 'Notifies those who favour the park or meet there within three hours, but not who reported, confirmed or denied it; how many.';
create function private.tell_of_hazards() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('tell-of-hazard', 20) loop
    perform private.tell_of_hazard((job.payload ->> 'report_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.tell_of_hazards is 'Drains the jobs tell-of-hazard: the host does it at once, on Supabase pg_cron each minute. A job of its own, because a park may be the favourite of thousands.';
create view public.park_hazards with (security_barrier) as
  select r.id, r.park_id, r.hazard,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    (select count(*)::integer from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm' and v.standing <> 'newcomer') as confirmations,
    r.verified_at is not null as verified,
    private.quarter_hour(r.city_informed_at) as city_informed_at,
    private.quarter_hour(r.ended_at) as cleared_at,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine,
    array(
      select h.path from private.hazard_photos h join public.park_photos f on f.path = h.path and f.status = 'approved'
      where h.report_id = r.id order by h.path) as photos
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.hazard is not null and r.hidden_at is null
    and case when r.ended_at is null then r.expires_at > now()
      else r.verified_at is not null and r.ended_at < r.expires_at and r.ended_at > now() - interval '1 day'
        and not exists (
          select from private.live_reports again
          where again.park_id = r.park_id and again.hazard = r.hazard and again.ended_at is null and again.expires_at > now())
    end;
comment on view public.park_hazards is 'The hazards of parks that are reported now; those that were verified also for a day after they were cleared.';
comment on column public.park_hazards.id is 'never null';
comment on column public.park_hazards.park_id is 'never null';
comment on column public.park_hazards.hazard is 'never null';
comment on column public.park_hazards.reported_at is 'The quarter of an hour only, except for the reporter; never null';
comment on column public.park_hazards.confirmations is 'How many others confirmed it who are regulars or have been there; never null';
comment on column public.park_hazards.verified is 'Whether somebody else who was there confirmed it; never null';
comment on column public.park_hazards.city_informed_at is 'When somebody said that they told the city, by the quarter of an hour.';
comment on column public.park_hazards.cleared_at is 'By the quarter of an hour; null while it is there.';
comment on column public.park_hazards.expires_at is 'never null';
comment on column public.park_hazards.mine is 'Whether the caller reported it; never null';
comment on column public.park_hazards.photos is 'Approved ones, as paths in the bucket parks; never null';
grant select on public.park_hazards to anon, authenticated;
create function public.report_hazard(p_park_id bigint, p_hazard public.park_hazard, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'report_hazard');
begin
  if result is null then
    result := private.store_idempotent_result(p_key, to_jsonb(private.make_report(me, p_park_id, p_hazard => p_hazard)));
  end if;
  return result #>> '{}';
end
$$;
comment on function public.report_hazard is 'The id of the report. Confirm it with confirm_condition, say that it is cleared with end_condition.';
create function public.inform_city(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'inform_city');
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_action(me, 'live_report');
  update private.live_reports r set city_informed_at = coalesce(r.city_informed_at, now())
  where r.id = p_report_id and r.hazard is not null and r.ended_at is null and r.expires_at > now()
    and private.has_been_at(me, r.park_id);
  return private.store_idempotent_result(p_key, to_jsonb(found))::boolean;
end
$$;
comment on function public.inform_city is 'Says that the caller told the city of a hazard; who has not been there is not believed. Whether it is written there now.';
create function public.add_hazard_photo(p_report_id uuid, p_path text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
begin
  insert into private.hazard_photos (path, report_id)
  select f.path, r.id
  from private.live_reports r
  join public.park_photos f on f.path = p_path and f.park_id = r.park_id and f.status = 'pending'
  join private.photo_uploaders u on u.path = f.path and u.user_id = me
  where r.id = p_report_id and r.hazard is not null and r.ended_at is null and r.expires_at > now()
    and (r.reporter = me or exists (
      select from private.live_report_votes v where v.report_id = r.id and v.user_id = me and v.vote = 'confirm'))
  on conflict do nothing;
  update public.park_photos f set of_hazard = true
  where f.path = p_path and exists (select from private.hazard_photos h where h.path = f.path and h.report_id = p_report_id);
  return found;
end
$$;
comment on function public.add_hazard_photo is 'Makes a photo that the caller uploaded (it still waits for a moderator) one of a hazard that they reported or confirmed; false where it is not theirs, or that is over. Safe to call again.';
create function public.open_hazards()
returns table (id uuid, park_id bigint, park text, hazard public.park_hazard, standing public.standing, reported_at timestamptz, verified_at timestamptz,
  confirmations integer, denials integer, city_informed_at timestamptz, expires_at timestamptz, photos text[], pending_photos text[])
language sql stable security definer set search_path = ''
as $$
  select r.id, r.park_id, private.park_name(r.park_id, 'en'), r.hazard, r.standing, private.quarter_hour(r.reported_at), r.verified_at,
    (select count(*)::integer from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm'),
    (select count(*)::integer from private.live_report_votes v where v.report_id = r.id and v.vote = 'over'),
    r.city_informed_at, r.expires_at,
    array(select h.path from private.hazard_photos h join public.park_photos f using (path) where h.report_id = r.id and f.status = 'approved' order by 1),
    array(select h.path from private.hazard_photos h join public.park_photos f using (path) where h.report_id = r.id and f.status = 'pending' order by 1)
  from private.live_reports r
  where r.hazard is not null and r.ended_at is null and r.expires_at > now()
  order by r.reported_at
$$;
comment on function public.open_hazards is 'For moderators: the hazards that show now, oldest first; without their reporters.';
create function public.hide_hazard(p_report_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  report private.live_reports;
begin
  update private.live_reports r set hidden_at = now(), ended_at = coalesce(r.ended_at, now())
  where r.id = p_report_id and r.hazard is not null and r.hidden_at is null
  returning * into report;
  delete from public.notifications n
  where n.type = 'hazard' and n.data ->> 'report_id' = p_report_id::text and n.created_at >= report.reported_at;
  return report.id is not null;
end
$$;
comment on function public.hide_hazard is 'Ends a hazard that is none, and takes back what people were told of it; its reporter cannot report it again for a month.';
grant execute on function
  public.report_hazard(bigint, public.park_hazard, uuid),
  public.inform_city(uuid, uuid),
  public.add_hazard_photo(uuid, text)
to authenticated;
grant execute on function public.open_hazards(), public.hide_hazard(uuid) to service_role;
-- park_live.sql
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
    from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > now() group by c.park_id
    union all
    select r.park_id, null, null, r.average_rank, r.review_count, null
    from private.park_ratings r where r.review_count > 0
    union all
    select l.park_id, null, null, null, null, array_agg(l.condition order by l.condition)
    from private.live_reports l where l.condition is not null and l.ended_at is null and l.expires_at > now() group by l.park_id
  ) source
  join public.parks p on p.id = source.park_id and p.status = 'approved'
  group by source.park_id;
create or replace function public.live_counts(p_since integer default null, p_fresh boolean default false) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  moment timestamptz := now();
  -- Whoever asks within the same three seconds goes on from the same slot, so that the next questions are the same, too.
  slot integer := floor(extract(epoch from moment) / 3);
  -- Ten seconds are told twice: a change is seen when its transaction commits, at most a statement timeout (8 s) after the
  -- moment that it carries.
  since timestamptz := case when p_since between slot - 400 and slot
    then to_timestamp(p_since * 3::double precision) - interval '10 seconds' end;
  dogs text;
  conditions text;
  hazards text;
  answer text;
begin
  with present as (
    select c.park_id, sum(c.dog_count) as dogs
    from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > moment group by c.park_id
  ), touched as (
    select c.park_id from public.check_ins c
    where since is null and c.ended_at is null and c.counted and c.expires_at > moment
    union
    select c.park_id from public.check_ins c
    where c.ended_at is null and c.counted and c.expires_at > since and (c.started_at > since or c.expires_at <= moment)
    union
    -- Bounded at both ends, so that the planner expects few.
    select c.park_id from public.check_ins c where c.ended_at > since and c.ended_at < moment + interval '1 minute' and c.counted
  ), counted as (
    select p.id, coalesce(n.dogs, 0) as dogs, p.id - coalesce(lag(p.id) over (order by p.id), 0) as step
    from touched t join public.parks p on p.id = t.park_id and p.status = 'approved'
    left join present n on n.park_id = p.id
    where since is not null or n.dogs > 0
  )
  select string_agg(c.step || ',' || c.dogs, ',' order by c.id) into dogs from counted c;

  with touched as (
    select l.park_id from private.live_reports l
    where l.ended_at is null and l.expires_at > coalesce(since, moment)
      and (since is null or l.reported_at > since or l.verified_at > since or l.expires_at <= moment)
    union
    select l.park_id from private.live_reports l where l.ended_at > since
  ), reported as (
    select p.id, json_agg(l.condition order by l.condition) filter (where l.condition is not null) as conditions,
      json_object_agg(l.hazard, l.verified_at is not null order by l.hazard) filter (where l.hazard is not null) as hazards
    from touched t join public.parks p on p.id = t.park_id and p.status = 'approved'
    left join private.live_reports l on l.park_id = p.id and l.ended_at is null and l.expires_at > moment
    group by p.id
  )
  select string_agg(format('"%s":%s', r.id, coalesce(r.conditions, '[]')), ',' order by r.id) filter (where since is not null or r.conditions is not null),
    string_agg(format('"%s":%s', r.id, coalesce(r.hazards, '{}')), ',' order by r.id) filter (where since is not null or r.hazards is not null)
  into conditions, hazards
  from reported r;

  answer := format('{"at":%s%s%s%s%s}',
    case when since is not null and dogs is null and conditions is null then p_since else slot end,
    case when since is null then ',"all":true' end,
    ',"dogs":[' || dogs || ']',
    ',"conditions":{' || conditions || '}',
    ',"hazards":{' || hazards || '}');
  -- Changes are shorter than the validator that would spare them.
  perform set_config('response.headers', (
    jsonb_build_array(jsonb_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end))
    || case when since is null then jsonb_build_array(jsonb_build_object('ETag', format('"%s"', left(md5(answer), 12)))) else '[]' end)::text, true);
  return answer::json;
end
$$;
comment on function public.live_counts is 'Dogs now, conditions and hazards: {at, all?, dogs: [step to the next park id, dogs, …], conditions: {park id: […]}, hazards: {park id: {hazard: whether it is verified}}}. With the last at as p_since only parks that changed, else all that have any (all is true). The same for every caller, so shared caches may hand it out for 3 seconds; not with p_fresh.';
create or replace function public.park_status(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'dogs_now', there.dogs,
    'people_now', there.people,
    'busy_level', private.busy_level(there.dogs),
    'average_rank', r.average_rank,
    'review_count', coalesce(r.review_count, 0),
    'rank_distribution', coalesce(r.ranks, '{0,0,0,0,0}'),
    'friends_here', case when me is null then '[]' else private.friends_at(p.id) end,
    'conditions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.condition) from public.park_conditions c where c.park_id = p.id), '[]'),
    'hazards', coalesce((
      select jsonb_agg(to_jsonb(h) order by h.cleared_at is not null, h.verified desc, h.hazard) from public.park_hazards h where h.park_id = p.id), '[]'),
    'my_check_in', (
      select jsonb_build_object('check_in_id', c.id, 'park_id', c.park_id, 'started_at', c.started_at, 'expires_at', c.expires_at, 'dog_count', c.dog_count)
      from public.check_ins c
      where c.user_id = me and c.park_id = p.id and c.ended_at is null and not c.planned and c.expires_at > now()),
    'my_plan', (
      select jsonb_build_object('expires_at', c.expires_at)
      from public.check_ins c
      where c.user_id = me and c.park_id = p.id and c.ended_at is null and c.planned and c.expires_at > now()),
    'is_favourite', exists (select from public.favourite_parks f where f.user_id = me and f.park_id = p.id),
    'my_review_id', (select v.id from public.reviews v where v.author = me and v.park_id = p.id)
  )
  from private.uid() me
  join public.parks p on p.id = p_park_id and p.status = 'approved'
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (
    select coalesce(sum(c.dog_count), 0)::bigint as dogs, count(*) as people
    from public.check_ins c where c.park_id = p.id and c.ended_at is null and c.counted and c.expires_at > now()
  ) there
$$;
-- notifications.sql
alter type public.notification_type add value 'hazard';
alter table public.notifications alter column sender_id drop not null;
comment on column public.notifications.sender_id is 'Null of a hazard: nobody may know who reported it.';
comment on column public.notifications.data is 'park_id, invite_id, meet_at, accepted, report_id and hazard, where the type has them.';
alter table public.notifications_preferences add column hazard boolean not null default true;
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
      when 'hazard' then wanted.hazard
      else wanted.park_invite
    end, true) then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  select t.* into texts from private.notification_texts(
    new.type, receiver.language, (select u.name from public.users u where u.id = new.sender_id),
    private.park_name((new.data ->> 'park_id')::bigint, receiver.language),
    (new.data ->> 'meet_at')::timestamptz, (new.data ->> 'accepted')::boolean, new.data ->> 'hazard') t;
  update public.notifications n
  set title = texts.title, app_message = texts.message, push_message = texts.message, is_ready = true
  where n.id = new.id;
  if found then
    perform private.add_job('send-push', new.id || ' ' || d.device_id,
      jsonb_build_object('notification_id', new.id, 'device_id', d.device_id), new.receiver_id)
    from public.device_tokens d where d.user_id = new.receiver_id;
  end if;
  return null;
end
$$;
drop function private.notification_texts(public.notification_type, public.language, text, text, timestamptz, boolean);
create function private.notification_texts(
  p_type public.notification_type, p_language public.language, p_sender text, p_park text, p_meet_at timestamptz, p_accepted boolean, p_hazard text,
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
    private.isolate_direction(coalesce(to_char(p_meet_at at time zone 'Asia/Jerusalem', texts ->> 'time'), '')),
    texts #>> array['hazards', p_hazard]);
end
$$;
-- former_parks.sql
create table public.former_parks (
  park_id bigint primary key references public.parks (id) on delete cascade,
  reason public.park_claim not null,
  merged_into bigint references public.parks (id) on delete cascade,
  since timestamptz not null default date_trunc('day', now(), 'Asia/Jerusalem'),
  check ((reason = 'double') = (merged_into is not null)),
  check (merged_into <> park_id)
);
comment on table public.former_parks is 'What became of parks that were listed once.';
comment on column public.former_parks.merged_into is 'The park that has its reviews, visits and favourites now, where it was a double.';
alter table public.former_parks enable row level security;
create table private.replaced_reviews (
  id uuid primary key,
  author uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  title text not null,
  content text not null,
  rank smallint not null,
  anonymous boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table private.replaced_reviews is 'The older one of two reviews whose parks were merged: nobody reads it but its author, in the export.';
comment on column private.replaced_reviews.park_id is 'The park that it was written for.';
alter table private.replaced_reviews enable row level security;
grant select on public.former_parks to anon, authenticated;
create index on public.former_parks (merged_into);
create index on private.replaced_reviews (author);
create index on private.replaced_reviews (park_id);
create policy "everybody learns what became of a park" on public.former_parks for select to anon, authenticated
  using (true);
create function private.merge_reviews(p_from bigint, p_into bigint) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  replaced integer;
begin
  with pairs as (
    select a.id as from_id, b.id as into_id, a.updated_at > b.updated_at as is_newer
    from public.reviews a join public.reviews b on b.author = a.author and b.park_id = p_into
    where a.park_id = p_from
  ), older as (
    delete from public.reviews r using pairs where r.id = case when pairs.is_newer then pairs.into_id else pairs.from_id end
    returning r.id, r.author, r.park_id, r.title, r.content, r.rank, r.anonymous, r.created_at, r.updated_at
  )
  insert into private.replaced_reviews select * from older;
  get diagnostics replaced = row_count;
  update public.reviews r set park_id = p_into where r.park_id = p_from;
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select h.author, p_into, h.hidden_at from private.hidden_reviews h where h.park_id = p_from
  on conflict do nothing;
  delete from private.hidden_reviews h where h.park_id = p_from;
  -- The trigger that counts ranks knows no review that changes its park.
  delete from private.park_ratings g where g.park_id in (p_from, p_into);
  insert into private.park_ratings (park_id, ranks, newcomer_ranks)
  select p_into, array_agg(counted.ranks order by counted.stars), array_agg(counted.newcomers order by counted.stars)
  from (
    select s.stars, count(r.id)::integer as ranks, (count(r.id) filter (where r.standing = 'newcomer_there'))::integer as newcomers
    from generate_series(1, 5) s (stars)
    left join public.reviews r on r.park_id = p_into and r.rank = s.stars and r.hidden_at is null
      and r.standing in ('newcomer_there', 'regular_there')
    group by s.stars
  ) counted;
  return replaced;
end
$$;
comment on function private.merge_reviews is 'Moves the reviews of a park to another; where somebody reviewed both, the newer one stays. How many were replaced.';
create function public.close_park(p_park_id bigint, p_reason public.park_claim) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_reason is null or p_reason = 'double' then
    perform private.fail('invalid_input', 'A park that is the same as another is merged with it.');
  end if;
  update public.parks p set status = 'rejected' where p.id = p_park_id and p.status = 'approved';
  if not found then
    return false;
  end if;
  insert into public.former_parks (park_id, reason) values (p_park_id, p_reason)
  on conflict (park_id) do update set reason = excluded.reason, merged_into = null, since = excluded.since;
  return true;
end
$$;
comment on function public.close_park is 'Takes a park off the map that is closed for good or no dog park; moderate_park brings it back. False where it is not listed.';
create function public.merge_parks(p_from bigint, p_into bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  moved jsonb;
begin
  -- Both in one order, so that two mergers do not wait for each other.
  perform from public.parks p where p.id in (p_from, p_into) order by p.id for update;
  if p_from is not distinct from p_into or not exists (select from public.parks p where p.id = p_from)
    or not exists (select from public.parks p where p.id = p_into and p.status = 'approved') then
    perform private.fail('park_not_found', 'Name two parks, of which the second is listed.');
  end if;
  moved := jsonb_build_object(
    'reviews', (select count(*) from public.reviews r where r.park_id = p_from),
    'visits', (select count(*) from public.check_ins c where c.park_id = p_from),
    'favourites', (select count(*) from public.favourite_parks f where f.park_id = p_from),
    'replaced_reviews', private.merge_reviews(p_from, p_into));
  update public.check_ins c set park_id = p_into where c.park_id = p_from;
  insert into private.busy_hours as b (park_id, day, hour, dogs)
  select p_into, o.day, o.hour, o.dogs from private.busy_hours o where o.park_id = p_from
  on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs;
  delete from private.busy_hours b where b.park_id = p_from;
  insert into public.favourite_parks (user_id, park_id, created_at)
  select f.user_id, p_into, f.created_at from public.favourite_parks f where f.park_id = p_from
  on conflict do nothing;
  delete from public.favourite_parks f where f.park_id = p_from;
  -- What is reported of both is one report.
  update private.live_reports r set ended_at = least(now(), r.expires_at)
  where r.park_id = p_from and r.ended_at is null and exists (
    select from private.live_reports o
    where o.park_id = p_into and o.ended_at is null and (o.condition = r.condition or o.hazard = r.hazard));
  update private.live_reports r set park_id = p_into where r.park_id = p_from;
  delete from public.park_invites i where i.park_id = p_from and exists (
    select from public.park_invites o
    where o.park_id = p_into and o.sender_id = i.sender_id and o.receiver_id = i.receiver_id and o.meet_at = i.meet_at);
  update public.park_invites i set park_id = p_into where i.park_id = p_from;
  update public.parks p set
    size = coalesce(p.size, o.size), materials = case when p.materials = '{}' then o.materials else p.materials end,
    shade = coalesce(p.shade, o.shade), has_facilities = coalesce(p.has_facilities, o.has_facilities),
    facts = o.facts || p.facts,
    fact_sources = p.fact_sources || coalesce((
      select jsonb_object_agg(f.key, coalesce(o.fact_sources -> f.key, jsonb_build_array(o.source, o.source_date)))
      from jsonb_object_keys(o.facts) f (key) where not p.facts ? f.key), '{}'),
    primary_photo = coalesce(p.primary_photo, o.primary_photo)
  from public.parks o where p.id = p_into and o.id = p_from;
  -- Photos keep their paths, which begin with the old park's id.
  update public.park_photos f set park_id = p_into where f.park_id = p_from;
  insert into public.park_translations (park_id, language, name, city, address)
  select p_into, t.language, t.name, t.city, t.address from public.park_translations t where t.park_id = p_from
  on conflict do nothing;
  update private.unlicensed_contributions u set park_id = p_into where u.park_id = p_from;
  delete from public.park_suggestions s where s.double_of = p_into and s.park_id = p_from and s.status = 'pending';
  update public.park_suggestions s set park_id = p_into
  where s.park_id = p_from and s.status = 'pending' and s.claim is null;
  update public.park_suggestions s set double_of = p_into where s.double_of = p_from and s.park_id <> p_into;
  delete from public.park_suggestions s where s.double_of = p_from;
  update public.parks p set status = 'rejected', primary_photo = null where p.id = p_from;
  update public.former_parks f set merged_into = p_into where f.merged_into = p_from;
  insert into public.former_parks (park_id, reason, merged_into) values (p_from, 'double', p_into)
  on conflict (park_id) do update set reason = 'double', merged_into = p_into, since = excluded.since;
  return moved;
end
$$;
comment on function public.merge_parks is 'Makes one park of two: the second keeps its own facts and gets what it lacks, and the reviews, visits, favourites, meetings, reports and photos of the first, whose address leads to it from then on. How many of each: {reviews, visits, favourites, replaced_reviews}.';
grant execute on function public.close_park(bigint, public.park_claim), public.merge_parks(bigint, bigint) to service_role;
-- moderation.sql
create table private.photo_reports (
  path text not null references public.park_photos (path) on update cascade on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (path, reporter)
);
comment on table private.photo_reports is 'One report per user and photo of a park.';
alter table private.photo_reports enable row level security;
create index on private.photo_reports (reporter);
create index photo_reports_open on private.photo_reports (created_at) where resolved_at is null;
create function public.report_photo(p_path text, p_reason public.report_reason) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  insert into private.photo_reports (path, reporter, reason)
  select f.path, me, p_reason from public.park_photos f
  where f.path = p_path and f.status = 'approved' and f.path not in (select private.uploaded_photo_paths())
  on conflict do nothing;
end
$$;
create or replace function public.moderate_park(p_park_id bigint, p_approve boolean) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with decided as (
    update public.parks p set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
    where p.id = p_park_id returning p.id
  ), listed_again as (
    delete from public.former_parks f using decided d where f.park_id = d.id and p_approve
  ) select exists (select from decided)
$$;
create or replace function public.moderate_suggestion(p_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  suggestion public.park_suggestions;
  given record;
begin
  update public.park_suggestions s
  set status = case when p_approve then 'approved'::public.park_status else 'rejected' end, decided_at = now()
  where s.id = p_id and s.status = 'pending' returning * into suggestion;
  if suggestion.id is null or not p_approve then
    return suggestion.id is not null;
  end if;
  update public.parks p set
    size = coalesce(suggestion.size, p.size), materials = coalesce(suggestion.materials, p.materials),
    shade = coalesce(suggestion.shade, p.shade), has_facilities = coalesce(suggestion.has_facilities, p.has_facilities),
    lat = coalesce(suggestion.lat, p.lat), long = coalesce(suggestion.long, p.long),
    facts = p.facts || coalesce(suggestion.facts, '{}'),
    fact_sources = p.fact_sources || coalesce((
      select jsonb_object_agg(said.key, jsonb_build_array('people', (suggestion.created_at at time zone 'Asia/Jerusalem')::date))
      from (
        select jsonb_object_keys(suggestion.facts)
        union all
        select field from jsonb_object_keys(private.suggested_fields(suggestion)) field where field in ('size', 'materials', 'shade', 'has_facilities')
      ) said (key)), '{}')
  where p.id = suggestion.park_id;
  -- A language that the park had no words in takes what is not given from another one.
  for given in select key::public.language as language, value from jsonb_each(suggestion.words) loop
    insert into public.park_translations as t (park_id, language, name, city, address)
    select o.park_id, given.language, coalesce(given.value ->> 'name', o.name), coalesce(given.value ->> 'city', o.city),
      coalesce(given.value ->> 'address', o.address)
    from public.park_translations o where o.park_id = suggestion.park_id
    order by o.language = given.language desc, o.language = 'en' desc, o.language limit 1
    on conflict (park_id, language) do update set name = excluded.name, city = excluded.city, address = excluded.address;
  end loop;
  -- Suggested before the terms asked for the licence.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select suggestion.park_id, field, suggestion.user_id
  from jsonb_object_keys(private.suggested_fields(suggestion)) field
  where not exists (select from private.user_consents c where c.user_id = suggestion.user_id and c.licence_agreed_at is not null);
  if suggestion.claim = 'double' then
    perform public.merge_parks(suggestion.park_id, suggestion.double_of);
  elsif suggestion.claim is not null then
    perform public.close_park(suggestion.park_id, suggestion.claim);
  end if;
  return true;
end
$$;
comment on function public.moderate_suggestion is 'Carries out a pending suggestion, or rejects it; false where there is none.';
create function public.pending_suggestions()
returns table (id uuid, park_id bigint, park text, created_at timestamptz, standing public.standing, changes jsonb)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.park_id, private.park_name(s.park_id, 'en'), s.created_at, private.standing_at(s.user_id, s.park_id), (
      select jsonb_agg(jsonb_build_object('field', f.key, 'before', s.before -> f.key, 'now', now.says -> f.key, 'suggested', f.value) order by f.key)
      from jsonb_each(private.suggested_fields(s)) f)
  from public.park_suggestions s cross join lateral (select private.park_fields(s.park_id) as says) now
  where s.status = 'pending'
  order by s.created_at, s.id
$$;
comment on function public.pending_suggestions is 'For moderators: what changed side by side, as [{field, before, now, suggested}]: before is what the park said when it was suggested. Without who suggested, but how well they are known.';
create function public.choose_primary_photo(p_path text) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with chosen as (
    update public.parks p set primary_photo = f.path
    from public.park_photos f where f.path = p_path and f.status = 'approved' and not f.of_hazard and p.id = f.park_id returning p.id
  ) select exists (select from chosen)
$$;
comment on function public.choose_primary_photo is 'Makes an approved photo the one that a park is shown with.';
drop function public.open_reports();
create function public.open_reports()
returns table (kind text, id text, park_id bigint, subject text, reasons public.report_reason[], notes text[], reports integer, first_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select 'review', r.id::text, r.park_id, concat_ws(': ', nullif(r.title, ''), r.content),
    array_agg(distinct x.reason), '{}'::text[], count(*)::integer, min(x.created_at)
  from private.review_reports x join public.reviews r on r.id = x.review_id
  where x.resolved_at is null group by r.id
  union all
  select 'user', u.id::text, null, u.name,
    array_agg(distinct x.reason), coalesce(array_agg(x.note) filter (where x.note <> ''), '{}'), count(*)::integer, min(x.created_at)
  from private.user_reports x join public.users u on u.id = x.user_id
  where x.resolved_at is null group by u.id
  union all
  select 'photo', f.path, f.park_id, private.park_name(f.park_id, 'en'),
    array_agg(distinct x.reason), '{}'::text[], count(*)::integer, min(x.created_at)
  from private.photo_reports x join public.park_photos f on f.path = x.path
  where x.resolved_at is null group by f.path
  order by 8
$$;
comment on function public.open_reports is 'The moderators'' queue, oldest first; the id of a photo is its path; without reporters and without the authors of reviews.';
drop function public.dismiss_reports(uuid);
create function public.dismiss_reports(p_id text) returns integer
language sql volatile security definer set search_path = ''
as $$
  with reviews as (
    update private.review_reports x set resolved_at = now() where x.review_id::text = p_id and x.resolved_at is null returning 1
  ), users as (
    update private.user_reports x set resolved_at = now() where x.user_id::text = p_id and x.resolved_at is null returning 1
  ), photos as (
    update private.photo_reports x set resolved_at = now() where x.path = p_id and x.resolved_at is null returning 1
  )
  select ((select count(*) from reviews) + (select count(*) from users) + (select count(*) from photos))::integer
$$;
comment on function public.dismiss_reports is 'Resolves the open reports of a review, user or photo without doing anything; how many there were.';
grant execute on function
  public.report_review(uuid, public.report_reason),
  public.report_photo(text, public.report_reason),
  public.report_user(uuid, public.report_reason, text)
to authenticated;
grant execute on function
  public.moderate_park(bigint, boolean),
  public.moderate_photo(text, boolean),
  public.moderate_suggestion(uuid, boolean),
  public.moderate_review(uuid, boolean),
  public.open_reports(),
  public.dismiss_reports(text),
  public.pending_suggestions(),
  public.choose_primary_photo(text)
to service_role;
-- account.sql
create or replace function public.export_user_data(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'user', to_jsonb(u),
    'account', (
      select private.pick(to_jsonb(a), 'email', 'email_change', 'email_confirmed_at', 'phone', 'phone_confirmed_at', 'created_at', 'updated_at',
        'last_sign_in_at', 'invited_at', 'banned_until', 'raw_user_meta_data', 'raw_app_meta_data')
      from auth.users a where a.id = u.id),
    'identities', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email', 'created_at', 'updated_at', 'last_sign_in_at')
        order by i.created_at), '[]')
      from auth.identities i where i.user_id = u.id),
    'sessions', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at', 'not_after', 'aal', 'amr', 'user_agent', 'ip')
        order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id),
    'second_factors', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at', 'updated_at', 'last_challenged_at')
        order by m.created_at), '[]')
      from auth.mfa_factors m where m.user_id = u.id),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'dogs', (select coalesce(jsonb_agg(to_jsonb(d) - 'owner' order by d.created_at), '[]') from public.dogs d where d.owner = u.id),
    'friends', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending' else f.status::text end,
        'requested_by_me', f.requester = u.id, 'since', coalesce(f.accepted_at, f.created_at)) order by f.created_at), '[]')
      from private.friendships f join public.users o on o.id = case when f.user_low = u.id then f.user_high else f.user_low end
      where u.id in (f.user_low, f.user_high) and (f.status <> 'declined' or f.requester = u.id) and (f.status = 'accepted' or f.requester <> u.id or not o.hidden)),
    'declined_requests', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'declined_at', d.declined_at) order by d.declined_at), '[]')
      from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = u.id),
    'invites', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(i.park_id, u.language), 'meet_at', i.meet_at, 'status', i.status,
        'sent_by_me', i.sender_id = u.id, 'name', o.name, 'created_at', i.created_at) order by i.created_at), '[]')
      from public.park_invites i join public.users o on o.id = case when i.sender_id = u.id then i.receiver_id else i.sender_id end
      where u.id in (i.sender_id, i.receiver_id)),
    'blocked', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'since', b.created_at) order by b.created_at), '[]')
      from private.listed_blocks(u.id) b join public.users o on o.id = b.blocked),
    'check_ins', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(c.park_id, u.language), 'dog_count', c.dog_count,
        'dogs', (select coalesce(jsonb_agg(d.name order by d.name), '[]')
          from public.check_in_dogs x join public.dogs d on d.id = x.dog_id where x.check_in_id = c.id),
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.planned, 'counted', c.counted) order by c.started_at), '[]')
      from public.check_ins c where c.user_id = u.id),
    'reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from public.reviews r where r.author = u.id),
    'replaced_reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from private.replaced_reviews r where r.author = u.id),
    'hidden_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(h.park_id, u.language), 'hidden_at', h.hidden_at) order by h.hidden_at), '[]')
      from private.hidden_reviews h where h.author = u.id),
    -- Without the review's id, by which an anonymous one could be recognised.
    'reported_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(r.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = u.id),
    'reported_photos', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = u.id),
    -- Without the name, which somebody who hides by now may have changed.
    'reported_people', (
      select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at', x.resolved_at)
        order by x.created_at), '[]')
      from private.user_reports x where x.reporter = u.id),
    'live_report_votes', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'vote', x.vote,
        'voted_at', x.voted_at, 'standing', x.standing) order by x.voted_at), '[]')
      from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = u.id),
    'live_reports', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'reported_at', l.reported_at, 'standing', l.standing) order by l.reported_at), '[]')
      from private.live_reports l where l.reporter = u.id),
    'favourite_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'since', f.created_at) order by f.created_at), '[]')
      from public.favourite_parks f where f.user_id = u.id),
    'submitted_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(p.id, u.language), 'status', p.status, 'created_at', p.created_at) order by p.id), '[]')
      from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = u.id),
    'unlicensed_contributions', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(x.park_id, u.language), 'field', x.field) order by x.park_id, x.field), '[]')
      from private.unlicensed_contributions x where x.user_id = u.id),
    'suggestions', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]') from public.park_suggestions s where s.user_id = u.id),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'receiver_id' - 'sender_id' order by n.created_at), '[]') from public.notifications n where n.receiver_id = u.id and n.is_ready),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id),
    'devices', (select coalesce(jsonb_agg(jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)), '[]') from public.device_tokens d where d.user_id = u.id),
    'rate_limits', (
      select coalesce(jsonb_agg(jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'), 'count', r.count, 'since', r.window_start) order by r.operation), '[]')
      from private.rate_limits r where r.user_id = u.id),
    'recent_commands', (
      select coalesce(jsonb_agg(jsonb_build_object('operation', k.operation, 'created_at', k.created_at) order by k.created_at), '[]')
      from private.idempotency_keys k where k.user_id = u.id),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name) order by o.name), '[]')
      from storage.objects o
      where (o.bucket_id = 'users' and o.name >= u.id || '/' and o.name < u.id || '0')
        or (o.bucket_id in ('parks', 'pending-photos') and o.name in (select x.path from private.photo_uploaders x where x.user_id = u.id)))
  )
  from public.users u where u.id = p_user_id
$$;

-- Whoever gave something before has not agreed to its licence.
insert into private.unlicensed_contributions (park_id, field, user_id)
select p.id, 'park', s.user_id from public.parks p left join private.park_submitters s on s.park_id = p.id where p.source = 'user'
union all
select s.park_id, field, s.user_id
from public.park_suggestions s cross join lateral jsonb_object_keys(private.suggested_fields(s)) field where s.status = 'approved';
