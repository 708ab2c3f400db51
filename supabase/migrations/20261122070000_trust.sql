-- One design for trust in what people say (supabase/schemas/trust.sql): limits per person and pair, being there counts, and
-- newcomers count less. Reports and votes outlive accounts without naming them, and what is read outside carries no minutes.

create function private.count_attempt(p_subject uuid, p_operation text, p_window interval) returns integer
language sql volatile security definer set search_path = ''
as $$
  insert into private.rate_limits as r (user_id, operation) values (p_subject, p_operation)
  on conflict (user_id, operation) do update set
    count = case when r.window_start < now() - p_window then 1 else r.count + 1 end,
    window_start = case when r.window_start < now() - p_window then now() else r.window_start end
  returning r.count
$$;
comment on function private.count_attempt is 'The how manieth time this is in p_window, in the name of p_subject.';

create or replace function private.limit_subject(p_subject uuid, p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if private.count_attempt(p_subject, p_operation, p_window) > p_limit then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;
comment on function private.limit_subject is 'Refuses with too_many when this was done more than p_limit times in p_window in the name of p_subject.';

create function private.limit_pair(p_subject uuid, p_other uuid, p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = ''
as $$
  -- Under a hash: whom somebody asked is nobody's business, and the other may be gone tomorrow.
  select private.limit_subject(p_subject, p_operation || ' to ' || md5(p_subject || ' ' || p_other), p_limit, p_window)
$$;
comment on function private.limit_pair is 'Refuses with too_many when p_subject did this to p_other more than p_limit times in p_window.';

-- Types ----------------------------------------------------------------------------------------------------------

create type public.standing as enum ('newcomer', 'newcomer_there', 'regular', 'regular_there');
comment on type public.standing is 'How well the product knew somebody at the moment of a word about a park: whether they had checked in there, and on other days before.';

-- Functions: the numbers, each once ------------------------------------------------------------------------------

create function private.action_limits()
returns table (action text, per interval, regulars integer, newcomers integer, with_one_person integer)
language sql immutable set search_path = ''
as $$
  values
    ('check_in', interval '1 day', 30, 15, null::integer),
    ('check_in_without_place', interval '1 day', 6, 6, null),
    ('live_report', interval '1 hour', 30, 10, null),
    ('review', interval '1 day', 30, 15, null),
    ('send_friend_request', interval '1 day', 50, 20, 3),
    ('invite_to_park', interval '1 day', 30, 15, 6)
$$;
comment on function private.action_limits is 'How often somebody may do what others see: in all, and towards one person.';

create function private.most_dogs() returns integer language sql immutable set search_path = '' as $$ select 20 $$;
comment on function private.most_dogs is 'Dogs of a profile, and of a check-in.';

create function private.most_unnamed_dogs() returns integer language sql immutable set search_path = '' as $$ select 2 $$;
comment on function private.most_unnamed_dogs is 'Dogs that count of a check-in that names none of one''s own.';

create function private.most_newcomer_dogs() returns integer language sql immutable set search_path = '' as $$ select 6 $$;
comment on function private.most_newcomer_dogs is 'Dogs of newcomers that count at one park at a time: newcomers alone make no park busy.';

create function private.shortest_visit() returns interval language sql immutable set search_path = '' as $$ select interval '5 minutes' $$;
comment on function private.shortest_visit is 'Shorter visits enter no history.';

create function private.days_to_regular() returns integer language sql immutable set search_path = '' as $$ select 2 $$;
comment on function private.days_to_regular is 'On so many earlier days a regular has made a visit.';

create function private.near_metres() returns integer language sql immutable set search_path = '' as $$ select 1000 $$;
comment on function private.near_metres is 'Whoever is further from a park, by more than the place may be wrong, is not there yet.';

create function private.rough_metres() returns integer language sql immutable set search_path = '' as $$ select 3000 $$;
comment on function private.rough_metres is 'A place that may be wrong by more says nothing.';

create function private.weight(p_standing public.standing) returns integer
language sql immutable set search_path = ''
as $$
  select case p_standing when 'newcomer' then 1 when 'newcomer_there' then 2 when 'regular' then 3 when 'regular_there' then 4 end
$$;
comment on function private.weight is 'How much one word about a condition of a park weighs.';

create function private.most_newcomer_weight() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.most_newcomer_weight is 'How much the words of all newcomers on one side weigh together.';

create function private.most_support() returns integer language sql immutable set search_path = '' as $$ select 7 $$;
comment on function private.most_support is 'How much those who say that a condition is there weigh together: two regulars who have been there can always end it.';

create function private.report_pause() returns interval language sql immutable set search_path = '' as $$ select interval '1 hour' $$;
comment on function private.report_pause is 'So long nobody repeats their own report that somebody ended.';

create function private.newcomer_share() returns numeric language sql immutable set search_path = '' as $$ select 0.25 $$;
comment on function private.newcomer_share is 'What a newcomer''s rating, and a report by a newcomer who has not been there, count for of another one; and all newcomers'' ratings together, of all the others.';

-- Functions: who is who ------------------------------------------------------------------------------------------

create function private.is_regular(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select count(distinct (c.started_at at time zone 'Asia/Jerusalem')::date) >= private.days_to_regular()
    from public.check_ins c
    where c.user_id = p_user_id and not c.planned and c.started_at < date_trunc('day', now(), 'Asia/Jerusalem')
      and coalesce(c.ended_at, c.expires_at) - c.started_at >= private.shortest_visit());
end
$$;
comment on function private.is_regular is 'Whether somebody made visits on enough earlier days. Nothing is kept for it but the visits, so it lasts as long as they do.';

create function private.has_been_at(p_user_id uuid, p_park_id bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.check_ins c where c.user_id = p_user_id and c.park_id = p_park_id and not c.planned);
end
$$;
comment on function private.has_been_at is 'Whether somebody is checked in at a park, or was within the days that visits are kept.';

create function private.standing_at(p_user_id uuid, p_park_id bigint) returns public.standing
language sql stable security definer set search_path = ''
as $$
  select case
    when private.is_regular(p_user_id) then case when private.has_been_at(p_user_id, p_park_id) then 'regular_there' else 'regular' end
    else case when private.has_been_at(p_user_id, p_park_id) then 'newcomer_there' else 'newcomer' end
  end::public.standing
$$;

create function private.is_far(p_park_id bigint, p_lat double precision, p_long double precision, p_accuracy double precision) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  metres double precision;
begin
  if p_lat is null or p_long is null then
    return null;
  end if;
  -- NaN is between nothing.
  if not (p_lat between -90 and 90 and p_long between -180 and 180 and coalesce(p_accuracy, 0) between 0 and 'infinity') then
    perform private.fail('invalid_input', 'A place is a latitude, a longitude and how many metres it may be wrong.');
  end if;
  if p_accuracy > private.rough_metres() then
    return null;
  end if;
  select 2 * 6371008.8 * asin(sqrt(least(1,
    sind((p.lat - p_lat) / 2) ^ 2 + cosd(p.lat) * cosd(p_lat) * sind((p.long - p_long) / 2) ^ 2)))
  into metres from public.parks p where p.id = p_park_id;
  return metres > private.near_metres() + coalesce(p_accuracy, 0);
end
$$;
comment on function private.is_far is 'Whether a place is far from a park; null where it is not given, or too rough to tell. p_accuracy: metres by which it may be wrong.';

create function private.newcomers_fit(p_park_id bigint, p_dogs integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Two at once would each count without the other.
  perform pg_advisory_xact_lock(hashtextextended('newcomers:' || p_park_id, 0));
  return p_dogs + (
    select coalesce(sum(c.dog_count), 0) from public.check_ins c
    where c.park_id = p_park_id and c.ended_at is null and c.expires_at > now() and c.counted and not private.is_regular(c.user_id)
  ) <= private.most_newcomer_dogs();
end
$$;
comment on function private.newcomers_fit is 'Whether a newcomer''s dogs still count at a park.';

-- Functions: what follows ----------------------------------------------------------------------------------------

create function private.limit_action(p_user_id uuid, p_action text, p_with uuid[] default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  allowed record;
  other uuid;
begin
  select * into strict allowed from private.action_limits() l where l.action = p_action;
  perform private.limit_subject(p_user_id, p_action,
    case when private.is_regular(p_user_id) then allowed.regulars else allowed.newcomers end, allowed.per);
  foreach other in array p_with loop
    perform private.limit_pair(p_user_id, other, p_action, allowed.with_one_person, allowed.per);
  end loop;
end
$$;
comment on function private.limit_action is 'Refuses with too_many what somebody did too often, in all or towards one of p_with. It counts the same whatever the others'' state is.';

create function private.within_limit(p_user_id uuid, p_action text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  allowed record;
begin
  select * into strict allowed from private.action_limits() l where l.action = p_action;
  return private.count_attempt(p_user_id, p_action, allowed.per)
    <= case when private.is_regular(p_user_id) then allowed.regulars else allowed.newcomers end;
end
$$;
comment on function private.within_limit is 'Counts like limit_action, and tells instead of refusing.';

create function private.average_rank(p_ranks integer[], p_newcomer_ranks integer[]) returns numeric
language sql immutable set search_path = ''
as $$
  select case
    when regulars.many = 0 then newcomers.total::numeric / nullif(newcomers.many, 0)
    else (regulars.total + newcomers.total * share) / (regulars.many + newcomers.many * share)
  end
  from (select sum(n * i) as total, sum(n) as many from unnest(p_newcomer_ranks) with ordinality u (n, i)) newcomers,
    lateral (select sum(n * i) - newcomers.total as total, sum(n) - newcomers.many as many from unnest(p_ranks) with ordinality u (n, i)) regulars,
    lateral (select private.newcomer_share() * least(1, regulars.many::numeric / nullif(newcomers.many, 0)) as share_or_null) s,
    lateral (select coalesce(s.share_or_null, 0) as share) shared
$$;
comment on function private.average_rank is 'The average of a park''s ratings (how many gave 1 to 5), of which p_newcomer_ranks are by newcomers: these together weigh at most newcomer_share of the others. Null without any.';

create or replace function private.limit_dogs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The policy refuses to write for others.
  if new.owner is distinct from coalesce(auth.uid(), new.owner) then
    return new;
  end if;
  -- Parallel inserts would each count without the others.
  perform pg_advisory_xact_lock(hashtextextended('dogs:' || new.owner, 0));
  if (select count(*) from public.dogs d where d.owner = new.owner and d.deleted_at is null) >= private.most_dogs() then
    perform private.fail('too_many', format('A profile has room for %s dogs.', private.most_dogs()));
  end if;
  return new;
end
$$;

-- Check-ins ------------------------------------------------------------------------------------------------------

alter table public.check_ins drop constraint check_ins_dog_count_check;
alter table public.check_ins add constraint check_ins_dog_count_check check (dog_count between 0 and private.most_dogs());
alter table public.check_ins add column planned boolean not null default false;
alter table public.check_ins add column counted boolean not null default true;
alter table public.check_ins add check (not (planned and counted));

comment on column public.check_ins.planned is 'Its user was far away: no visit, and seen by nobody else, until they check in there.';
comment on column public.check_ins.counted is 'Whether it is part of what everybody reads: the numbers of the park and its busy hours. Friends see visits that are not.';

drop index public.check_ins_present;
create index check_ins_present on public.check_ins (park_id, expires_at) include (dog_count, user_id, planned, counted) where ended_at is null;

drop index public.check_ins_leaving;
drop index public.check_ins_left;
create index check_ins_leaving on public.check_ins (expires_at) include (park_id, dog_count, started_at, counted) where ended_at is null;
create index check_ins_left on public.check_ins (ended_at) include (park_id, counted) where ended_at is not null;

create or replace function private.count_visit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.ended_at - new.started_at < private.shortest_visit() then
    return null;
  end if;
  -- Each hour gets the share of it that the dogs were there.
  insert into private.busy_hours as b (park_id, day, hour, dogs)
  select new.park_id, slot::date, extract(hour from slot),
    new.dog_count * extract(epoch from least(visit.until, slot + interval '1 hour') - greatest(visit.since, slot)) / 3600
  from (select new.started_at at time zone 'Asia/Jerusalem' as since, new.ended_at at time zone 'Asia/Jerusalem' as until) visit,
    generate_series(date_trunc('hour', visit.since), visit.until, interval '1 hour') slot
  where visit.until > greatest(visit.since, slot) and new.dog_count > 0
  order by slot
  on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs;
  return null;
end
$$;

drop trigger count_visit on public.check_ins;
create trigger count_visit after update of ended_at on public.check_ins
  for each row when (old.ended_at is null and new.ended_at is not null and new.counted) execute function private.count_visit();

drop function public.check_in(bigint, uuid[], integer, integer, boolean, uuid);

create function public.check_in(
  p_park_id bigint,
  p_dog_ids uuid[] default '{}',
  p_dog_count integer default null,
  p_stay_minutes integer default 60,
  p_switch boolean default false,
  p_key uuid default null,
  p_lat double precision default null,
  p_long double precision default null,
  p_accuracy double precision default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'check_in');
  dogs uuid[] := array(select distinct d from unnest(p_dog_ids) d where d is not null);
  dog_count integer := coalesce(nullif(cardinality(dogs), 0), p_dog_count, 1);
  -- The place is compared here, and gone with this call.
  far boolean := private.is_far(p_park_id, p_lat, p_long, p_accuracy);
  counted boolean;
  present public.check_ins;
  made public.check_ins;
  moment timestamptz;
begin
  if result is not null then
    return result;
  end if;
  if dog_count not between 0 and private.most_dogs() or p_stay_minutes is null or p_stay_minutes not between 1 and 240 then
    perform private.fail('invalid_input', format('At most %s dogs, and a stay of 1 to 240 minutes.', private.most_dogs()));
  end if;
  if cardinality(dogs) = 0 then
    dog_count := least(dog_count, private.most_unnamed_dogs());
  end if;
  -- One check-in of a user at a time: two at once would both see no open one.
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  -- Not now(): that is when the transaction began, before it waited for the lock.
  moment := clock_timestamp();
  select * into present from public.check_ins c where c.user_id = me and c.ended_at is null;
  if present.planned then
    -- A plan holds until the next check-in, wherever that is.
    delete from public.check_ins c where c.id = present.id;
    present := null;
  elsif present.expires_at > moment then
    if present.park_id = p_park_id then
      return private.store_idempotent_result(p_key, jsonb_build_object('status', 'already_here', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at, 'counted', present.counted, 'elsewhere', null));
    end if;
    if not coalesce(p_switch, false) then
      -- Nothing happened: the same key is used again once the user said whether to switch.
      delete from private.idempotency_keys k where k.user_id = me and k.key = p_key;
      return jsonb_build_object('status', 'elsewhere', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at,
        'elsewhere', jsonb_build_object('park_id', present.park_id, 'name', private.park_name(present.park_id, private.my_language())));
    end if;
  end if;
  perform private.limit_action(me, 'check_in');
  if present.id is not null then
    update public.check_ins c set ended_at = least(c.expires_at, moment) where c.id = present.id;
  end if;
  counted := case
    when far then false
    when far is null and not private.within_limit(me, 'check_in_without_place') then false
    else private.is_regular(me) or private.newcomers_fit(p_park_id, dog_count)
  end;
  insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, planned, counted)
  select me, p.id, dog_count, moment, moment + make_interval(mins => p_stay_minutes), coalesce(far, false), counted
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
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when made.planned then 'planned' else 'checked_in' end, 'check_in_id', made.id,
    'park_id', made.park_id, 'expires_at', made.expires_at, 'counted', made.counted, 'elsewhere', null));
end
$$;
comment on function public.check_in is 'The status is checked_in, already_here, elsewhere (nothing happened: ask whether to switch), or planned where the place that the device gave is far from the park; see private.is_far. counted: whether the park''s numbers have it.';

grant execute on function public.check_in(bigint, uuid[], integer, integer, boolean, uuid, double precision, double precision, double precision) to authenticated;

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
  where c.user_id = me and c.ended_at is null and not c.planned and c.expires_at > now()
  returning * into present;
  if present.id is null then
    perform private.fail('not_checked_in', 'Check in first.');
  end if;
  return private.store_idempotent_result(p_key,
    jsonb_build_object('check_in_id', present.id, 'park_id', present.park_id, 'expires_at', present.expires_at));
end
$$;
comment on function public.extend_stay is 'Adds minutes to the planned stay, up to 4 hours in all; the same key adds them once.';

create or replace function public.my_check_in()
returns table (check_in_id uuid, park_id bigint, park_name text, started_at timestamptz, expires_at timestamptz, dog_count integer)
language sql stable security definer set search_path = ''
as $$
  select c.id, c.park_id, private.park_name(c.park_id, private.my_language()), c.started_at, c.expires_at, c.dog_count::integer
  from public.check_ins c
  where c.user_id = private.uid() and c.ended_at is null and not c.planned and c.expires_at > now()
$$;
comment on function public.my_check_in is 'Where the caller is now: one row or none.';

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
  delete from public.check_ins c where c.user_id = me and c.ended_at is null and c.planned;
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

-- Live reports ---------------------------------------------------------------------------------------------------

alter table private.live_reports drop constraint live_reports_reporter_fkey;
alter table private.live_reports add foreign key (reporter) references public.users (id) on delete set null;
alter table private.live_reports add column standing public.standing not null default 'regular_there';
alter table private.live_report_votes drop constraint live_report_votes_pkey;
alter table private.live_report_votes alter column user_id drop not null;
alter table private.live_report_votes drop constraint live_report_votes_user_id_fkey;
alter table private.live_report_votes add foreign key (user_id) references public.users (id) on delete set null;
alter table private.live_report_votes add column standing public.standing not null default 'regular_there';
alter table private.live_report_votes add unique (report_id, user_id);

comment on table private.live_reports is 'Nobody may know who reported: everybody reads the view park_conditions.';
comment on column private.live_reports.reporter is 'Null once the account is deleted: a report that vanished with it would name its reporter.';
comment on column private.live_reports.standing is 'The reporter''s, when it was made.';
comment on table private.live_report_votes is 'The latest vote of each user on a report; the reporter''s only that it is over.';
comment on column private.live_report_votes.user_id is 'Null once the account is deleted: a vote that vanished with it would name its user.';
comment on column private.live_report_votes.standing is 'The user''s, at the vote.';

create function private.quarter_hour(p_moment timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$
  select date_bin(interval '15 minutes', p_moment, '2000-01-01 00:00:00Z')
$$;
comment on function private.quarter_hour is 'The beginning of its quarter of an hour: the minute of a report tells who just came or left.';

create function private.report_end(p_from timestamptz, p_condition public.park_condition, p_standing public.standing) returns timestamptz
language sql stable set search_path = ''
as $$
  select private.quarter_hour(p_from + private.condition_duration(p_condition)
    * case when p_standing = 'newcomer' then private.newcomer_share() else 1 end::double precision) + interval '15 minutes'
$$;
comment on function private.report_end is 'Until when a word of p_from counts; that of a newcomer who has not been there for a part of the time.';

create function private.is_over(p_report_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with words as (
    select v.vote, v.standing from private.live_report_votes v where v.report_id = p_report_id
    union all
    select 'confirm', r.standing from private.live_reports r
    where r.id = p_report_id and not exists (
      select from private.live_report_votes v where v.report_id = r.id and v.user_id = r.reporter)
  ), sides as (
    select vote,
      coalesce(sum(private.weight(standing)) filter (where standing in ('regular', 'regular_there')), 0) as regulars,
      least(coalesce(sum(private.weight(standing)) filter (where standing in ('newcomer', 'newcomer_there')), 0), private.most_newcomer_weight()) as newcomers
    from words group by vote
  )
  select coalesce((
    -- Newcomers say nothing against the word of a regular.
    select over.regulars + case when coalesce(there.regulars, 0) = 0 then over.newcomers else 0 end
      > least(coalesce(there.regulars + there.newcomers, 0), private.most_support())
    from sides over left join sides there on there.vote = 'confirm'
    where over.vote = 'over'), false)
$$;
comment on function private.is_over is 'Whether those who say that it is over weigh more than the reporter and those who confirmed it.';

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
    private.report_end(case when my_standing in ('regular', 'regular_there') then now() else r.reported_at end, r.condition, my_standing))
  where r.id = p_report_id and my_standing <> 'newcomer';
  return true;
end
$$;
comment on function private.confirm_report is 'False when the report is no longer active. The word of its own reporter changes nothing.';

grant execute on function private.quarter_hour(timestamptz) to anon, authenticated;

create or replace view public.park_conditions with (security_barrier) as
  select r.id, r.park_id, r.condition,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.quarter_hour(r.confirmed_at) as confirmed_at,
    (select count(*)::integer from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm' and v.standing <> 'newcomer') as confirmations,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.ended_at is null and r.expires_at > now();
comment on view public.park_conditions is 'The conditions of parks that are reported now.';
comment on column public.park_conditions.id is 'never null';
comment on column public.park_conditions.park_id is 'never null';
comment on column public.park_conditions.condition is 'never null';
comment on column public.park_conditions.reported_at is 'The quarter of an hour only, except for the reporter; never null';
comment on column public.park_conditions.confirmations is 'How many others confirmed it who are regulars or have been there; never null';
comment on column public.park_conditions.expires_at is 'never null';
comment on column public.park_conditions.mine is 'Whether the caller reported it; never null';


create or replace function public.report_condition(p_park_id bigint, p_condition public.park_condition, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  my_standing public.standing := private.standing_at(me, p_park_id);
  result jsonb := private.claim_idempotency_key(p_key, 'report_condition');
  report_id uuid;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  perform private.require_park(p_park_id);
  perform private.limit_action(me, 'live_report');
  if p_condition is null then
    perform private.fail('invalid_input', 'Say what is the matter.');
  end if;
  update private.live_reports r set ended_at = r.expires_at
  where r.park_id = p_park_id and r.condition = p_condition and r.ended_at is null and r.expires_at <= now();
  insert into private.live_reports (park_id, condition, reporter, standing, expires_at)
  select p_park_id, p_condition, me, my_standing, private.report_end(now(), p_condition, my_standing)
  where not exists (
    select from private.live_reports r
    where r.reporter = me and r.park_id = p_park_id and r.condition = p_condition
      and r.ended_at < r.expires_at and r.ended_at > now() - private.report_pause())
  on conflict (park_id, condition) where ended_at is null do nothing
  returning id into report_id;
  if report_id is null then
    select r.id into report_id from private.live_reports r
    where r.park_id = p_park_id and r.condition = p_condition and r.ended_at is null;
    if report_id is null then
      perform private.fail('too_many', 'Somebody said that what you reported is over. Try again later.');
    end if;
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
  perform private.limit_action(me, 'live_report');
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
  perform private.limit_action(me, 'live_report');
  -- The lock makes two votes at the same moment count as two.
  select * into report from private.live_reports r
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now() for update;
  if report.id is not null then
    insert into private.live_report_votes (report_id, user_id, vote, standing)
    values (p_report_id, me, 'over', private.standing_at(me, report.park_id))
    on conflict (report_id, user_id) do update set vote = 'over', voted_at = now(), standing = excluded.standing;
    is_over := private.is_over(p_report_id);
    if is_over then
      update private.live_reports r set ended_at = now() where r.id = p_report_id;
    end if;
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(is_over))::boolean;
end
$$;
comment on function public.end_condition is 'A vote that it is over; true when that ended the report: see private.is_over.';

-- Reviews --------------------------------------------------------------------------------------------------------

alter table public.reviews add column standing public.standing not null default 'regular_there';
comment on column public.reviews.standing is 'The author''s, when it was written; renewed once a day, until it is regular_there. The rank counts from a check-in at the park on.';

create or replace function private.check_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Without a caller it is the seed or an operator who writes: they are trusted.
  if auth.uid() is not null then
    perform private.require_consent();
    if tg_op = 'INSERT' then
      perform private.require_park(new.park_id);
      perform private.limit_action(new.author, 'review');
      new.standing := private.standing_at(new.author, new.park_id);
    end if;
  end if;
  return new;
end
$$;

drop view public.park_live;
alter table private.park_ratings drop column average_rank;
alter table private.park_ratings add column newcomer_ranks integer[] not null default '{0,0,0,0,0}';
alter table private.park_ratings add column average_rank numeric(3, 2) generated always as (private.average_rank(ranks, newcomer_ranks)) stored;
comment on table private.park_ratings is 'How many reviews gave 1 to 5, of those that count; kept by a trigger, so that a list of parks need not count reviews.';
comment on column private.park_ratings.newcomer_ranks is 'Those among them that newcomers wrote.';

create function private.add_rank(p_ranks integer[], p_rank smallint, p_by integer) returns integer[]
language sql immutable set search_path = ''
as $$
  select array(select n + case when i = p_rank then p_by else 0 end from unnest(p_ranks) with ordinality u (n, i) order by i)
$$;
comment on function private.add_rank is 'Counts p_by more of a rank; without a rank, nothing.';

create or replace function private.count_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  of_park bigint := case when tg_op = 'DELETE' then old.park_id else new.park_id end;
  before_rank smallint := case when tg_op <> 'INSERT' and old.hidden_at is null and old.standing in ('newcomer_there', 'regular_there') then old.rank end;
  after_rank smallint := case when tg_op <> 'DELETE' and new.hidden_at is null and new.standing in ('newcomer_there', 'regular_there') then new.rank end;
  before_newcomer smallint := case when tg_op <> 'INSERT' and old.standing = 'newcomer_there' then before_rank end;
  after_newcomer smallint := case when tg_op <> 'DELETE' and new.standing = 'newcomer_there' then after_rank end;
begin
  if (before_rank, before_newcomer) is distinct from (after_rank, after_newcomer) then
    -- Where a deleted park takes its reviews along, there is no row to count in.
    insert into private.park_ratings (park_id) select p.id from public.parks p where p.id = of_park on conflict do nothing;
    update private.park_ratings r set
      ranks = private.add_rank(private.add_rank(r.ranks, before_rank, -1), after_rank, 1),
      newcomer_ranks = private.add_rank(private.add_rank(r.newcomer_ranks, before_newcomer, -1), after_newcomer, 1)
    where r.park_id = of_park;
    insert into private.park_list_changes (due_at) values (now() + interval '1 hour') on conflict do nothing;
  end if;
  return null;
end
$$;

drop trigger count_review on public.reviews;
create trigger count_review after insert or delete or update of rank, hidden_at, standing on public.reviews
  for each row execute function private.count_review();

create function private.renew_review_standings() returns void
language sql volatile security definer set search_path = ''
as $$
  update public.reviews r
  set standing = case when private.is_regular(r.author) then 'regular_there'::public.standing else 'newcomer_there' end
  where r.author is not null
    and case r.standing
      when 'regular_there' then false
      when 'newcomer_there' then private.is_regular(r.author)
      else private.has_been_at(r.author, r.park_id)
    end
$$;
comment on function private.renew_review_standings is 'Lets the ratings of those count who checked in at the park since, and those of regulars fully. Never less than before.';

-- What is going on at parks --------------------------------------------------------------------------------------

create or replace function private.friends_there() returns table (park_id bigint, friend jsonb)
language sql stable security definer set search_path = ''
as $$
  -- Hidden users are only ever counted, even among friends. Few friends and many visitors: it begins with the friends.
  select c.park_id, jsonb_build_object('id', u.id, 'name', u.name, 'park_id', c.park_id, 'since', c.started_at,
    'dogs', coalesce((
      select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) order by d.name)
      from public.check_in_dogs cd join public.dogs d on d.id = cd.dog_id and d.deleted_at is null
      where cd.check_in_id = c.id), '[]'))
  from private.friend_ids() f (id)
  join public.users u on u.id = f.id and not u.hidden
  join public.check_ins c on c.user_id = u.id and c.ended_at is null and not c.planned and c.expires_at > now()
  join public.parks p on p.id = c.park_id and p.status = 'approved'
  order by c.started_at, u.id
$$;
comment on function private.friends_there is 'The caller''s friends who are at a park now, with the dogs they brought.';

create view public.park_live with (security_barrier) as
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
    from private.live_reports l where l.ended_at is null and l.expires_at > now() group by l.park_id
  ) source
  join public.parks p on p.id = source.park_id and p.status = 'approved'
  group by source.park_id;
comment on view public.park_live is 'For apps before 0.2: counts, rating and conditions of parks that have any. Newer ones ask live_counts.';
comment on column public.park_live.park_id is 'never null';
comment on column public.park_live.dogs_now is 'never null';
comment on column public.park_live.people_now is 'never null';
comment on column public.park_live.busy_level is 'quiet up to 2 dogs, busy from 7; never null';
comment on column public.park_live.average_rank is 'Null without reviews.';
comment on column public.park_live.review_count is 'never null';
comment on column public.park_live.conditions is 'never null';

grant select on public.park_live to anon, authenticated;

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
      and (since is null or l.reported_at > since or l.expires_at <= moment)
    union
    select l.park_id from private.live_reports l where l.ended_at > since
  )
  select string_agg(format('"%s":%s', p.id, coalesce((
      select json_agg(l.condition order by l.condition)
      from private.live_reports l where l.park_id = p.id and l.ended_at is null and l.expires_at > moment), '[]')), ',' order by p.id)
  into conditions
  from touched t join public.parks p on p.id = t.park_id and p.status = 'approved';

  answer := format('{"at":%s%s%s%s}',
    case when since is not null and dogs is null and conditions is null then p_since else slot end,
    case when since is null then ',"all":true' end,
    ',"dogs":[' || dogs || ']',
    ',"conditions":{' || conditions || '}');
  perform set_config('response.headers', json_build_array(
    json_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end),
    json_build_object('ETag', format('"%s"', left(md5(answer), 12))))::text, true);
  return answer::json;
