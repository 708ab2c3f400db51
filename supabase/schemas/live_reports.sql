-- Live reports: the current condition of a park, or a hazard there, until the report expires or is ended. Photos and notifications
-- of hazards are in hazards.sql.

create type public.park_condition as enum ('muddy', 'gateClosed', 'underConstruction', 'brokenFountain');
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
  trust_level public.trust_level not null default 'regular_there',
  is_present boolean not null default true,
  is_located boolean not null default true,
  hazard public.park_hazard,
  verified_at timestamptz,
  approved_at timestamptz,
  changed_at timestamptz,
  city_informed_at timestamptz,
  city_informed_by uuid references public.users (id) on delete set null,
  hidden_at timestamptz,
  in_hand_by bigint references private.towns (id),
  constraint live_reports_one_type check (num_nonnulls(condition, hazard) = 1)
);
comment on table private.live_reports is 'The reporter is secret: others read the views park_conditions and park_hazards.';
comment on column private.live_reports.reporter is
  'Null once the account is deleted. Deleting the report together with the account would reveal the reporter.';
comment on column private.live_reports.trust_level is 'The trust level of the reporter at the time of the report; see private.evidence_at.';
comment on column private.live_reports.changed_at is
  'When a statement was withdrawn because its visit was undone. live_counts then sends the park again.';
comment on column private.live_reports.verified_at is 'When there was enough evidence to notify others of a hazard; see private.is_proven.';
comment on column private.live_reports.approved_at is 'When a moderator verified a hazard on a site without regulars.';
comment on column private.live_reports.city_informed_at is 'When a user reported that they had told the city of a hazard.';
comment on column private.live_reports.city_informed_by is 'The user who told the city. Null once the account is deleted.';
comment on column private.live_reports.hidden_at is 'When a moderator hid a false hazard, which also ended it.';
comment on column private.live_reports.in_hand_by is 'The town that is or was dealing with a hazard.';
alter table private.live_reports enable row level security;

create table private.live_report_votes (
  report_id uuid not null references private.live_reports (id) on delete cascade,
  user_id uuid references public.users (id) on delete set null,
  vote private.report_vote not null,
  voted_at timestamptz not null default now(),
  trust_level public.trust_level not null default 'regular_there',
  is_present boolean not null default true,
  is_located boolean not null default true,
  unique (report_id, user_id)
);
comment on table private.live_report_votes is 'The latest vote of each user on a report. Its reporter can only vote that it is over.';
comment on column private.live_report_votes.user_id is
  'Null once the account is deleted. Deleting the vote together with the account would reveal the user.';
comment on column private.live_report_votes.trust_level is 'The trust level of the user at the time of the vote; see private.evidence_at.';
comment on column private.live_report_votes.is_present is
  'True if the user was at the park around the time of the report or, for a vote that the report is over, at any later time.';
alter table private.live_report_votes enable row level security;

create unique index live_reports_one_open on private.live_reports (park_id, condition) where ended_at is null;
create unique index live_reports_one_open_hazard on private.live_reports (park_id, hazard) where ended_at is null;
create index on private.live_reports (park_id);
create index live_reports_expiring on private.live_reports (expires_at) where ended_at is null;
create index live_reports_hazards on private.live_reports (reported_at) where hazard is not null and hidden_at is null and ended_at is null;
create index live_reports_ended on private.live_reports (ended_at) where ended_at is not null;
create index on private.live_reports (reporter);
create index on private.live_reports (in_hand_by);
create index on private.live_reports (city_informed_by);
create index on private.live_report_votes (user_id);

create function private.report_pause() returns interval language sql immutable set search_path = '' as $$ select interval '1 hour' $$;
comment on function private.report_pause is 'After a report was ended, its reporter must wait this long to report the same again.';

create function private.many_confirmations() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.many_confirmations is
  'If at least this many users confirmed a hazard, the same number of users is needed to end it.';

create function private.condition_duration(p_condition public.park_condition) returns interval
language sql immutable set search_path = '' as $$
  select case p_condition
    when 'muddy' then interval '12 hours'
    when 'gateClosed' then interval '6 hours'
    when 'brokenFountain' then interval '7 days'
    when 'underConstruction' then interval '14 days'
  end
$$;
comment on function private.condition_duration is 'How long a report is shown after it was made or last confirmed.';

create function private.quarter_hour(p_at timestamptz) returns timestamptz
language sql immutable set search_path = '' as $$
  select date_bin(interval '15 minutes', p_at, '2000-01-01 00:00:00Z')
$$;
comment on function private.quarter_hour is
  'Rounds down to a quarter of an hour. The exact minute of a report would reveal which user has just come or left.';

