-- Live reports: the condition of a park now, or a hazard there, until it expires or is said to be over. Photos
-- of hazards, and who is told of them, are in hazards.sql.

create type public.park_condition as enum ('muddy', 'gateClosed', 'underConstruction', 'brokenFountain');
create type public.park_hazard as enum ('poison', 'glass', 'looseDog', 'caterpillars', 'ticks', 'awns', 'brokenFence', 'noWater',
  'kennelCough', 'stomachBug', 'parvovirus');
create type private.report_vote as enum ('confirm', 'over');

create table private.live_reports (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  condition public.park_condition,
  reporter uuid references public.users (id) on delete set null,
  reported_at timestamptz not null default now(),
  confirmed_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz,
  standing public.standing not null default 'regular_there',
  hazard public.park_hazard,
  verified_at timestamptz,
  city_informed_at timestamptz,
  hidden_at timestamptz,
  in_hand_by bigint references private.towns (id),
  constraint live_reports_one_kind check (num_nonnulls(condition, hazard) = 1)
);
comment on table private.live_reports is 'Who reported is secret: everybody reads the views park_conditions and park_hazards.';
comment on column private.live_reports.reporter is
  'Null once the account is deleted: a report that vanished with it would name its reporter.';
comment on column private.live_reports.standing is 'The reporter''s, when it was made.';
comment on column private.live_reports.verified_at is
  'When somebody else who was there confirmed a hazard: from then on people are told of it. See private.confirm_report.';
comment on column private.live_reports.city_informed_at is 'When somebody said that they told the city of a hazard.';
comment on column private.live_reports.hidden_at is 'When a moderator hid a hazard that is none; it is ended, too.';
comment on column private.live_reports.in_hand_by is 'The town that does something about a hazard, or did.';
alter table private.live_reports enable row level security;

create table private.live_report_votes (
  report_id uuid not null references private.live_reports (id) on delete cascade,
  user_id uuid references public.users (id) on delete set null,
  vote private.report_vote not null,
  voted_at timestamptz not null default now(),
  standing public.standing not null default 'regular_there',
  unique (report_id, user_id)
);
comment on table private.live_report_votes is 'The latest vote of each user on a report; the reporter''s only that it is over.';
comment on column private.live_report_votes.user_id is
  'Null once the account is deleted: a vote that vanished with it would name its user.';
comment on column private.live_report_votes.standing is 'The user''s, at the vote.';
alter table private.live_report_votes enable row level security;

create unique index live_reports_one_open on private.live_reports (park_id, condition) where ended_at is null;
create unique index live_reports_one_open_hazard on private.live_reports (park_id, hazard) where ended_at is null;
create index on private.live_reports (park_id);
create index live_reports_expiring on private.live_reports (expires_at) where ended_at is null;
create index live_reports_ended on private.live_reports (ended_at) where ended_at is not null;
create index on private.live_reports (reporter);
create index on private.live_reports (in_hand_by);
create index on private.live_report_votes (user_id);

create function private.report_pause() returns interval language sql immutable set search_path = '' as $$ select interval '1 hour' $$;
comment on function private.report_pause is 'How long one waits before one repeats a report of one''s own that was ended.';

create function private.many_people() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.many_people is 'What so many say of a hazard, fewer do not end.';

create function private.condition_duration(p_condition public.park_condition) returns interval
language sql immutable set search_path = '' as $$
  select case p_condition
    when 'muddy' then interval '12 hours'
    when 'gateClosed' then interval '6 hours'
    when 'brokenFountain' then interval '7 days'
    when 'underConstruction' then interval '14 days'
  end
$$;
comment on function private.condition_duration is 'How long a report counts after it was made or last confirmed.';

create function private.hazard_kinds() returns table (hazard public.park_hazard, lasts interval, is_illness boolean, is_severe boolean)
language sql immutable set search_path = '' as $$
  values ('looseDog'::public.park_hazard, interval '3 hours', false, true),
    ('noWater', '2 days', false, false),
    ('poison', '3 days', false, true),
    ('glass', '3 days', false, true),
    ('brokenFence', '7 days', false, false),
    ('kennelCough', '14 days', true, false),
    ('stomachBug', '14 days', true, false),
    ('parvovirus', '14 days', true, false),
    ('awns', '30 days', false, false)
