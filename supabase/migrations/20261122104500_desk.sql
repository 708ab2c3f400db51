-- The desk: roles, the queue of what waits for a human with its decisions and their undoing, measures against people, and the
-- audit log. Deciding with moderate_park and its like gives way to desk_decide.

alter type public.notification_type add value 'deskDecision';
alter type public.notification_type add value 'measure';
alter type public.notification_type add value 'deskWaiting';
comment on column public.notifications.sender_id is 'Null of a hazard and of what the desk says: nobody may know who reported it or decided.';
alter table public.notifications_preferences add column desk_decision boolean not null default true;

-- Types ----------------------------------------------------------------------------------------------------------

create type public.measure as enum ('warn', 'limit', 'suspend', 'ban');

create type public.decision_reason as enum (
  'duplicate', 'not_a_park', 'wrong_place', 'not_true', 'unclear', 'wrong_park', 'poor_photo', 'people_in_photo',
  'spam', 'inappropriate', 'misinformation', 'fake', 'personal_information', 'harassment'
);
comment on type public.decision_reason is 'Why a moderator decided against something; the person reads it in their own language (private.texts).';

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.measures (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  measure public.measure not null,
  reason public.decision_reason not null,
  until timestamptz check (until is null or measure in ('limit', 'suspend')),
  shown boolean not null,
  taken_at timestamptz not null default now(),
  lifted_at timestamptz
);
comment on table private.measures is 'What moderators did about a person; the person gets it by mail and in the export.';
comment on column private.measures.until is 'Null of a warning, a ban, and a limit for good.';
comment on column private.measures.shown is 'False where it was taken by something whose author moderators may not know, such as an anonymous review: then no moderator sees it with the person.';
alter table private.measures enable row level security;

-- Indexes --------------------------------------------------------------------------------------------------------

create index on private.measures (user_id);

-- Functions ------------------------------------------------------------------------------------------------------

create function private.is_limited(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.measures m
    where m.user_id = p_user_id and m.measure <> 'warn' and m.lifted_at is null and coalesce(m.until, 'infinity') > now())
$$;
comment on function private.is_limited is 'Whether a person may not post now: limited, suspended or banned.';

create function private.refuse_limited(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_limited(p_user_id) then
    perform private.fail('limited', 'A moderator has paused posting for this account.');
  end if;
end
$$;

create function private.apply_measures() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  person uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  ends timestamptz;
begin
  select max(coalesce(m.until, now() + interval '100 years')) into ends from private.measures m
  where m.user_id = person and m.measure in ('suspend', 'ban') and m.lifted_at is null and coalesce(m.until, 'infinity') > now();
  -- Not infinity: the platform's auth service cannot read it.
  update auth.users a set banned_until = ends where a.id = person and a.banned_until is distinct from ends;
  return null;
end
$$;
comment on function private.apply_measures is 'The auth service refuses sessions until the longest suspension ends.';
create trigger apply_new_measure after insert on private.measures
  for each row when (new.measure in ('suspend', 'ban')) execute function private.apply_measures();
create trigger apply_changed_measure after update of until, lifted_at or delete on private.measures
  for each row when (old.measure in ('suspend', 'ban')) execute function private.apply_measures();

-- Types ----------------------------------------------------------------------------------------------------------

create type public.role as enum ('moderator', 'administrator');

-- Tables ---------------------------------------------------------------------------------------------------------

create table public.user_roles (
  user_id uuid primary key references public.users (id) on delete cascade,
  role public.role not null,
  granted_at timestamptz not null default now(),
  told_at timestamptz not null default '-infinity'
);
comment on table public.user_roles is 'Moderators and administrators. An administrator may do what a moderator may, gives roles, and sees the operator''s page.';
comment on column public.user_roles.told_at is 'When this person was last told by mail that something waits.';
alter table public.user_roles enable row level security;

-- Grants ---------------------------------------------------------------------------------------------------------

grant select on public.user_roles to authenticated;

-- Functions ------------------------------------------------------------------------------------------------------

create function private.my_role() returns public.role
language sql stable security definer set search_path = ''
as $$
  -- The factor itself is asked for, too: a session stays aal2 after its factor was removed.
  select r.role from public.user_roles r join auth.users a on a.id = r.user_id
  where r.user_id = auth.uid() and auth.jwt() ->> 'aal' = 'aal2'
    and exists (select from auth.mfa_factors f where f.user_id = r.user_id and f.status = 'verified')
    and (a.banned_until is null or a.banned_until <= now())
    and not private.is_limited(r.user_id)
$$;
comment on function private.my_role is 'The caller''s role at the desk; null without one, before the second factor, and while the caller is limited, suspended or banned.';

create function private.is_moderator() returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.my_role() is not null
$$;
grant execute on function private.is_moderator() to authenticated;

create function private.require_role(p_role public.role default 'moderator') returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Operators come with the service key, or with SQL and no caller at all.
  if coalesce(auth.role(), 'service_role') = 'service_role' then
    return null;
  end if;
  if coalesce(private.my_role() < p_role, true) then
    perform private.fail('desk_closed', 'This is for moderators, with their second factor.', '42501');
  end if;
  return auth.uid();
end
$$;
comment on function private.require_role is 'The id of a caller with this role or a higher one, null for an operator; refuses everybody else with the same words.';

-- Policies -------------------------------------------------------------------------------------------------------

create policy "users see their own role" on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.user_roles as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.audit_handles (
  user_id uuid primary key references public.users (id) on delete cascade,
  handle uuid not null unique default gen_random_uuid()
);
comment on table private.audit_handles is 'By which random number the audit log names a person. It goes with the account; then the log, which stays, names nobody.';
alter table private.audit_handles enable row level security;

create table private.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor uuid,
  act text not null check (act ~ '^[a-z_]+$'),
  item text,
  details jsonb not null default '{}',
  hash bytea not null
);
comment on table private.audit_log is 'Append-only, and each row''s hash has the hash of the row before in it. It holds no text that people wrote, and no ids of theirs.';
comment on column private.audit_log.actor is 'The handle of whoever acted; null for an operator with the machine''s own rights.';
comment on column private.audit_log.item is 'What it was about: kind and id of an item of the desk, or the handle of a person.';
alter table private.audit_log enable row level security;

-- Grants ---------------------------------------------------------------------------------------------------------

-- The service key reads and writes everything else, but not this.
revoke all on private.audit_log, private.audit_handles from service_role;

-- Triggers -------------------------------------------------------------------------------------------------------

create function private.refuse_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform private.fail('append_only', 'Rows are only added here.', '42501');
  return null;
end
$$;
create trigger refuse_change before update or delete or truncate on private.audit_log
  for each statement execute function private.refuse_change();

-- Functions ------------------------------------------------------------------------------------------------------

create function private.audit_hash(p_before bytea, p_row private.audit_log) returns bytea
language sql stable set search_path = ''
as $$
  select sha256(p_before || convert_to(
    jsonb_build_array(p_row.id, extract(epoch from p_row.at), p_row.actor, p_row.act, p_row.item, p_row.details)::text, 'utf8'))
$$;

create function private.audit_handle(p_user_id uuid) returns uuid
language sql volatile security definer set search_path = ''
as $$
  insert into private.audit_handles (user_id) select u.id from public.users u where u.id = p_user_id on conflict do nothing;
  select h.handle from private.audit_handles h where h.user_id = p_user_id
$$;