create function private.report_end(p_from timestamptz, p_lasts interval, p_trust_level public.trust_level) returns timestamptz
language sql stable set search_path = '' as $$
  select private.quarter_hour(p_from + p_lasts
    * case when p_trust_level = 'newcomer' then private.newcomer_share() else 1 end::double precision) + interval '15 minutes'
$$;
comment on function private.report_end is
  'When a report made or confirmed at p_from expires. If the user is a newcomer who has not been there, the duration is reduced.';

create function private.shown_confirmations(p_report_id uuid) returns integer
language sql stable security definer set search_path = '' as $$
  select (count(*) filter (where v.trust_level in ('regular', 'regular_there'))
    + least(count(*) filter (where v.trust_level = 'newcomer_there'), private.max_newcomer_score()))::integer
  from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'confirm'
$$;
comment on function private.shown_confirmations is
  'The number of confirmations that readers see. More than three newcomers count as three.';

create function private.report_statements(p_report_id uuid)
returns table (vote private.report_vote, user_id uuid, trust_level public.trust_level, is_present boolean, is_located boolean)
language sql stable security definer set search_path = '' as $$
  select v.vote, v.user_id, v.trust_level, v.is_present, v.is_located from private.live_report_votes v where v.report_id = p_report_id
  union all
  select 'confirm', r.reporter, r.trust_level, r.is_present, r.is_located from private.live_reports r
  where r.id = p_report_id and not exists (
    select from private.live_report_votes v where v.report_id = r.id and v.user_id = r.reporter)
$$;
comment on function private.report_statements is
  'The statements about a report, including its reporter''s, with the evidence that each user had then.';

