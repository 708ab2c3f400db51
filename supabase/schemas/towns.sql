-- Towns: representatives whom an operator appointed (desk_roles.sql; the table is in roles.sql) post notices on the town's parks,
-- decide about their facts and respond to hazards there. Each action is a decision of the desk, which is logged and can be undone.
-- A town never learns the reporter of a hazard.

create type public.notice_type as enum ('closed', 'sprayed', 'works', 'event');

create table private.park_notices (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  town_id bigint not null references private.towns (id),
  type public.notice_type not null,
  text text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  withdrawn_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint park_notices_text check (char_length(text) <= 300 and not private.has_link(text)),
  constraint park_notices_time check (ends_at > starts_at)
);
comment on table private.park_notices is 'Notices of towns on their parks; no personal data, because the author is in the log of the desk.';
comment on column private.park_notices.text is 'Without links; empty if the type says enough.';
alter table private.park_notices enable row level security;

create index on private.park_notices (park_id);
create index on private.park_notices (town_id);
create index on private.park_notices (ends_at);

create trigger touch_updated_at before update on private.park_notices
  for each row execute function private.touch_updated_at();

-- Setting search_path would prevent PostgreSQL from inlining this function.
create function private.is_of_town(p_town private.towns, p_park public.parks) returns boolean
language sql immutable as $$
  select coalesce(p_park.id = any (p_town.parks) or p_town.area @> point(p_park.long, p_park.lat), false)
$$;

create function private.my_town_of(p_park_id bigint) returns private.towns
language sql stable security definer set search_path = '' as $$
  select t from private.towns t join public.user_roles r on r.town_id = t.id and r.user_id = private.uid()
  join public.parks p on p.id = p_park_id and p.status = 'approved' and private.is_of_town(t, p)
  where private.my_role() = 'town'
$$;
comment on function private.my_town_of is 'The caller''s town if the park belongs to it; otherwise null.';

create function private.require_town(p_park_id bigint default null) returns private.towns
language plpgsql stable security definer set search_path = '' as $$
declare
  town private.towns;
begin
  if p_park_id is not null then
    town := private.my_town_of(p_park_id);
  elsif private.my_role() = 'town' then
    select t.* into town from private.towns t join public.user_roles r on r.town_id = t.id and r.user_id = private.uid();
  end if;
  if town.id is null then
    perform private.fail('desk_closed', 'This is for the town of the park, with the second factor.', '42501');
  end if;
  return town;
end
$$;
comment on function private.require_town is
  'The caller''s town. Fails with the same error for callers without a town and for parks of other towns.';

create function private.reject_facts_of_town(p_suggestion public.park_suggestions) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from jsonb_object_keys(private.suggested_fields(p_suggestion)) field join public.parks p on p.id = p_suggestion.park_id
    join private.towns t on t.id = (p.fact_sources -> regexp_replace(field, '^fact\.', '') ->> 2)::bigint and private.is_of_town(t, p)
  ) then
    perform private.fail('decided_by_town', 'The town of this park decided this.');
  end if;
end
$$;
comment on function private.reject_facts_of_town is 'Rejects changes to facts that a town has decided for its own parks.';

create function private.notices_of(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'type', n.type, 'text', n.text, 'starts_at', n.starts_at, 'ends_at', n.ends_at,
    'town', t.name) order by n.starts_at, n.id), '[]')
  from private.park_notices n join private.towns t on t.id = n.town_id
  where n.park_id = p_park_id and n.withdrawn_at is null and n.ends_at > now()
$$;
comment on function private.notices_of is 'Current and future notices on a park: [{id, type, text, starts_at, ends_at, town}].';

create function private.town_decisions(p_town private.towns) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select d.id from private.desk_decisions d
    join public.user_roles r on r.user_id = d.actor and r.town_id = p_town.id
    left join public.parks p on p.id = d.park_id
    where d.type in ('notice', 'town_fact', 'town_hazard')
      -- A member may have decided about other parks before, as a member of another town.
      and (d.decided_at >= r.granted_at or private.is_of_town(p_town, p));