$$;
comment on function private.hazard_kinds is
  'Hazards with a lifetime of their own, illnesses, which only somebody who was there may report, and those whose notifications are severe. '
  'All others last 14 days.';

create function private.hazard_duration(p_hazard public.park_hazard) returns interval
language sql immutable set search_path = '' as $$
  select coalesce((select k.lasts from private.hazard_kinds() k where k.hazard = p_hazard), interval '14 days')
$$;

create function private.quarter_hour(p_moment timestamptz) returns timestamptz
language sql immutable set search_path = '' as $$
  select date_bin(interval '15 minutes', p_moment, '2000-01-01 00:00:00Z')
$$;
comment on function private.quarter_hour is 'The beginning of its quarter of an hour: the minute of a report tells who just came or left.';

create function private.report_end(p_from timestamptz, p_lasts interval, p_standing public.standing) returns timestamptz
language sql stable set search_path = '' as $$
  select private.quarter_hour(p_from + p_lasts
    * case when p_standing = 'newcomer' then private.newcomer_share() else 1 end::double precision) + interval '15 minutes'
$$;
comment on function private.report_end is
  'Until when a word of p_from counts that lasts p_lasts; that of a newcomer who has not been there for a part of the time.';

create function private.shown_confirmations(p_report_id uuid) returns integer
language sql stable security definer set search_path = '' as $$
  select (count(*) filter (where v.standing in ('regular', 'regular_there'))
    + least(count(*) filter (where v.standing = 'newcomer_there'), private.most_newcomer_weight()))::integer
  from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'confirm'
$$;
comment on function private.shown_confirmations is 'How many confirmed a report, as readers see it: many new accounts look like a few.';

