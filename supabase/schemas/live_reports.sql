-- Live reports: the condition of a park now, until it expires or is said to be over.

-- Types ----------------------------------------------------------------------------------------------------------

create type public.park_condition as enum ('muddy', 'gateClosed', 'underConstruction', 'brokenFountain');
create type private.report_vote as enum ('confirm', 'over');

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.live_reports (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  condition public.park_condition not null,
  reporter uuid references public.users (id) on delete cascade,
  reported_at timestamptz not null default now(),
  confirmed_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz
);
comment on table private.live_reports is 'Nobody may know who reported: everybody reads the view park_conditions.';
alter table private.live_reports enable row level security;

create table private.live_report_votes (
  report_id uuid not null references private.live_reports (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade,
  vote private.report_vote not null,
  voted_at timestamptz not null default now(),
  primary key (report_id, user_id)
);
comment on table private.live_report_votes is 'The latest vote of other users on a report.';
alter table private.live_report_votes enable row level security;

-- Indexes --------------------------------------------------------------------------------------------------------

create unique index live_reports_one_open on private.live_reports (park_id, condition) where ended_at is null;
create index on private.live_reports (park_id);
create index live_reports_expiring on private.live_reports (expires_at) where ended_at is null;
create index live_reports_ended on private.live_reports (ended_at) where ended_at is not null;
create index on private.live_reports (reporter);
create index on private.live_report_votes (user_id);

-- Functions ------------------------------------------------------------------------------------------------------

create function private.condition_duration(p_condition public.park_condition) returns interval
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

create function private.confirm_report(p_report_id uuid, p_me uuid) returns boolean
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

-- Views ----------------------------------------------------------------------------------------------------------

create view public.park_conditions with (security_barrier) as
  select r.id, r.park_id, r.condition, r.reported_at, r.confirmed_at,
    (select count(*)::integer from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm') as confirmations,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.ended_at is null and r.expires_at > now();
comment on view public.park_conditions is 'The conditions of parks that are reported now.';
comment on column public.park_conditions.id is 'never null';
comment on column public.park_conditions.park_id is 'never null';
comment on column public.park_conditions.condition is 'never null';
comment on column public.park_conditions.reported_at is 'never null';
comment on column public.park_conditions.confirmations is 'How many others confirmed it; never null';
comment on column public.park_conditions.expires_at is 'never null';
comment on column public.park_conditions.mine is 'Whether the caller reported it; never null';

grant select on public.park_conditions to anon, authenticated;

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.report_condition(p_park_id bigint, p_condition public.park_condition, p_key uuid default null) returns uuid
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

create function public.confirm_condition(p_report_id uuid, p_key uuid default null) returns boolean
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

create function public.end_condition(p_report_id uuid, p_key uuid default null) returns boolean
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

grant execute on function
  public.report_condition(bigint, public.park_condition, uuid),
  public.confirm_condition(uuid, uuid),
  public.end_condition(uuid, uuid)
to authenticated;