end
$$;
comment on function private.town_decisions is 'The IDs of the decisions that the members of a town made for it.';

create function public.town_desk() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
  parks public.parks[] := array(select p from public.parks p where p.status = 'approved' and private.is_of_town(town, p));
  language public.language := private.my_language();
begin
  return (
    with own as materialized (
      select p.id, private.park_name(p.id, language) as name from unnest(parks) p
    )
    select jsonb_build_object('town', town.name,
      'mail', town.mail, 'mail_confirmed', town.mail_code is null,
      'parks', (select coalesce(jsonb_agg(to_jsonb(o) order by o.name, o.id), '[]') from own o),
      'hazards', (
        select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'park_id', o.id, 'park_name', o.name, 'hazard', h.hazard, 'reported_at',
          private.quarter_hour(h.reported_at), 'verified', h.verified, 'confirmations', h.confirmations, 'in_hand',
          h.in_hand_by is not null) order by h.reported_at, h.id), '[]')
        from public.park_hazards h join own o on o.id = h.park_id where h.cleared_at is null),
      'notices', (
        select coalesce(jsonb_agg(to_jsonb(n) - '{town_id,withdrawn_at,updated_at}'::text[] || jsonb_build_object('park_name',
          private.park_name(n.park_id, language)) order by n.starts_at, n.id), '[]')
        from private.park_notices n where n.town_id = town.id and n.withdrawn_at is null and n.ends_at > now()),
      'decisions', (
        select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'type', d.type, 'decision', d.decision,
          'park_name', private.park_name(d.park_id, language),
          'decided_at', d.decided_at, 'undone_at', d.undone_at) order by d.decided_at desc, d.id), '[]')
        from (
          select x.* from private.desk_decisions x
          where x.id in (select private.town_decisions(town)) and x.decided_at > now() - private.undo_time()
          order by x.decided_at desc, x.id limit 50) d)));
end
$$;
comment on function public.town_desk is
  'The desk of a town: {town, mail, mail_confirmed, parks: [{id, name}], hazards: [{id, park_id, park_name, hazard, reported_at, '
  'verified, confirmations, in_hand}], notices, decisions}; nothing about users.';