end
$$;
comment on function public.live_counts is 'Dogs now and conditions: {at, all?, dogs: [step to the next park id, dogs, …], conditions: {park id: […]}}. With the last at as p_since only parks that changed, else all that have any (all is true). The same for every caller, so shared caches may hand it out for 3 seconds; not with p_fresh.';

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
comment on function public.park_status is 'Everything about a park that changes by the minute, as one object; null for a park that is not there.';

create or replace function public.park_visitors(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('people_now', count(*), 'dogs_now', coalesce(sum(c.dog_count), 0),
    'friends', private.friends_at(p_park_id))
  from public.check_ins c join public.parks p on p.id = c.park_id and p.status = 'approved'
  where c.park_id = p_park_id and c.ended_at is null and c.counted and c.expires_at > now()
$$;

-- Invites and requests -------------------------------------------------------------------------------------------

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
  -- An unfriending or a block under way comes first. All lock pairs in one order, so that no two wait for each other.
  perform private.lock_pair(asked.friend)
  from (select distinct f as friend from unnest(p_friend_ids) f where f is not null order by f) asked;
  perform private.limit_action(me, 'invite_to_park', array(select f from private.friend_ids() f where f = any (p_friend_ids)));
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

drop function public.respond_to_invite(uuid, boolean, uuid);

create function public.respond_to_invite(p_invite_id uuid, p_accept boolean) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  invite public.park_invites;
begin
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
  return invite.status;
end
$$;
comment on function public.respond_to_invite is 'The status afterwards; the first answer stands.';

grant execute on function public.respond_to_invite(uuid, boolean) to authenticated;

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
  if p_user_id in (select private.listed_block_ids()) then
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
    perform private.limit_action(me, 'send_friend_request', array[p_user_id]);
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

-- Photos ---------------------------------------------------------------------------------------------------------

alter table public.park_photos alter column created_at set default date_trunc('day', now(), 'Asia/Jerusalem');
update public.park_photos set created_at = date_trunc('day', created_at, 'Asia/Jerusalem');
comment on column public.park_photos.created_at is 'The day only: a minute tells who was there.';

-- Account and history --------------------------------------------------------------------------------------------

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
    'hidden_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(h.park_id, u.language), 'hidden_at', h.hidden_at) order by h.hidden_at), '[]')
      from private.hidden_reviews h where h.author = u.id),
    -- Without the review's id, by which an anonymous one could be recognised.
    'reported_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(r.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = u.id),
    -- Without the name, which somebody who hides by now may have changed.
    'reported_people', (
      select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at', x.resolved_at)
        order by x.created_at), '[]')
      from private.user_reports x where x.reporter = u.id),
    'live_report_votes', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'vote', x.vote,
        'voted_at', x.voted_at, 'standing', x.standing) order by x.voted_at), '[]')
      from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = u.id),
    'live_reports', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'reported_at', l.reported_at, 'standing', l.standing) order by l.reported_at), '[]')
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
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  delete from private.push_outbox o where o.created_at < now() - interval '2 days';
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
comment on function private.reduce_history is 'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';