create function private.audit(p_act text, p_item text default null, p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry private.audit_log;
begin
  -- One after the other, so that each hash has the one before it.
  perform pg_advisory_xact_lock(hashtextextended('audit_log', 0));
  entry.id := nextval(pg_get_serial_sequence('private.audit_log', 'id'));
  entry.at := clock_timestamp();
  entry.actor := private.audit_handle(auth.uid());
  entry.act := p_act;
  entry.item := p_item;
  entry.details := coalesce(p_details, '{}');
  entry.hash := private.audit_hash(coalesce((select l.hash from private.audit_log l order by l.id desc limit 1), ''), entry);
  insert into private.audit_log overriding system value select entry.*;
end
$$;
comment on function private.audit is 'Adds what the caller does to the audit log, in the transaction that does it.';

create function private.first_broken_audit_row() returns bigint
language sql stable security definer set search_path = ''
as $$
  select min(l.id) from (
    select o.id, o.hash, private.audit_hash(coalesce(lag(o.hash) over (order by o.id), ''), o) as right_hash from private.audit_log o
  ) l where l.hash <> l.right_hash
$$;
comment on function private.first_broken_audit_row is 'The first row of the audit log that somebody with the database''s own rights changed, or that stands after one they removed; null where there is none.';

-- Rules that ask for measures and roles ---------------------------------------------------------------------------

create or replace function private.require_user() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid;
begin
  -- Tokens are out for an hour where the auth service alone looks at a ban.
  select u.id into me from public.users u join auth.users a on a.id = u.id
  where u.id = auth.uid() and (a.banned_until is null or a.banned_until <= now());
  if me is null then
    perform private.fail('not_logged_in', 'Log in first.', '42501');
  end if;
  if not private.second_factor_done() then
    perform private.fail('second_factor_required', 'Give the code of the second factor first.', '42501');
  end if;
  return me;
end
$$;
comment on function private.require_user is 'The caller''s id; refuses when not logged in, before the second factor, while suspended, or when the account is gone but its token is not.';

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
  perform private.refuse_limited(given.user_id);
  return private.require_age();
end
$$;
comment on function private.require_consent is 'The caller''s id; refuses before the terms are accepted and the age is confirmed, and while a moderator paused posting.';

create or replace function private.limit_action(p_user_id uuid, p_action text, p_with uuid[] default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  allowed record;
  other uuid;
begin
  select * into strict allowed from private.action_limits() l where l.action = p_action;
  -- Whoever is limited may still go to the park.
  if p_action <> 'check_in' then
    perform private.refuse_limited(p_user_id);
  end if;
  perform private.limit_subject(p_user_id, p_action,
    case when private.is_regular(p_user_id) then allowed.regulars else allowed.newcomers end, allowed.per);
  foreach other in array p_with loop
    perform private.limit_pair(p_user_id, other, p_action, allowed.with_one_person, allowed.per);
  end loop;
end
$$;
comment on function private.limit_action is 'Refuses with limited while a moderator paused posting, and with too_many what somebody did too often, in all or towards one of p_with. It counts the same whatever the others'' state is.';

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
  ) and not private.is_limited(private.uid())
$$;
comment on function private.may_add_park_photo is 'Terms accepted, age confirmed, posting not paused, and the park is there.';

create policy "moderators see pending photos" on storage.objects for select to authenticated
  using (bucket_id = 'pending-photos' and (select private.is_moderator()));

create or replace function private.turn_update_into_suggestion() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  suggestion public.park_suggestions;
begin
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
comment on function private.turn_update_into_suggestion is 'A user''s update of a park leaves the row as it is and becomes a pending suggestion.';

drop trigger turn_update_into_suggestion on public.parks;
create trigger turn_update_into_suggestion before update of size, materials, shade, has_facilities on public.parks
  for each row when (current_user = 'authenticated') execute function private.turn_update_into_suggestion();

drop function public.moderate_park(bigint, boolean);
drop function public.moderate_photo(text, boolean);
drop function public.moderate_suggestion(uuid, boolean);
drop function public.moderate_review(uuid, boolean);
drop function public.open_reports();
drop function public.dismiss_reports(text);
drop function public.pending_suggestions();
drop function public.open_hazards();
drop function public.hide_hazard(uuid);
drop function public.close_park(bigint, public.park_claim);
drop function public.merge_parks(bigint, bigint);

create function private.close_park(p_park_id bigint, p_reason public.park_claim) returns boolean
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
comment on function private.close_park is 'Takes a park off the map that is closed for good or no dog park; private.relist_park brings it back. False where it is not listed.';

create function private.merge_parks(p_from bigint, p_into bigint) returns jsonb
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
  delete from private.fact_answers a where a.park_id = p_from and exists (
    select from private.fact_answers o where o.park_id = p_into and o.fact = a.fact and o.user_id = a.user_id);
  update private.fact_answers a set park_id = p_into where a.park_id = p_from;
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
comment on function private.merge_parks is 'Makes one park of two: the second keeps its own facts and gets what it lacks, and the reviews, visits, favourites, meetings, reports and photos of the first, whose address leads to it from then on. How many of each: {reviews, visits, favourites, replaced_reviews}.';

create function private.hide_hazard(p_report_id uuid) returns boolean
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
comment on function private.hide_hazard is 'Ends a hazard that is none, and takes back what people were told of it; its reporter cannot report it again for a month.';

-- Functions: what a decision of the desk does (private.carry_out) ------------------------------------------------

create function private.decide_park(p_park_id bigint, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.parks p set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
  where p.id = p_park_id and p.status = 'pending';
  return found;
end
$$;

create function private.relist_park(p_park_id bigint) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.parks p set status = 'approved' where p.id = p_park_id and p.status = 'rejected';
  if found then
    delete from public.former_parks f where f.park_id = p_park_id;
  end if;
  return exists (select from public.parks p where p.id = p_park_id and p.status = 'approved');
end
$$;
comment on function private.relist_park is 'Puts a park on the map again that was withdrawn or closed; what was merged stays with the other park.';

create function private.decide_photo(p_photo_path text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lies_in text;
begin
  select o.bucket_id into lies_in from storage.objects o where o.bucket_id in ('parks', 'pending-photos') and o.name = p_photo_path;
  if not exists (select from public.park_photos f where f.path = p_photo_path and f.status = 'pending') or lies_in is null then
    return false;
  end if;
  if p_approve and lies_in = 'pending-photos' then
    -- Not before its file lies where everybody may read it: see private.sync_park_photos.
    perform private.move_photo(p_photo_path, 'parks');
  else
    update public.park_photos f set status = case when p_approve then 'approved'::public.park_status else 'rejected' end where f.path = p_photo_path;
    if lies_in = 'parks' and not p_approve then
      perform private.move_photo(p_photo_path, 'pending-photos');
    end if;
  end if;
  return true;
end
$$;

create function private.decide_photo_report(p_photo_path text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not p_approve then
    update public.park_photos f set status = 'rejected' where f.path = p_photo_path;
    perform private.move_photo(p_photo_path, 'pending-photos');
  end if;
  update private.photo_reports x set resolved_at = now() where x.path = p_photo_path and x.resolved_at is null;
  return found;
end
$$;
comment on function private.decide_photo_report is 'Withdraws a reported photo, or leaves it to be seen; either way its open reports are resolved.';

create function private.unpublish_photo(p_photo_path text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.park_photos f set status = 'pending' where f.path = p_photo_path;
  perform private.move_photo(p_photo_path, 'pending-photos');
end
$$;
comment on function private.unpublish_photo is 'Lets an approved photo wait again, hidden at once.';

create function private.move_photo(p_photo_path text, p_to text) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.add_job('move-photo', p_photo_path, jsonb_build_object('path', p_photo_path, 'to', p_to), null, interval '7 days')
$$;
comment on function private.move_photo is 'Asks for a photo''s file to be moved to a bucket, or removed where that is null. Only storage can do it.';

create function private.decide_suggestion(p_id uuid, p_approve boolean) returns boolean
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
    perform private.merge_parks(suggestion.park_id, suggestion.double_of);
  elsif suggestion.claim is not null then
    perform private.close_park(suggestion.park_id, suggestion.claim);
  end if;
  return true;
end
$$;
comment on function private.decide_suggestion is 'Carries out a pending suggestion, or rejects it; false where there is none.';

create function private.decide_review(p_review_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.reviews r set hidden_at = case when not p_approve then coalesce(r.hidden_at, now()) end where r.id = p_review_id;
  update private.review_reports x set resolved_at = now() where x.review_id = p_review_id and x.resolved_at is null;
  return found;
end
$$;
comment on function private.decide_review is 'Hides a reported review, or leaves it to be seen; either way its open reports are resolved.';

create function private.decide_person(p_user_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not p_approve then
    perform private.fail('measure_needed', 'Say what is done about the person.');
  end if;
  update private.user_reports x set resolved_at = now() where x.user_id = p_user_id and x.resolved_at is null;
  return found;
end
$$;
comment on function private.decide_person is 'Resolves the reports of a person and leaves it at that; otherwise a measure is taken (public.desk_take_measure).';

create function public.claim_photo_moves(p_limit integer default 20, p_lease_seconds integer default 60)
returns table (id bigint, lease uuid, path text, lies_in text, target text)
language sql volatile security definer set search_path = ''
as $$
  select c.id, c.lease, c.payload ->> 'path', o.bucket_id, c.payload ->> 'to'
  from private.claim_jobs('move-photo', p_limit, p_lease_seconds) c
  left join storage.objects o on o.bucket_id in ('parks', 'pending-photos') and o.name = c.payload ->> 'path'
$$;
comment on function public.claim_photo_moves is 'Leases the photos whose files are to be moved to another bucket, or removed where target is null; lies_in is null where there is no such file any more.';

create function public.finish_photo_move(p_id bigint, p_lease uuid, p_error text default null) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.finish_job(p_id, p_lease, p_error)
$$;

grant execute on function
  public.choose_primary_photo(text),
  public.claim_photo_moves(integer, integer),
  public.finish_photo_move(bigint, uuid, text)
to service_role;

create or replace function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- The name of a user who gave none; the time of a meeting, for to_char; and the title and message of each notification,
  -- for format(): %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard. What the desk says (private.desk_text):
  -- %1$s is the park and %2$s the reason of a decision, %1$s the reason and %2$s the end of a measure, %1$s how much waits and
  -- %2$s since when.
  -- The pattern of a time has a word in right-to-left languages: digits alone would be laid out from left to right.
  return case p_language::text
    when 'he' then $he${
      "new_user": "מהלהקה",
      "time": "FMDD.FMMM \"בשעה\" HH24:MI",
      "friendRequest": ["בקשת חברות חדשה", "בקשת חברות מ־%1$s"],
      "friendApproval": ["בקשת החברות אושרה", "עכשיו אתם חברים של %1$s"],
      "parkInvite": ["הזמנה לגינת כלבים", "הזמנה מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.accepted": ["אישור הגעה", "נפגשים! אישור מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.declined": ["לא הפעם", "הפעם בלי %1$s: %2$s, %3$s"],
      "parkInviteCancelled": ["המפגש בוטל", "המפגש עם %1$s בוטל: %2$s, %3$s"],
      "hazard": ["זהירות בגינת הכלבים", "%2$s: %4$s"],
      "hazards": {"poison": "דיווח על פיתיון מורעל", "glass": "דיווח על שברי זכוכית", "caterpillars": "דיווח על קרציות או זחלי תהלוכה", "awns": "דיווח על מלענים",
        "looseDog": "דיווח על כלב תוקפני משוחרר", "brokenFence": "דיווח על גדר פרוצה", "noWater": "דיווח שאין מים"},
      "deskWaiting": ["תור הניהול", "ממתינים להחלטה: %1$s; הוותיק ביותר כבר %2$s שעות"],
      "decided.park.approved": ["הגינה שלכם על המפה", "תודה! עכשיו כולם מוצאים את %1$s."],
      "decided.park.rejected": ["הגינה שלכם לא נוספה", "%1$s: %2$s."],
      "decided.correction.approved": ["התיקון שלכם התקבל", "תודה! הפרטים של %1$s מעודכנים."],
      "decided.correction.rejected": ["התיקון שלכם לא התקבל", "%1$s: %2$s."],
      "decided.photo.approved": ["התמונה שלכם מוצגת", "תודה! כולם רואים את התמונה שלכם של %1$s."],
      "decided.photo.rejected": ["התמונה שלכם לא תוצג", "%1$s: %2$s."],
      "decided.hazard.rejected": ["האזהרה שלכם הוסרה", "%1$s: %2$s."],
      "decided.review.rejected": ["הביקורת שלכם הוסתרה", "%1$s: %2$s."],
      "measure.warn": ["אזהרה", "קיבלתם אזהרה מצוות הניהול: %1$s."],
      "measure.limit": ["הפרסום שלכם מושהה", "אי אפשר לפרסם עד %2$s: %1$s."],
      "measure.limit.for_good": ["הפרסום שלכם מושהה", "אי אפשר לפרסם יותר: %1$s."],
      "measure.suspend": ["החשבון שלכם מושעה", "אי אפשר להשתמש בחשבון עד %2$s: %1$s."],
      "measure.ban": ["החשבון שלכם נסגר", "אי אפשר להשתמש בחשבון יותר: %1$s."],
      "measure.appeal": "לדעתכם זו טעות? כתבו אל %1$s, ומישהו אחר מהצוות יבדוק את זה.",
      "reason.duplicate": "הגינה כבר על המפה",
      "reason.not_a_park": "זו לא גינת כלבים",
      "reason.wrong_place": "המיקום על המפה לא נכון",
      "reason.not_true": "בדקנו, ובמקום זה אחרת",
      "reason.unclear": "לא הבנו למה הכוונה",
      "reason.wrong_park": "זה שייך לגינה אחרת",
      "reason.poor_photo": "לא רואים מספיק בתמונה",
      "reason.people_in_photo": "אפשר לזהות אנשים בתמונה",
      "reason.spam": "זו פרסומת",
      "reason.inappropriate": "התוכן פוגעני",
      "reason.misinformation": "התוכן מטעה",
      "reason.fake": "התוכן לא אמיתי",
      "reason.personal_information": "יש כאן פרטים אישיים של מישהו",
      "reason.harassment": "זה מטריד אנשים אחרים"
    }$he$
    when 'ar' then $ar${
      "new_user": "من رفاقنا",
      "time": "FMDD/FMMM \"الساعة\" HH24:MI",
      "friendRequest": ["طلب صداقة جديد", "وصلكم طلب صداقة من %1$s"],
      "friendApproval": ["تم قبول طلب الصداقة", "أصبحتم أنتم و%1$s أصدقاء"],
      "parkInvite": ["دعوة إلى حديقة الكلاب", "دعوة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.accepted": ["تم قبول الدعوة", "نلتقي هناك! ردّ بالموافقة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.declined": ["ليس هذه المرة", "اعتذار عن الدعوة من %1$s: %2$s، %3$s"],
      "parkInviteCancelled": ["أُلغي اللقاء", "أُلغي اللقاء مع %1$s: %2$s، %3$s"],
      "hazard": ["انتبهوا في حديقة الكلاب", "%2$s: %4$s"],
      "hazards": {"poison": "بلاغ عن طُعم مسموم", "glass": "بلاغ عن زجاج مكسور", "caterpillars": "بلاغ عن قراد أو يرقات لاسعة", "awns": "بلاغ عن سفا النباتات",
        "looseDog": "بلاغ عن كلب شرس طليق", "brokenFence": "بلاغ عن سياج مكسور", "noWater": "بلاغ عن انقطاع الماء"},
      "deskWaiting": ["قائمة الإشراف", "بانتظار القرار: %1$s؛ أقدمها منذ %2$s س"],
      "decided.park.approved": ["حديقتكم على الخريطة", "شكرًا! الآن يجد الجميع %1$s."],
      "decided.park.rejected": ["لم تُضف حديقتكم", "%1$s: %2$s."],
      "decided.correction.approved": ["اعتُمد تصحيحكم", "شكرًا! تفاصيل %1$s محدّثة."],
      "decided.correction.rejected": ["لم يُعتمد تصحيحكم", "%1$s: %2$s."],
      "decided.photo.approved": ["صورتكم معروضة", "شكرًا! يرى الجميع صورتكم لـ%1$s."],
      "decided.photo.rejected": ["لن تُعرض صورتكم", "%1$s: %2$s."],
      "decided.hazard.rejected": ["أُزيل تحذيركم", "%1$s: %2$s."],
      "decided.review.rejected": ["أُخفي تقييمكم", "%1$s: %2$s."],
      "measure.warn": ["تحذير", "وصلكم تحذير من المشرفين: %1$s."],
      "measure.limit": ["النشر متوقف", "لا يمكنكم النشر حتى %2$s: %1$s."],
      "measure.limit.for_good": ["النشر متوقف", "لم يعد بإمكانكم النشر: %1$s."],
      "measure.suspend": ["حسابكم موقوف", "لا يمكنكم استخدام الحساب حتى %2$s: %1$s."],
      "measure.ban": ["أُغلق حسابكم", "لم يعد بإمكانكم استخدام الحساب: %1$s."],
      "measure.appeal": "إن كنتم ترون أن هذا خطأ فاكتبوا إلى %1$s، وسيراجعه مشرف آخر.",
      "reason.duplicate": "هذه الحديقة موجودة على الخريطة",
      "reason.not_a_park": "هذه ليست حديقة كلاب",
      "reason.wrong_place": "الموقع على الخريطة غير صحيح",
      "reason.not_true": "تحققنا، والأمر مختلف هناك",
      "reason.unclear": "لم نفهم المقصود",
      "reason.wrong_park": "هذا يخص حديقة أخرى",
      "reason.poor_photo": "لا يظهر ما يكفي في الصورة",
      "reason.people_in_photo": "يمكن التعرف على أشخاص في الصورة",
      "reason.spam": "هذا إعلان",
      "reason.inappropriate": "المحتوى مسيء",
      "reason.misinformation": "المحتوى مضلل",
      "reason.fake": "المحتوى غير حقيقي",
      "reason.personal_information": "فيه معلومات شخصية عن أحدهم",
      "reason.harassment": "هذا يزعج أشخاصًا آخرين"
    }$ar$
    else $en${
      "new_user": "From the pack",
      "time": "FMDD Mon, HH24:MI",
      "friendRequest": ["New friend request", "%1$s wants to be your friend"],
      "friendApproval": ["Friend request accepted", "You and %1$s are now friends"],
      "parkInvite": ["Meet at the park?", "%1$s invites you to %2$s, %3$s"],
      "parkInviteResponse.accepted": ["See you at the park", "%1$s is coming to %2$s, %3$s"],
      "parkInviteResponse.declined": ["Not this time", "%1$s cannot come to %2$s, %3$s"],
      "parkInviteCancelled": ["The meeting is off", "%1$s called off %2$s, %3$s"],
      "hazard": ["Take care at the dog park", "%2$s: %4$s"],
      "hazards": {"poison": "poison bait reported", "glass": "broken glass reported", "caterpillars": "ticks or caterpillars reported", "awns": "awns reported",
        "looseDog": "aggressive loose dog reported", "brokenFence": "broken fence reported", "noWater": "no water reported"},
      "deskWaiting": ["Waiting for you", "Waiting for a decision: %1$s; the oldest for %2$s h"],
      "decided.park.approved": ["Your park is on the map", "Thank you! Everybody finds %1$s now."],
      "decided.park.rejected": ["Your park was not added", "%1$s: %2$s."],
      "decided.correction.approved": ["Your correction was taken over", "Thank you! %1$s is up to date."],
      "decided.correction.rejected": ["Your correction was not taken over", "%1$s: %2$s."],
      "decided.photo.approved": ["Your photo is shown", "Thank you! Your photo of %1$s is there for everybody."],
      "decided.photo.rejected": ["Your photo is not shown", "%1$s: %2$s."],
      "decided.hazard.rejected": ["Your warning was taken down", "%1$s: %2$s."],
      "decided.review.rejected": ["Your review was hidden", "%1$s: %2$s."],
      "measure.warn": ["A warning", "A moderator warns you: %1$s."],
      "measure.limit": ["Posting is paused", "Until %2$s you cannot post: %1$s."],
      "measure.limit.for_good": ["Posting is paused", "You cannot post any more: %1$s."],
      "measure.suspend": ["Your account is suspended", "Until %2$s you cannot use your account: %1$s."],
      "measure.ban": ["Your account is closed", "You cannot use your account any more: %1$s."],
      "measure.appeal": "If you think that this is wrong, answer to %1$s. Another moderator looks at it.",
      "reason.duplicate": "this park is on the map already",
      "reason.not_a_park": "this is not a dog park",
      "reason.wrong_place": "the place on the map is not right",
      "reason.not_true": "we checked, and it is different there",
      "reason.unclear": "we did not understand what is meant",
      "reason.wrong_park": "this is about another park",
      "reason.poor_photo": "one cannot see enough in the photo",
      "reason.people_in_photo": "people can be recognised in the photo",
      "reason.spam": "it is advertising",
      "reason.inappropriate": "it is offensive",
      "reason.misinformation": "it is misleading",
      "reason.fake": "it is not genuine",
      "reason.personal_information": "it tells personal things about somebody",
      "reason.harassment": "it bothers other people"
    }$en$
  end::jsonb;
end
$texts$;
comment on function private.texts is 'What the database says in a language, as one object with the same keys for each language.';

create function private.desk_text(
  p_type public.notification_type, p_language public.language, p_data jsonb, out title text, out message text
)
language plpgsql stable set search_path = ''
as $$
declare
  texts jsonb := private.texts(p_language);
  reason text := texts ->> ('reason.' || (p_data ->> 'reason'));
  pair jsonb;
begin
  if p_type = 'deskDecision' then
    pair := texts -> ('decided.' || case p_data ->> 'kind' when 'merge' then 'correction' when 'photo_report' then 'photo' else p_data ->> 'kind' end || case when (p_data ->> 'approved')::boolean then '.approved' else '.rejected' end);
    message := format(pair ->> 1, private.isolate_direction(coalesce(private.park_name((p_data ->> 'park_id')::bigint, p_language), '')), reason);
  elsif p_type = 'measure' then
    pair := texts -> ('measure.' || (p_data ->> 'measure') || case when p_data ->> 'measure' = 'limit' and p_data ->> 'until' is null then '.for_good' else '' end);
    message := format(pair ->> 1, reason, private.isolate_direction(coalesce(
      to_char((p_data ->> 'until')::timestamptz at time zone 'Asia/Jerusalem', texts ->> 'time'), '')));
  else
    pair := texts -> 'deskWaiting';
    message := format(pair ->> 1, p_data ->> 'waiting', p_data ->> 'hours');
  end if;
  title := pair ->> 0;
end
$$;
comment on function private.desk_text is 'What the desk says to somebody, in their language.';

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
      when 'deskDecision' then wanted.desk_decision
      when 'measure' then true
      when 'deskWaiting' then true
      else wanted.park_invite
    end, true) then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  if new.type in ('deskDecision', 'measure', 'deskWaiting') then
    select t.* into texts from private.desk_text(new.type, receiver.language, new.data) t;
  else
    select t.* into texts from private.notification_texts(
      new.type, receiver.language, (select u.name from public.users u where u.id = new.sender_id),
      private.park_name((new.data ->> 'park_id')::bigint, receiver.language),
      (new.data ->> 'meet_at')::timestamptz, (new.data ->> 'accepted')::boolean, new.data ->> 'hazard') t;
  end if;
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
comment on function private.publish_notification is 'Writes the texts and queues the pushes, or drops what is muted; runs when the transaction that notified commits.';

create or replace function public.claim_pushes(p_limit integer default 50, p_lease_seconds integer default 60)
returns table (
  id bigint, lease uuid, token text, platform public.device_platform,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Seen in the app meanwhile, the device has another user now, or its session ended: nothing to push.
  delete from private.jobs j where j.kind = 'send-push' and j.failed_at is null and j.due_at <= now() and not exists (
    select from public.notifications n
    join public.device_tokens d on d.device_id = j.payload ->> 'device_id' and d.user_id = n.receiver_id
    where n.id = (j.payload ->> 'notification_id')::uuid and n.seen_at is null and not exists (
      select from private.device_sessions s
      where s.device_id = d.device_id and not exists (select from auth.sessions a where a.id = s.session_id)));
  return query
    -- The sender comes along: a tap on an approval opens the new friend's page without asking the server first.
    select c.id, c.lease, d.token, d.platform, n.id, n.type, n.title, n.push_message,
      jsonb_strip_nulls(n.data || jsonb_build_object('sender_id', n.sender_id))
    from private.claim_jobs('send-push', p_limit, p_lease_seconds) c
    join public.notifications n on n.id = (c.payload ->> 'notification_id')::uuid
    join public.device_tokens d on d.device_id = c.payload ->> 'device_id'
    order by c.id;
end
$$;
comment on function public.claim_pushes is 'Leases due pushes to one sender. Send with notification_id as collapse id and tag, so that a push repeated after a crash replaces itself.';

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.desk_claims (
  kind text not null,
  id text not null,
  moderator uuid not null references public.user_roles (user_id) on delete cascade,
  expires_at timestamptz not null,
  primary key (kind, id)
);
comment on table private.desk_claims is 'Who looks at which item; two moderators never look at the same one.';
alter table private.desk_claims enable row level security;

create table private.desk_decisions (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  item_id text not null,
  park_id bigint references public.parks (id) on delete set null,
  decision text not null check (decision in ('approve', 'reject', 'warn', 'limit', 'suspend', 'ban')),
  reason public.decision_reason,
  actor uuid references public.users (id) on delete set null,
  subject uuid references public.users (id) on delete set null,
  decided_at timestamptz not null default now(),
  undone_at timestamptz
);
comment on table private.desk_decisions is 'What was decided, for a year; moderators see it as history.';
comment on column private.desk_decisions.subject is 'Whom it was about, where moderators may know: never the author of an anonymous review, nor who gave a park, a correction or a photo.';
comment on column private.desk_decisions.actor is 'Null for an operator, or where the moderator''s account is deleted.';
alter table private.desk_decisions enable row level security;

create table private.desk_changes (
  id bigint generated always as identity primary key,
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  before jsonb,
  after jsonb,
  people uuid[] not null
);
comment on table private.desk_changes is 'The rows that a decision changed, as they were and as they became, so that it can be undone for 30 days.';
comment on column private.desk_changes.people is 'Who stands in them: with the account of one of them the copy goes.';
alter table private.desk_changes enable row level security;

-- Indexes --------------------------------------------------------------------------------------------------------

create index on private.desk_claims (moderator);
create index on private.desk_decisions (kind, item_id);
create index on private.desk_decisions (park_id);
create index on private.desk_decisions (actor);
create index on private.desk_decisions (subject);
create index desk_decisions_by_time on private.desk_decisions (decided_at);
create index on private.desk_changes (decision_id);
create index desk_changes_people on private.desk_changes using gin (people);

-- Triggers: what a decision changes ------------------------------------------------------------------------------

create function private.record_desk_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  insert into private.desk_changes (decision_id, relation, before, after, people)
  values (current_setting('packpark.decision')::uuid, tg_relid::regclass::text, was, is_now, array(
    select u.id from public.users u where u.id in (
      select f.value::uuid from jsonb_each_text(coalesce(was, '{}') || coalesce(is_now, '{}')) f where private.to_uuid(f.value) is not null
      union select f.value::uuid from jsonb_each_text(was) f where private.to_uuid(f.value) is not null)));
  return null;
end
$$;
comment on function private.record_desk_change is 'Keeps what private.carry_out changes; a table whose rows decisions change has this trigger.';

create trigger record_desk_change after insert or update or delete on public.parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_translations
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_suggestions
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_photos
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.review_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.user_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.photo_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.live_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.former_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
-- What moves with a park that is merged.
create trigger record_desk_change after insert or update or delete on public.check_ins
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.favourite_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_invites
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.busy_hours
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.park_ratings
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.hidden_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.replaced_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

create trigger record_desk_change after insert or update or delete on private.measures
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

create function private.forget_at_desk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.desk_changes c where c.people @> array[old.id];
  delete from private.desk_decisions d where d.kind = 'person' and d.item_id = old.id::text;
  delete from private.desk_claims c where c.kind = 'person' and c.id = old.id::text;
  return old;
end
$$;
comment on function private.forget_at_desk is 'With an account go the copies for undoing that it stands in, and what was decided about the person.';
create trigger forget_at_desk before delete on public.users for each row execute function private.forget_at_desk();

-- The queue ------------------------------------------------------------------------------------------------------

create function private.giver_record(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'approved', count(*) filter (where g.status = 'approved'), 'rejected', count(*) filter (where g.status = 'rejected'))
  from (
    select p.status from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = p_user_id
    union all select s.status from public.park_suggestions s where s.user_id = p_user_id
    union all select f.status from private.photo_uploaders u join public.park_photos f on f.path = u.path where u.user_id = p_user_id
  ) g
$$;
comment on function private.giver_record is 'What became of all that somebody gave; moderators see this instead of who it was.';

create function private.park_summary(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', p.id, 'lat', p.lat, 'long', p.long, 'status', p.status, 'name', t.name, 'city', t.city, 'address', t.address)
  from public.parks p
  left join lateral (
    select * from public.park_translations x where x.park_id = p.id
    order by x.language = p_language desc, x.language = 'en' desc, x.language limit 1
  ) t on true
  where p.id = p_park_id
$$;

create function private.parks_nearby(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(private.park_summary(n.id, p_language) || jsonb_build_object('metres', n.metres) order by n.metres), '[]')
  from (
    select o.id, round(111195 * sqrt((o.lat - p.lat) ^ 2 + ((o.long - p.long) * cosd(p.lat)) ^ 2)) as metres
    from public.parks p join public.parks o on o.id <> p.id and o.status = 'approved'
      and o.lat between p.lat - 0.005 and p.lat + 0.005 and o.long between p.long - 0.006 and p.long + 0.006
    where p.id = p_park_id order by 2 limit 5
  ) n
$$;
comment on function private.parks_nearby is 'The approved parks within about 500 metres, nearest first, at most five: a new one may be among them.';

create function private.person_history(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(h.line order by h.at desc), '[]') from (
    select m.taken_at as at, jsonb_build_object('measure_id', m.id, 'decision', m.measure, 'reason', m.reason, 'until', m.until,
      'at', m.taken_at, 'lifted_at', m.lifted_at) as line
    from private.measures m where m.user_id = p_user_id and m.shown
    union all
    select d.decided_at, jsonb_build_object('kind', d.kind, 'decision', d.decision, 'reason', d.reason, 'at', d.decided_at, 'lifted_at', d.undone_at)
    from private.desk_decisions d where d.subject = p_user_id and d.decision in ('approve', 'reject')
  ) h
$$;
comment on function private.person_history is 'What was decided about a person, newest first, of what moderators may know.';

-- Each kind stands here once. The columns after urgent are computed only where they are asked for.
create view private.desk_items as
select w.*, w.since < now() - interval '24 hours' as overdue from (
  select 'park'::text as kind, p.id::text as id, p.id as park_id, p.created_at as since, false as urgent,
    (select s.user_id from private.park_submitters s where s.park_id = p.id) as author, false as author_shown,
    jsonb_build_object(
      'park', private.park_summary(p.id, private.my_language()),
      'after', jsonb_strip_nulls(private.pick(to_jsonb(p), 'size', 'materials', 'shade', 'has_facilities', 'facts', 'source', 'licence')),
      'nearby', private.parks_nearby(p.id, private.my_language())) as context,
    '{duplicate,not_a_park,wrong_place,not_true,unclear,inappropriate,spam}'::public.decision_reason[] as reasons
  from public.parks p where p.status = 'pending'
  union all
  select case when s.claim = 'double' then 'merge' else 'correction' end, s.id::text, s.park_id, s.created_at, false, s.user_id, false,
    jsonb_build_object(
      'park', private.park_summary(s.park_id, private.my_language()),
      'other', private.park_summary(s.double_of, private.my_language()),
      'then', s.before,
      'before', private.park_fields(s.park_id),
      'after', private.suggested_fields(s) - 'double_of'),
    '{not_true,wrong_park,unclear,inappropriate,spam}'
  from public.park_suggestions s where s.status = 'pending'
  union all
  -- The row of a photo has its day only; its file has the moment from which the clock runs.
  select 'photo', f.path, f.park_id, coalesce(o.created_at, f.created_at), false,
    (select u.user_id from private.photo_uploaders u where u.path = f.path), false,
    jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('bucket', o.bucket_id, 'path', f.path),
      'of_hazard', f.of_hazard),
    '{wrong_park,poor_photo,people_in_photo,inappropriate,spam}'
  from public.park_photos f join storage.objects o on o.bucket_id in ('pending-photos', 'parks') and o.name = f.path
  where f.status = 'pending'
    -- One that was approved leaves the queue while its file is moved.
    and not exists (select from private.jobs j where j.kind = 'move-photo' and j.key = f.path and j.failed_at is null)
  union all
  select 'review', r.id::text, r.park_id, x.since, false, r.author, not r.anonymous and r.author is not null,
    jsonb_build_object(
      'park', private.park_summary(r.park_id, private.my_language()),
      'review', jsonb_build_object('title', r.title, 'content', r.content, 'rank', r.rank, 'anonymous', r.anonymous,
        'day', (r.created_at at time zone 'Asia/Jerusalem')::date, 'hidden', r.hidden_at is not null),
      'person', (select jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id))
        from public.users u where u.id = r.author and not r.anonymous),
      'reports', x.reports),
    '{spam,inappropriate,misinformation,fake,personal_information,harassment}'
  from public.reviews r join (
    select y.review_id, min(y.first_at) as since,
      jsonb_agg(jsonb_build_object('reason', y.reason, 'count', y.many) order by y.many desc) as reports
    from (
      select v.review_id, v.reason, count(*) as many, min(v.created_at) as first_at
      from private.review_reports v where v.resolved_at is null group by v.review_id, v.reason
    ) y group by y.review_id
  ) x on x.review_id = r.id
  union all
  select 'photo_report', f.path, f.park_id, x.since, true, (select u.user_id from private.photo_uploaders u where u.path = f.path), false,
    jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('bucket', 'parks', 'path', f.path),
      'reports', x.reports),
    '{people_in_photo,wrong_park,poor_photo,inappropriate,spam}'
  from public.park_photos f join (
    select v.path, min(v.created_at) as since, jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at) as reports
    from private.photo_reports v where v.resolved_at is null group by v.path
  ) x on x.path = f.path
  union all
  -- A hazard shows at once; a moderator looks at each that nobody has looked at.
  select 'hazard', r.id::text, r.park_id, r.reported_at, true, r.reporter, false,
    jsonb_build_object('park', private.park_summary(r.park_id, private.my_language()), 'after', jsonb_build_object(
      'hazard', r.hazard, 'verified', r.verified_at is not null,
      'confirmations', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm'),
      'denials', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'over'))),
    '{not_true,misinformation,fake,inappropriate,spam}'
  from private.live_reports r
  where r.hazard is not null and r.hidden_at is null and r.ended_at is null and r.expires_at > now() and not exists (
    select from private.desk_decisions d where d.kind = 'hazard' and d.item_id = r.id::text and d.undone_at is null)
  union all
  select 'person', u.id::text, null, x.since, true, u.id, true,
    jsonb_build_object('person', jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id)), 'reports', x.reports),
    '{harassment,fake,spam,inappropriate,personal_information}'
  from public.users u join (
    select v.user_id, min(v.created_at) as since,
      jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1, 'note', v.note) order by v.created_at) as reports
    from private.user_reports v where v.resolved_at is null group by v.user_id
  ) x on x.user_id = u.id
) w;
comment on view private.desk_items is 'Everything that waits for a moderator; overdue after the 24 hours in which stores and laws ask for an answer. author is for notifications and measures; moderators read it where author_shown says so.';

create function private.to_uuid(p_text text) returns uuid
language sql immutable set search_path = ''
as $$
  select case when p_text ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_text::uuid end
$$;

create function private.item_name(p_kind text, p_id text) returns text
language sql volatile security definer set search_path = ''
as $$
  select p_kind || ':' || case when p_kind = 'person' then coalesce(private.audit_handle(private.to_uuid(p_id))::text, 'unknown') else p_id end
$$;
comment on function private.item_name is 'How the audit log names an item: a person by the handle.';

-- Functions: claims ----------------------------------------------------------------------------------------------

create function private.claim_item(p_kind text, p_id text, p_moderator uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- An operator works alone, and sees that somebody else is at it by being refused.
  if p_moderator is null then
    return not exists (select from private.desk_claims c where c.kind = p_kind and c.id = p_id and c.expires_at > now());
  end if;
  insert into private.desk_claims as c (kind, id, moderator, expires_at) values (p_kind, p_id, p_moderator, now() + interval '10 minutes')
  on conflict (kind, id) do update set moderator = excluded.moderator, expires_at = excluded.expires_at
  where c.moderator = excluded.moderator or c.expires_at <= now();
  return found;
end
$$;
comment on function private.claim_item is 'Makes an item this moderator''s for ten minutes; false where another one has it.';

create function private.item_of(p_kind text, p_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('kind', i.kind, 'id', i.id, 'park_id', i.park_id, 'since', i.since, 'urgent', i.urgent,
      'overdue', i.overdue, 'reasons', i.reasons)
    || i.context
    || case when i.author is not null and not i.author_shown and i.kind in ('park', 'correction', 'merge', 'photo', 'photo_report')
      then jsonb_build_object('giver', private.giver_record(i.author)) else '{}' end
  from private.desk_items i where i.kind = p_kind and i.id = p_id
$$;

-- Functions: deciding --------------------------------------------------------------------------------------------

create function private.carry_out(p_kind text, p_id text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return case p_kind
    when 'park' then private.decide_park(p_id::bigint, p_approve)
    when 'correction' then private.decide_suggestion(p_id::uuid, p_approve)
    when 'merge' then private.decide_suggestion(p_id::uuid, p_approve)
    when 'photo' then private.decide_photo(p_id, p_approve)
    when 'photo_report' then private.decide_photo_report(p_id, p_approve)
    when 'hazard' then p_approve or private.hide_hazard(p_id::uuid)
    when 'review' then private.decide_review(p_id::uuid, p_approve)
    when 'person' then private.decide_person(p_id::uuid, p_approve)
  end;
end
$$;
comment on function private.carry_out is 'Approve publishes what was given, or leaves what was reported; reject is the opposite. False where there is nothing to decide any more.';

create function private.tell_author(p_kind text, p_park_id bigint, p_author uuid, p_approve boolean, p_reason public.decision_reason) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- That somebody's review or account was looked at and left alone is no news for them.
  if p_author is null or p_kind = 'person' or (p_kind in ('review', 'photo_report', 'hazard') and p_approve) then
    return;
  end if;
  perform private.notify('deskDecision', null, p_author, jsonb_strip_nulls(jsonb_build_object(
    'kind', p_kind, 'park_id', p_park_id, 'approved', p_approve, 'reason', p_reason)));
end
$$;

create function private.begin_decision(
  p_kind text, p_id text, p_park_id bigint, p_subject uuid, p_decision text, p_reason public.decision_reason, p_actor uuid
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  decision_id uuid;
begin
  insert into private.desk_decisions (kind, item_id, park_id, decision, reason, actor, subject)
  values (p_kind, p_id, p_park_id, p_decision, p_reason, p_actor, p_subject)
  returning id into decision_id;
  perform private.audit(p_decision, private.item_name(p_kind, p_id),
    jsonb_strip_nulls(jsonb_build_object('decision', decision_id, 'reason', p_reason)));
  -- What changes from here on is recorded under this decision.
  perform set_config('packpark.decision', decision_id::text, true);
  return decision_id;
end
$$;

-- RPCs: the queue ------------------------------------------------------------------------------------------------

create function public.desk_queue(p_kinds text[] default null)
returns table (kind text, id text, park_id bigint, park_name text, since timestamptz, urgent boolean, overdue boolean, claimed text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
begin
  return query
    select i.kind, i.id, i.park_id, private.park_name(i.park_id, private.my_language()), i.since, i.urgent,
      i.overdue, case when c.moderator = me then 'mine' when c.moderator is not null then 'other' end
    from private.desk_items i
    left join private.desk_claims c on c.kind = i.kind and c.id = i.id and c.expires_at > now()
    where p_kinds is null or i.kind = any (p_kinds)
    order by i.since, i.kind, i.id limit 500;
end
$$;
comment on function public.desk_queue is 'What waits for a moderator, oldest first, at most 500; overdue after 24 hours; claimed: mine, other or null.';

create function public.desk_claim(p_kind text, p_id text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item jsonb := private.item_of(p_kind, p_id);
begin
  if item is null then
    return null;
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  return item;
end
$$;
comment on function public.desk_claim is 'Opens an item for the caller, for ten minutes at a time; null where it no longer waits.';

create function public.desk_next(p_kinds text[] default null, p_after timestamptz default '-infinity') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
begin
  for item in
    select i.kind, i.id from private.desk_items i
    where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after
    order by i.since, i.kind, i.id
  loop
    -- Whoever asks at the same moment goes on to the next one instead of waiting.
    if pg_try_advisory_xact_lock(hashtextextended('desk:' || item.kind || ':' || item.id, 0))
      and private.claim_item(item.kind, item.id, me) then
      return private.item_of(item.kind, item.id);
    end if;
  end loop;
  return null;
end
$$;
comment on function public.desk_next is 'Claims and opens the oldest item that no other moderator has, among those that wait since after p_after.';

create function public.desk_release(p_kind text, p_id text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
begin
  delete from private.desk_claims c where c.kind = p_kind and c.id = p_id and c.moderator = me;
end
$$;

create function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  decision_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || p_id, 0));
  select i.kind, i.id, i.park_id, i.author, i.author_shown, i.reasons into item
  from private.desk_items i where i.kind = p_kind and i.id = p_id;
  if item.id is null then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  if p_approve is null or (not p_approve and not coalesce(p_reason = any (item.reasons), false)) then
    perform private.fail('reason_needed', 'Whoever is refused something gets one of the reasons of this kind.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    case when p_approve then 'approve' else 'reject' end, case when not p_approve then p_reason end, me);
  if not private.carry_out(p_kind, p_id, p_approve) then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.tell_author(p_kind, item.park_id, item.author, p_approve, p_reason);
  delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  return decision_id;
end
$$;
comment on function public.desk_decide is 'Decides about an item that the caller has, or nobody; answers the decision''s id, by which it can be undone for 30 days. A refusal needs one of the item''s reasons.';

create function public.desk_decide_many(p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason default null) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  one text;
  decided integer := 0;
begin
  perform private.require_role();
  if cardinality(p_ids) > 500 then
    perform private.fail('invalid_input', 'At most 500 items at once.');
  end if;
  foreach one in array p_ids loop
    begin
      perform public.desk_decide(p_kind, one, p_approve, p_reason);
      decided := decided + 1;
    exception when raise_exception then
      -- Decided meanwhile, or another moderator's: the others go on.
      if sqlerrm not in ('already_decided', 'claimed_by_other') then
        raise;
      end if;
    end;
  end loop;
  return decided;
end
$$;
comment on function public.desk_decide_many is 'The same decision about many items of a kind, such as the parks of an import; how many it could be made about.';

create function public.desk_change_park(p_park_id bigint, p_change text, p_into bigint default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  decision_id uuid;
  moved jsonb;
  done boolean := true;
begin
  decision_id := private.begin_decision('park', p_park_id::text, p_park_id, null, case p_change when 'relist' then 'approve' else 'reject' end, null, me);
  case p_change
    when 'merge' then moved := private.merge_parks(p_park_id, p_into);
    when 'closed', 'notDogPark' then done := private.close_park(p_park_id, p_change::public.park_claim);
    when 'relist' then done := private.relist_park(p_park_id);
    else perform private.fail('invalid_input', 'A park is merged, closed, notDogPark or relisted.');
  end case;
  if not done then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  perform set_config('packpark.decision', '', true);
  return jsonb_build_object('decision', decision_id) || coalesce(moved, '{}');
end
$$;
comment on function public.desk_change_park is 'Merges a park into another (merge), takes it off the map (closed, notDogPark) or puts it there again (relist), without anybody having suggested it: {decision} and, of a merge, how much moved.';

create function public.desk_undo(p_decision_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  decision private.desk_decisions;
  change private.desk_changes;
  claims text := current_setting('request.jwt.claims', true);
begin
  select * into decision from private.desk_decisions d
  where d.id = p_decision_id and d.undone_at is null and d.decided_at > now() - interval '30 days' for update;
  if decision.id is null then
    return false;
  end if;
  perform private.audit('undo', private.item_name(decision.kind, decision.item_id), jsonb_build_object('decision', decision.id));
  -- Triggers trust what comes without a caller: what is put back is nobody's new post.
  perform set_config('request.jwt.claims', '', true);
  for change in select * from private.desk_changes c where c.decision_id = decision.id order by c.id desc loop
    perform private.restore_row(change.relation, change.before, change.after);
  end loop;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  -- The files follow.
  if decision.kind = 'photo' and decision.decision = 'approve' then
    perform private.unpublish_photo(decision.item_id);
  elsif decision.kind = 'photo_report' and decision.decision = 'reject' then
    perform private.move_photo(decision.item_id, 'parks');
  end if;
  delete from private.desk_changes c where c.decision_id = decision.id;
  update private.desk_decisions d set undone_at = now() where d.id = decision.id;
  if me is not null then
    perform private.claim_item(decision.kind, decision.item_id, me);
  end if;
  return true;
end
$$;
comment on function public.desk_undo is 'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or older than 30 days.';

create function public.desk_decisions(p_before timestamptz default 'infinity')
returns table (id uuid, kind text, item_id text, park_id bigint, park_name text, decision text, reason public.decision_reason, mine boolean, decided_at timestamptz, undone_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
begin
  return query
    select d.id, d.kind, d.item_id, d.park_id, private.park_name(d.park_id, private.my_language()), d.decision, d.reason,
      d.actor is not distinct from me, d.decided_at, d.undone_at
    from private.desk_decisions d
    where d.decided_at < p_before and (d.subject is not null or d.decision in ('approve', 'reject'))
    order by d.decided_at desc, d.id limit 50;
end
$$;
comment on function public.desk_decisions is 'What was decided, newest first, 50 at a time; not what was done about people whom moderators may not know.';

-- Functions: undoing ---------------------------------------------------------------------------------------------

create function private.restore_row(p_relation text, p_before jsonb, p_after jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  relation regclass := p_relation::regclass;
  fields text;
  keys text;
  present jsonb;
begin
  select string_agg(quote_ident(a.attname), ', ') filter (where a.attgenerated = ''),
    string_agg(quote_ident(a.attname), ', ') filter (where a.attnum = any (i.indkey))
  into fields, keys
  from pg_catalog.pg_attribute a join pg_catalog.pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  if p_after is null then
    execute 'insert into ' || relation || ' (' || fields || ') overriding system value select ' || fields
      || ' from jsonb_populate_record(null::' || relation || ', $1) on conflict do nothing' using p_before;
    return;
  end if;
  execute 'select to_jsonb(t) from ' || relation || ' t where (' || keys || ') = (select ' || keys
    || ' from jsonb_populate_record(null::' || relation || ', $1)) for update' into present using p_after;
  if p_before is null then
    if present = p_after then
      execute 'delete from ' || relation || ' where (' || keys || ') = (select ' || keys
        || ' from jsonb_populate_record(null::' || relation || ', $1))' using p_after;
    end if;
    return;
  end if;
  -- Only what still is as the decision left it.
  select string_agg(quote_ident(a.attname), ', ') into fields
  from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and p_before -> a.attname::text is distinct from p_after -> a.attname::text and present -> a.attname::text = p_after -> a.attname::text;
  if fields is not null then
    execute 'update ' || relation || ' set (' || fields || ') = (select ' || fields
      || ' from jsonb_populate_record(null::' || relation || ', $1)) where (' || keys || ') = (select ' || keys
      || ' from jsonb_populate_record(null::' || relation || ', $2))' using p_before, p_after;
  end if;
end
$$;
comment on function private.restore_row is 'Undoes one change of a row: an inserted row goes, a deleted one comes back, and of an updated one each column goes back that was not changed since.';

-- Functions: being told ------------------------------------------------------------------------------------------

create function private.tell_desk() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  member public.user_roles;
  waiting record;
  told integer := 0;
begin
  for member in select * from public.user_roles r where not private.is_limited(r.user_id) for update skip locked loop
    select count(*) as items, coalesce(bool_or(i.since > member.told_at), false) as any_new,
      coalesce(bool_or(i.since > member.told_at and i.urgent), false) as urgent_new,
      floor(extract(epoch from now() - min(i.since)) / 3600)::integer as hours
    into waiting from private.desk_items i;
    if (waiting.urgent_new and member.told_at < now() - interval '15 minutes')
      or (waiting.any_new and member.told_at < now() - interval '6 hours') then
      update public.user_roles r set told_at = now() where r.user_id = member.user_id;
      delete from public.notifications n where n.receiver_id = member.user_id and n.type = 'deskWaiting' and n.seen_at is null;
      perform private.notify('deskWaiting', null, member.user_id, jsonb_build_object('waiting', waiting.items, 'hours', waiting.hours));
      perform private.add_job('desk-mail', 'waiting ' || member.user_id, jsonb_build_object('user_id', member.user_id), member.user_id, interval '1 day');
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;
comment on function private.tell_desk is 'Tells each moderator what came since they were told last: of urgent things after 15 minutes at the earliest, of others after 6 hours. Run every 15 minutes, and when something urgent comes.';

create function private.ask_to_tell_desk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.add_job('tell-desk', '');
  return null;
end
$$;
create trigger ask_to_tell_desk after insert on private.user_reports for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.photo_reports for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.live_reports
  for each row when (new.hazard is not null) execute function private.ask_to_tell_desk();

create function private.desk_mail(p_user_id uuid, p_measure_id uuid, p_contact text)
returns table (email text, language public.language, subject text, lines text[], path text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Sent later than it was asked for: it says what is true by then.
  if p_measure_id is null then
    return query
      select a.email::text, u.language, t.title, array[t.message], '/desk'
      from public.user_roles r join public.users u on u.id = r.user_id join auth.users a on a.id = u.id
      cross join lateral (
        select jsonb_build_object('waiting', count(*), 'hours', floor(extract(epoch from now() - min(i.since)) / 3600)::integer) as data, count(*) as items
        from private.desk_items i
      ) w
      cross join lateral private.desk_text('deskWaiting', u.language, w.data) t
      where r.user_id = p_user_id and w.items > 0 and not private.is_limited(u.id) and a.email is not null;
  else
    return query
      select a.email::text, u.language, t.title,
        array[t.message] || case when p_contact is not null then format(private.texts(u.language) ->> 'measure.appeal', p_contact) end, null::text
      from private.measures m join public.users u on u.id = m.user_id join auth.users a on a.id = u.id
      cross join lateral private.desk_text('measure', u.language, to_jsonb(m)) t
      where m.id = p_measure_id and m.user_id = p_user_id and m.lifted_at is null and a.email is not null;
  end if;
end
$$;
comment on function private.desk_mail is 'A mail of the desk: what waits, or a measure with where to appeal; no row where there is nothing to say any more. path leads to the page that it is about.';

-- RPCs: people ---------------------------------------------------------------------------------------------------

create function private.require_power_over(p_actor uuid, p_person uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_actor is not null and (p_actor = p_person
    or (private.my_role() <> 'administrator' and exists (select from public.user_roles r where r.user_id = p_person))) then
    perform private.fail('not_allowed', 'Only an administrator acts on a moderator, and nobody on themself.', '42501');
  end if;
end
$$;

create function public.desk_people(p_search text)
returns table (id uuid, name text, joined date, role public.role, reports integer, limited boolean)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_search, 80)));
begin
  perform private.require_role();
  perform private.audit('search_people');
  return query
    select u.id, u.name, (u.created_at at time zone 'Asia/Jerusalem')::date, r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id),
      exists (select from private.measures m where m.user_id = u.id and m.shown and m.measure <> 'warn' and m.lifted_at is null and coalesce(m.until, 'infinity') > now())
    from public.users u left join public.user_roles r on r.user_id = u.id
    where (typed <> '' and lower(u.name) like '%' || replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_') || '%')
      or u.id = private.to_uuid(p_search)
      or u.id = (select a.id from auth.users a where lower(a.email) = lower(btrim(p_search)))
    order by lower(u.name) = typed desc, lower(u.name), u.id limit 30;
end
$$;
comment on function public.desk_people is 'People by a part of the name, the whole email, or the id; hidden ones, too. That somebody searched is in the audit log.';

create function public.desk_person(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
begin
  perform private.audit('view_person', private.item_name('person', p_user_id::text));
  return (
    select jsonb_build_object('id', u.id, 'name', u.name, 'joined', (u.created_at at time zone 'Asia/Jerusalem')::date, 'role', r.role,
      'dogs', (select count(*) from public.dogs d where d.owner = u.id and d.deleted_at is null),
      'reports', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at desc), '[]')
        from private.user_reports x where x.user_id = u.id),
      'history', private.person_history(u.id),
      'may_act', u.id is distinct from me and (r.role is null or me is null or private.my_role() = 'administrator'))
    from public.users u left join public.user_roles r on r.user_id = u.id where u.id = p_user_id);
end
$$;

create function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  measure_id uuid;
  decision_id uuid;
begin
  select i.kind, i.id, i.park_id, i.author, i.author_shown into item from private.desk_items i where i.kind = p_kind and i.id = p_id;
  if item.id is null and p_kind = 'person' then
    -- From the list of people, without a report.
    select 'person' as kind, u.id::text as id, null::bigint as park_id, u.id as author, true as author_shown into item
    from public.users u where u.id = private.to_uuid(p_id);
  end if;
  if item.author is null then
    perform private.fail('nobody_there', 'There is nobody behind this, or no longer.');
  end if;
  -- A refusal would tell that a moderator wrote an anonymous review.
  if item.author_shown then
    perform private.require_power_over(me, item.author);
  end if;
  if p_measure is null or p_reason is null or p_until <= now() or (p_measure = 'suspend' and p_until is null)
    or (p_measure in ('warn', 'ban') and p_until is not null) then
    perform private.fail('invalid_input', 'A measure has a reason; a suspension ends at a moment to come, a warning and a ban at none.');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    p_measure::text, p_reason, me);
  insert into private.measures (user_id, measure, reason, until, shown)
  values (item.author, p_measure, p_reason, p_until, item.author_shown) returning id into measure_id;
  if p_kind = 'person' then
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', p_measure, 'reason', p_reason, 'until', p_until)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id), item.author, interval '7 days');
  return decision_id;
end
$$;
comment on function public.desk_take_measure is 'Acts on a person: the one of this id (kind person), or whoever is behind an item, known or not. Answers the decision''s id; undoing it lifts the measure.';

create function public.desk_lift_measure(p_measure_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  person uuid;
begin
  select m.user_id into person from private.measures m where m.id = p_measure_id and m.shown and m.lifted_at is null for update;
  if person is null then
    return false;
  end if;
  perform private.require_power_over(me, person);
  perform private.audit('lift', private.item_name('person', person::text), jsonb_build_object('measure', p_measure_id));
  update private.measures m set lifted_at = now() where m.id = p_measure_id;
  return true;
end
$$;

create function public.desk_lift_all_measures(p_user_id uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lifted integer;
begin
  perform private.audit('lift', private.item_name('person', p_user_id::text));
  update private.measures m set lifted_at = now() where m.user_id = p_user_id and m.lifted_at is null and m.measure <> 'warn';
  get diagnostics lifted = row_count;
  update auth.users a set banned_until = null where a.id = p_user_id and a.banned_until > now();
  return lifted + case when found then 1 else 0 end;
end
$$;
comment on function public.desk_lift_all_measures is 'For operators: ends every limit, suspension and ban of a person, those too that no moderator sees.';

-- RPCs: roles ----------------------------------------------------------------------------------------------------

create function public.desk_set_role(p_user_id uuid, p_role public.role) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role('administrator');
begin
  if me = p_user_id then
    perform private.fail('not_allowed', 'Nobody changes their own role.', '42501');
  end if;
  if not exists (select from public.users u where u.id = p_user_id) then
    return false;
  end if;
  perform private.audit('set_role', private.item_name('person', p_user_id::text), jsonb_build_object('role', p_role));
  if p_role is null then
    delete from public.user_roles r where r.user_id = p_user_id;
  else
    insert into public.user_roles (user_id, role) values (p_user_id, p_role)
    on conflict (user_id) do update set role = excluded.role, granted_at = now();
  end if;
  return true;
end
$$;
comment on function public.desk_set_role is 'Makes somebody moderator or administrator; null takes the role away.';

create function public.desk_members()
returns table (id uuid, name text, role public.role, granted_at timestamptz, second_factor boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_role('administrator');
  return query
    select u.id, u.name, r.role, r.granted_at,
      exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
    from public.user_roles r join public.users u on u.id = r.user_id order by r.role desc, u.name, u.id;
end
$$;
comment on function public.desk_members is 'Who has a role, and whether they have the second factor without which it opens nothing.';

create function public.my_role() returns public.role
language sql stable security definer set search_path = ''
as $$
  select private.my_role()
$$;
comment on function public.my_role is 'The caller''s role, as long as it opens the desk.';

create function public.desk_audit_log(p_before bigint default null)
returns table (id bigint, at timestamptz, actor text, act text, item text, details jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_role('administrator');
  return query
    select l.id, l.at, (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where h.handle = l.actor),
      l.act, l.item, l.details
    from private.audit_log l where p_before is null or l.id < p_before order by l.id desc limit 100;
end
$$;
comment on function public.desk_audit_log is 'The audit log, newest first, 100 at a time; an actor without a name is an operator, or an account that is deleted.';

create function public.desk_numbers() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  since timestamptz := now() - interval '30 days';
begin
  perform private.require_role('administrator');
  return jsonb_build_object(
    'people', (select count(*) from public.users), 'new_people', (select count(*) from public.users u where u.created_at > since),
    'parks', (select count(*) from public.parks p where p.status = 'approved'), 'new_parks', (select count(*) from public.parks p where p.created_at > since),
    'visits', (select count(*) from public.check_ins c where c.started_at > since and not c.planned),
    'reviews', (select count(*) from public.reviews r where r.created_at > since),
    'live_reports', (select count(*) from private.live_reports l where l.reported_at > since),
    'reports', (select count(*) from private.review_reports x where x.created_at > since) + (select count(*) from private.user_reports x where x.created_at > since),
    'decisions', (select count(*) from private.desk_decisions d where d.decided_at > since));
end
$$;
comment on function public.desk_numbers is 'Counts of the last 30 days, and of all people and parks; nothing about anybody.';

grant execute on function
  public.my_role(),
  public.desk_queue(text[]),
  public.desk_claim(text, text),
  public.desk_next(text[], timestamptz),
  public.desk_release(text, text),
  public.desk_decide(text, text, boolean, public.decision_reason),
  public.desk_decide_many(text, text[], boolean, public.decision_reason),
  public.desk_change_park(bigint, text, bigint),
  public.desk_undo(uuid),
  public.desk_decisions(timestamptz),
  public.desk_people(text),
  public.desk_person(uuid),
  public.desk_take_measure(text, text, public.measure, public.decision_reason, timestamptz),
  public.desk_lift_measure(uuid),
  public.desk_set_role(uuid, public.role),
  public.desk_members(),
  public.desk_audit_log(bigint),
  public.desk_numbers()
to authenticated, service_role;

grant execute on function public.desk_lift_all_measures(uuid) to service_role;

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
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.planned, 'counted', c.counted, 'asked_fact', c.asked_fact, 'question_answered', c.question_answered) order by c.started_at), '[]')
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
    'fact_answers', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(a.park_id, u.language), 'fact', a.fact, 'value', a.value,
        'answered_at', a.answered_at, 'standing', a.standing) order by a.answered_at), '[]')
      from private.fact_answers a where a.user_id = u.id),
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
    'measures', (
      select coalesce(jsonb_agg(to_jsonb(m) - 'id' - 'user_id' - 'shown' order by m.taken_at), '[]') from private.measures m where m.user_id = u.id),
    'decisions', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(d), 'kind', 'decision', 'reason', 'decided_at', 'undone_at') order by d.decided_at), '[]')
      from private.desk_decisions d where d.subject = u.id),
    'role', (select to_jsonb(r) - 'user_id' from public.user_roles r where r.user_id = u.id),
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
comment on function public.export_user_data is 'Everything stored about a user, as one object; files lists what is in storage. What it leaves out, and why, is in supabase/tests/account.test.ts.';

create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  delete from public.check_ins c where c.planned and c.expires_at < now();
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from private.fact_answers a where a.answered_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Of what was decided: the copies for undoing, the files of rejected photos, and then the decision itself.
  delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id and d.decided_at < now() - interval '30 days';
  perform private.move_photo(f.path, null) from public.park_photos f
  where f.status = 'rejected' and not exists (
    select from private.desk_decisions d where d.kind = 'photo' and d.item_id = f.path and d.decided_at > now() - interval '30 days');
  delete from private.desk_decisions d where d.decided_at < now() - interval '1 year';
  delete from private.desk_claims c where c.expires_at < now();
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
comment on function private.reduce_history is 'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';