create function private.is_over(p_report_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with report as (
    select r.* from private.live_reports r where r.id = p_report_id
  ), words as (
    select v.vote, v.standing, r.hazard is not null and not private.was_there_since(v.user_id, r.park_id, r.reported_at) as from_home
    from private.live_report_votes v join report r on r.id = v.report_id
    union all
    select 'confirm', r.standing, false from report r where not exists (
      select from private.live_report_votes v where v.report_id = r.id and v.user_id = r.reporter)
  ), weighed as (
    select w.vote, w.standing in ('regular', 'regular_there') as by_regular, w.from_home, private.weight(w.standing) as weight from words w
  ), sides as (
    select vote, count(*) as people,
      coalesce(sum(weight) filter (where by_regular), 0) as regulars,
      least(coalesce(sum(weight) filter (where not by_regular), 0), private.most_newcomer_weight()) as newcomers,
      coalesce(sum(weight) filter (where by_regular and not from_home), 0) as regulars_there,
      least(coalesce(sum(weight) filter (where not by_regular and not from_home), 0), private.most_newcomer_weight()) as newcomers_there
    from weighed group by vote
  ), two as (
    select o.people, coalesce(t.people, 0) as against, coalesce(t.regulars + t.newcomers, 0) as support,
      -- Newcomers say nothing against the word of a regular.
      o.regulars + case when coalesce(t.regulars, 0) = 0 then o.newcomers else 0 end as weight,
      o.regulars_there + case when coalesce(t.regulars, 0) = 0 then o.newcomers_there else 0 end as weight_there
    from sides o left join sides t on t.vote = 'confirm' where o.vote = 'over'
  )
  select coalesce((
    select (r.hazard is null or t.against < private.many_people() or t.people >= private.many_people())
      and (t.weight_there > least(t.support, private.most_support()) or t.weight > t.support)
    from two t cross join report r), false)
$$;
comment on function private.is_over is
  'Whether those who say that it is over weigh more than the reporter and those who confirmed it. Of a hazard, who has not been there '
  'since it was reported must outweigh all of these, and what many confirmed needs as many to end it.';

create function private.confirm_report(p_report_id uuid, p_me uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
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
  -- Two who were there, of whom one is a regular who knows the park: newcomers alone verify nothing, however many they are, and
  -- neither does anybody from home.
  if report.hazard is not null and report.verified_at is null and (
    select count(*) >= 2 and bool_or(w.standing = 'regular_there')
    from (
      select report.reporter as user_id, report.standing
      union
      select v.user_id, v.standing from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'confirm'
    ) w
    where private.was_there_since(w.user_id, report.park_id, report.reported_at - private.just_left())
  ) then
    update private.live_reports r set verified_at = now() where r.id = p_report_id;
    perform private.add_job('tell-of-hazard', p_report_id::text, jsonb_build_object('report_id', p_report_id),
      p_lifetime => interval '3 hours');
  end if;
  return true;
end
$$;
comment on function private.confirm_report is
  'False when the report is no longer active. The word of its own reporter changes nothing. A hazard is verified by two who were '
  'there when it was, of whom one is a regular who has been there before.';

create function private.make_report(
  p_me uuid, p_park_id bigint, p_condition public.park_condition default null, p_hazard public.park_hazard default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  my_standing public.standing := private.standing_at(p_me, p_park_id);
  report_id uuid;
begin
  perform private.require_park(p_park_id);
  perform private.limit_action(p_me, 'live_report');
  if num_nonnulls(p_condition, p_hazard) <> 1 then
    perform private.fail('invalid_input', 'Say what is the matter.');
  elsif (select k.is_illness from private.hazard_kinds() k where k.hazard = p_hazard)
    and not private.was_there_since(p_me, p_park_id, now() - private.hazard_duration(p_hazard)) then
    perform private.fail('not_been_there', 'Illnesses are reported by people who have been there.');
  end if;
  update private.live_reports r set ended_at = r.expires_at
  where r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard) and r.ended_at is null and r.expires_at <= now();
  insert into private.live_reports (park_id, condition, hazard, reporter, standing, expires_at)
  select p_park_id, p_condition, p_hazard, p_me, my_standing,
    private.report_end(now(), coalesce(private.condition_duration(p_condition), private.hazard_duration(p_hazard)), my_standing)
  where not exists (
    select from private.live_reports r
    where r.reporter = p_me and r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard)
      and ((r.ended_at < r.expires_at and r.ended_at > now() - private.report_pause())
        or r.hidden_at > now() - private.hidden_hazard_pause()))
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
comment on function private.make_report is
  'The new report of a condition or a hazard; where there is one already, its reporter is joined: that one is confirmed.';

grant execute on function private.quarter_hour(timestamptz), private.shown_confirmations(uuid) to anon, authenticated;

create view public.park_conditions with (security_barrier) as
  select r.id, r.park_id, r.condition,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.quarter_hour(r.confirmed_at) as confirmed_at,
    private.shown_confirmations(r.id) as confirmations,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.condition is not null and r.ended_at is null and r.expires_at > now();
comment on view public.park_conditions is 'The conditions of parks that are reported now.';
comment on column public.park_conditions.id is 'never null';
comment on column public.park_conditions.park_id is 'never null';
comment on column public.park_conditions.condition is 'never null';
comment on column public.park_conditions.reported_at is 'The quarter of an hour only, except for the reporter; never null';
comment on column public.park_conditions.confirmations is
  'How many others confirmed it who are regulars or have been there, of newcomers a few at most; never null';
comment on column public.park_conditions.expires_at is 'never null';
comment on column public.park_conditions.mine is 'Whether the caller reported it; never null';

grant select on public.park_conditions to anon, authenticated;

create function public.report_condition(p_park_id bigint, p_condition public.park_condition, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = '' as $$
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

create function public.confirm_report(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'confirm_report');
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_action(me, 'live_report');
  return private.store_idempotent_result(p_key, to_jsonb(private.confirm_report(p_report_id, me)))::boolean;
end
$$;
comment on function public.confirm_report is 'False when the report is no longer active.';

create function public.end_report(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'end_report');
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
comment on function public.end_report is 'A vote that it is over; true when that ended the report: see private.is_over.';

grant execute on function
  public.report_condition(bigint, public.park_condition, uuid),
  public.confirm_report(uuid, uuid),
  public.end_report(uuid, uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('live reports: 90 days', 50, $$delete from private.live_reports r where r.expires_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.live_reports', 'live_reports',
    $$select l.reported_at, l.id::text, jsonb_build_object('park', private.park_name(l.park_id, $2), 'condition', l.condition,
      'hazard', l.hazard, 'reported_at', l.reported_at,
      'standing', l.standing)
    from private.live_reports l where l.reporter = $1$$),
  ('private.live_report_votes', 'live_report_votes',
    $$select x.voted_at, x.report_id::text, jsonb_build_object('park', private.park_name(l.park_id, $2), 'condition', l.condition,
      'hazard', l.hazard, 'vote', x.vote,
      'voted_at', x.voted_at, 'standing', x.standing)
    from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = $1$$);