create function public.town_post_notice(
  p_park_id bigint, p_type public.notice_type, p_text text, p_starts_at timestamptz, p_ends_at timestamptz
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town(p_park_id);
  notice uuid := gen_random_uuid();
  decision_id uuid;
begin
  perform private.limit_rate('town_post_notice', 100, '1 day');
  if coalesce(p_ends_at <= now() or p_ends_at > p_starts_at + interval '1 year', true) then
    perform private.fail('invalid_input', 'A notice ends after now, and within a year of its beginning.');
  end if;
  perform private.enter_desk(p_alone => false);
  decision_id := private.begin_decision('notice', notice::text, p_park_id, null, 'post', null, private.uid());
  insert into private.park_notices (id, park_id, town_id, type, text, starts_at, ends_at)
  values (notice, p_park_id, town.id, p_type, private.clean_name(coalesce(p_text, '')), p_starts_at, p_ends_at);
  return private.end_decision(decision_id);
end
$$;
comment on function public.town_post_notice is
  'Posts a notice on a park of the caller''s town, at most 300 characters without links, and returns the decision, which can be undone.';

create function public.town_withdraw_notice(p_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
  park bigint;
  decision_id uuid;
begin
  perform private.enter_desk(p_alone => false);
  select n.park_id into park from private.park_notices n where n.id = p_id and n.town_id = town.id and n.withdrawn_at is null for update;
  if park is null then
    return null;
  end if;
  decision_id := private.begin_decision('notice', p_id::text, park, null, 'withdraw', null, private.uid());
  update private.park_notices n set withdrawn_at = now() where n.id = p_id;
  return private.end_decision(decision_id);
end
$$;
comment on function public.town_withdraw_notice is
  'Withdraws a notice of the caller''s town and returns the decision; null if the notice does not exist.';

create function public.town_respond_to_hazard(p_id uuid, p_done boolean) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
  report private.live_reports;
  decision_id uuid;
begin
  perform private.enter_desk(p_alone => false);
  select r.* into report from private.live_reports r
  where r.id = p_id and r.hazard is not null and r.ended_at is null and r.expires_at > now() for update;
  -- A hazard in another town's park looks like one that is over.
  if report.id is null or (private.my_town_of(report.park_id)).id is null or (p_done is not true and report.in_hand_by is not null) then
    return null;
  end if;
  decision_id := private.begin_decision('town_hazard', p_id::text, report.park_id, null, case when p_done then 'done' else 'in_hand' end,
    null, private.uid());
  update private.live_reports r set in_hand_by = town.id, ended_at = case when p_done then now() end where r.id = p_id;
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', told.user_id, jsonb_build_object('type', case when p_done then 'hazard_done' else 'hazard_in_hand' end,
    'park_id', report.park_id, 'report_id', p_id, 'hazard', report.hazard, 'town', town.name)
  from (
    select report.reporter as user_id
    union select v.user_id from private.live_report_votes v where v.report_id = p_id and v.vote = 'confirm'
  ) told where told.user_id is not null;
  return private.end_decision(decision_id);
end
$$;
comment on function public.town_respond_to_hazard is
  'Records that the caller''s town is dealing with a hazard, or that it is done, which ends it, and notifies its reporter and confirmers. '
  'Returns the decision; null if there is nothing to record.';

create function public.town_undo(p_decision_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
begin
  if p_decision_id not in (select private.town_decisions(town)) then
    return false;
  end if;
  return private.undo_decision(p_decision_id, private.uid());
end
$$;
comment on function public.town_undo is 'Undoes a decision by a user of the caller''s town; false if there is nothing to undo.';

create function public.town_set_mail(p_email text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
begin
  if p_email is not null then
    perform private.limit_rate('town_set_mail', 5, '1 day');
    perform private.add_job('desk-mail', 'town ' || town.id, jsonb_build_object('town_id', town.id));
  end if;
  update private.towns t set mail = p_email, mail_language = private.my_language(), mail_requested_at = now(),
    mail_code = case when p_email is not null then ''::bytea end
  where t.id = town.id;
  perform private.audit('town_mail', null, jsonb_build_object('town', town.id, 'on', p_email is not null));
end
$$;
comment on function public.town_set_mail is
  'Sends a code to the email address for mails about verified hazards in the parks of the caller''s town; null turns the mails off.';

create function public.town_confirm_mail(p_code text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  town private.towns := private.require_town();
begin
  perform private.limit_rate('town_confirm_mail', 20, '1 day');
  update private.towns t set mail_code = null
  where t.id = town.id and t.mail_code = private.role_code_hash(p_code) and t.mail_requested_at > now() - interval '1 day';
  return found;
end
$$;
comment on function public.town_confirm_mail is
  'Returns whether this is the code that was sent to the email address of the caller''s town.';

grant execute on function
  public.town_desk(),
  public.town_post_notice(bigint, public.notice_type, text, timestamptz, timestamptz),
  public.town_withdraw_notice(uuid),
  public.town_respond_to_hazard(uuid, boolean),
  public.town_undo(uuid),
  public.town_set_mail(text),
  public.town_confirm_mail(text)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('addresses of towns: a day unless confirmed, and as long as somebody speaks for the town', 50,
    $$update private.towns t set mail = null, mail_code = null where t.mail is not null and (not exists (
      select from public.user_roles r where r.town_id = t.id)
      or (t.mail_code is not null and t.mail_requested_at < now() - interval '1 day'))$$),
  ('notices of towns: 90 days after their end', 50, $$delete from private.park_notices n where n.ends_at < now() - interval '90 days'$$);