create function private.is_proven(p_report_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select count(*) >= 2 and bool_or(s.trust_level = 'regular_there') and bool_or(s.is_located)
  from private.report_statements(p_report_id) s where s.vote = 'confirm' and s.is_present
$$;
comment on function private.is_proven is
  'Returns true if two users who were at the park confirm the hazard, one of them a regular there and one with a device that reported '
  'its location.';

create function private.is_over(p_report_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with statements as (
    select s.vote, s.trust_level in ('regular', 'regular_there') as by_regular, private.score(s.trust_level) as score,
      r.hazard is not null and s.vote = 'over' and not s.is_present as from_home
    from private.live_reports r cross join private.report_statements(r.id) s where r.id = p_report_id
  ), sides as (
    select vote, count(*) as users,
      coalesce(sum(score) filter (where by_regular), 0) as regulars,
      least(coalesce(sum(score) filter (where not by_regular), 0), private.max_newcomer_score()) as newcomers,
      coalesce(sum(score) filter (where by_regular and not from_home), 0) as regulars_there,
      least(coalesce(sum(score) filter (where not by_regular and not from_home), 0), private.max_newcomer_score()) as newcomers_there
    from statements group by vote
  ), two as (
    select o.users, coalesce(t.users, 0) as against, coalesce(t.regulars + t.newcomers, 0) as support,
      -- Newcomers count only if no regular stated the opposite.
      o.regulars + case when coalesce(t.regulars, 0) = 0 then o.newcomers else 0 end as score,
      o.regulars_there + case when coalesce(t.regulars, 0) = 0 then o.newcomers_there else 0 end as score_there
    from sides o left join sides t on t.vote = 'confirm' where o.vote = 'over'
  )
  select coalesce((
    select (r.hazard is null or t.against < private.many_confirmations() or t.users >= private.many_confirmations())
      and (t.score_there > least(t.support, private.max_support()) or t.score > t.support)
    from two t cross join private.live_reports r where r.id = p_report_id), false)
$$;
comment on function private.is_over is
  'Returns whether the statements that a report is over have a higher score than those that confirm it. For a hazard, users who have not '
  'been there since it was reported must outweigh all confirmations, and a hazard that many users confirmed needs as many to end it.';

create function private.settle_report(p_report_id uuid, p_undone_since timestamptz default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  report private.live_reports;
  settled private.live_reports;
begin
  select * into strict report from private.live_reports r where r.id = p_report_id for update;
  update private.live_reports r set
    confirmed_at = said.confirmed_at,
    -- Confirmations by newcomers do not extend the report beyond the longest duration that its own reporter could reach.
    expires_at = greatest(case when p_undone_since is null then r.expires_at end,
      private.report_end(r.reported_at, k.lasts, r.trust_level), said.expires_at),
    verified_at = case
      when r.hazard is not null and (r.approved_at is not null or private.is_proven(r.id)) then coalesce(r.verified_at, now())
      -- The hazard stays verified even if a user who confirmed it now votes that it is over.
      when p_undone_since is null or r.verified_at < p_undone_since then r.verified_at
    end,
    ended_at = case when r.ended_at < p_undone_since or r.hidden_at is not null or r.in_hand_by is not null or private.is_over(r.id)
      or exists (
        select from private.live_reports o
        where o.park_id = r.park_id and (o.condition = r.condition or o.hazard = r.hazard) and o.ended_at is null and o.id <> r.id)
      then r.ended_at end,
    changed_at = case when p_undone_since is null then r.changed_at else now() end
  from (select coalesce(private.condition_duration(report.condition), private.hazard_duration(report.hazard)) as lasts) k
  cross join lateral (
    select max(v.voted_at) as confirmed_at, max(private.report_end(
      case when v.trust_level in ('regular', 'regular_there') then v.voted_at else report.reported_at end,
      k.lasts, v.trust_level)) as expires_at
    from private.live_report_votes v where v.report_id = report.id and v.vote = 'confirm' and v.trust_level <> 'newcomer'
  ) said
  where r.id = p_report_id
  returning r.* into settled;
  if settled.verified_at is not null and report.verified_at is null then
    perform private.add_job('notify-of-hazard', p_report_id::text, jsonb_build_object('report_id', p_report_id),
      p_lifetime => interval '3 hours');
  end if;
end
$$;
comment on function private.settle_report is
  'Derives from the statements whether a report is verified or over, and when it expires. p_undone_since is when an undone visit began: '
  'verifications and endings since then are reverted.';

create function private.confirm_report(p_report_id uuid, p_me uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  report private.live_reports;
  evidence private.evidence;
begin
  select * into report from private.live_reports r
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now() for update;
  if report.id is null then
    return false;
  end if;
  evidence := private.evidence_at(p_me, report.park_id, report.reported_at - private.just_left());
  if report.reporter = p_me then
    -- Deletes the reporter's own vote that the report is over. Confirming one's own report does not extend it.
    delete from private.live_report_votes v where v.report_id = p_report_id and v.user_id = p_me;
    update private.live_reports r set is_present = r.is_present or evidence.is_present, is_located = r.is_located or evidence.is_located
    where r.id = p_report_id;
  else
    insert into private.live_report_votes (report_id, user_id, vote, trust_level, is_present, is_located)
    values (p_report_id, p_me, 'confirm', evidence.trust_level, evidence.is_present, evidence.is_located)
    on conflict (report_id, user_id) do update set vote = 'confirm', voted_at = now(), trust_level = excluded.trust_level,
      is_present = excluded.is_present, is_located = excluded.is_located;
  end if;
  perform private.settle_report(p_report_id);
  return true;
end
$$;
comment on function private.confirm_report is
  'Returns false if the report is no longer active. A confirmation by its own reporter does not extend it.';

create function private.make_report(
  p_me uuid, p_park_id bigint, p_condition public.park_condition default null, p_hazard public.park_hazard default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  evidence private.evidence := private.evidence_at(p_me, p_park_id);
  report_id uuid;
begin
  perform private.require_park(p_park_id);
  perform private.limit_action(p_me, 'live_report');
  if num_nonnulls(p_condition, p_hazard) <> 1 then
    perform private.fail('invalid_input', 'Name one condition or hazard.');
  elsif (select k.is_illness from private.hazard_types() k where k.hazard = p_hazard)
    and not (private.evidence_at(p_me, p_park_id, now() - private.hazard_duration(p_hazard))).is_present then
    perform private.fail('not_been_there', 'Only users who have been at the park can report an illness.');
  end if;
  update private.live_reports r set ended_at = r.expires_at
  where r.park_id = p_park_id and (r.condition = p_condition or r.hazard = p_hazard) and r.ended_at is null and r.expires_at <= now();
  insert into private.live_reports (park_id, condition, hazard, reporter, trust_level, is_present, is_located, expires_at)
  select p_park_id, p_condition, p_hazard, p_me, evidence.trust_level, evidence.is_present, evidence.is_located,
    private.report_end(now(), coalesce(private.condition_duration(p_condition), private.hazard_duration(p_hazard)), evidence.trust_level)
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
      perform private.fail('too_many', 'What you reported was said to be over. Try again later.');
    end if;
    perform private.confirm_report(report_id, p_me);
  end if;
  return report_id;
end
$$;
comment on function private.make_report is
  'Reports a condition or hazard for the caller and returns its ID. If the park has such a report already, the caller confirms '
  'it.';

create function private.withdraw_reports(p_user_id uuid, p_park_id bigint, p_since timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  report private.live_reports;
  heir private.live_report_votes;
begin
  update private.live_reports r set city_informed_at = null, city_informed_by = null, changed_at = now()
  where r.city_informed_by = p_user_id and r.park_id = p_park_id and r.city_informed_at >= p_since;
  for report in
    select r.* from private.live_reports r
    where r.park_id = p_park_id and ((r.reporter = p_user_id and (r.reported_at >= p_since or r.ended_at is null)) or exists (
      select from private.live_report_votes v where v.report_id = r.id and v.user_id = p_user_id and v.voted_at >= p_since))
    order by r.id for update
  loop
    delete from private.live_report_votes v
    where v.report_id = report.id and v.user_id = p_user_id and v.voted_at >= p_since;
    if report.reporter = p_user_id and report.reported_at < p_since then
      -- The user made this report before the undone visit. If the user repeated it during the visit, only the evidence from the
      -- visit is removed.
      update private.live_reports r set is_present = r.is_present and e.is_present, is_located = r.is_located and e.is_located
      from private.evidence_at(p_user_id, p_park_id, report.reported_at - private.just_left()) e where r.id = report.id;
    elsif report.reporter = p_user_id then
      delete from private.live_report_votes v where v.ctid = (
        select first.ctid from private.live_report_votes first where first.report_id = report.id and first.vote = 'confirm'
        order by first.voted_at limit 1) returning v.* into heir;
      -- The first user who confirmed the report becomes its reporter.
      update private.live_reports r set
        reporter = heir.user_id, trust_level = coalesce(heir.trust_level, 'newcomer'), is_present = coalesce(heir.is_present, false),
        is_located = coalesce(heir.is_located, false), reported_at = coalesce(heir.voted_at, r.reported_at)
      where r.id = report.id;
    end if;
    perform private.settle_report(report.id, p_since);
    if report.reporter = p_user_id and report.reported_at >= p_since and heir.report_id is null then
      -- Equal timestamps mark a report as expired instead of cleared by a user.
      update private.live_reports r set ended_at = now(), expires_at = now(), verified_at = null where r.id = report.id;
    end if;
  end loop;
end
$$;
comment on function private.withdraw_reports is 'Withdraws what a user stated about reports at a park since p_since.';

create function private.withdraw_hazard_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n
  where n.type = 'hazard' and n.data ->> 'report_id' = old.id::text and n.created_at >= old.reported_at;
  return null;
end
$$;
create trigger withdraw_hazard_notifications after update of verified_at on private.live_reports
  for each row when (old.verified_at is not null and new.verified_at is null) execute function private.withdraw_hazard_notifications();

create function private.withdraw_statements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.withdraw_reports(new.user_id, private.present_park(new.park_id), new.started_at);
  perform private.withdraw_answers(new.user_id, private.present_park(new.park_id), new.started_at);
  return null;
end
$$;
comment on function private.withdraw_statements is
  'Withdraws the statements of a visit that is undone, because an undone visit does not show that the user was there.';
create trigger withdraw_statements after update of type on public.check_ins
  for each row when (old.type = 'visit' and new.type = 'undone') execute function private.withdraw_statements();

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
comment on column public.park_conditions.reported_at is 'Rounded down to a quarter of an hour, except for the reporter; never null';
comment on column public.park_conditions.confirmations is
  'How many others confirmed it: regulars, and at most three newcomers who have been there; never null';
comment on column public.park_conditions.expires_at is 'never null';
comment on column public.park_conditions.mine is 'True if the caller reported it; never null';

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
comment on function public.confirm_report is 'Returns false if the report is no longer active.';

create function public.end_report(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'end_report');
  report private.live_reports;
  evidence private.evidence;
  is_over boolean := false;
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_action(me, 'live_report');
  -- The lock ensures that two concurrent votes are both counted.
  select * into report from private.live_reports r
  where r.id = p_report_id and r.ended_at is null and r.expires_at > now() for update;
  if report.id is not null then
    evidence := private.evidence_at(me, report.park_id, report.reported_at);
    insert into private.live_report_votes (report_id, user_id, vote, trust_level, is_present, is_located)
    values (p_report_id, me, 'over', evidence.trust_level, evidence.is_present, evidence.is_located)
    on conflict (report_id, user_id) do update set vote = 'over', voted_at = now(), trust_level = excluded.trust_level,
      is_present = excluded.is_present, is_located = excluded.is_located;
    is_over := private.is_over(p_report_id);
    if is_over then
      update private.live_reports r set ended_at = now() where r.id = p_report_id;
    end if;
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(is_over))::boolean;
end
$$;
comment on function public.end_report is 'Votes that a report is over. Returns true if the vote ended it; see private.is_over.';

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
      'trust_level', l.trust_level)
    from private.live_reports l where l.reporter = $1
    union all
    select l.city_informed_at, 'city ' || l.id, jsonb_build_object('park', private.park_name(l.park_id, $2), 'hazard', l.hazard,
      'city_informed_at', l.city_informed_at)
    from private.live_reports l where l.city_informed_by = $1$$),
  ('private.live_report_votes', 'live_report_votes',
    $$select x.voted_at, x.report_id::text, jsonb_build_object('park', private.park_name(l.park_id, $2), 'condition', l.condition,
      'hazard', l.hazard, 'vote', x.vote,
      'voted_at', x.voted_at, 'trust_level', x.trust_level)
    from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = $1$$);
