-- Meetings are told of hazards in their time.

-- trust.sql
create function private.meeting_notice() returns interval language sql immutable set search_path = '' as $$ select interval '3 hours' $$;
comment on function private.meeting_notice is 'So long before a meeting those who agreed to come are told of a hazard there.';

-- jobs.sql
drop function private.add_job(text, text, jsonb, uuid, interval);

create function private.add_job(
  p_kind text, p_key text default null, p_payload jsonb default '{}', p_user_id uuid default null, p_lifetime interval default '2 days',
  p_due_at timestamptz default now()
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.jobs as j (kind, key, payload, user_id, due_at, expires_at)
  values (p_kind, p_key, p_payload, p_user_id, p_due_at, p_due_at + p_lifetime)
  on conflict (kind, key) do update set
    payload = excluded.payload, user_id = excluded.user_id,
    -- What ends its runners again and again is not made harmless by being asked for once more; an operator retries it.
    failed_at = case when j.every is not null then j.failed_at end,
    error = case when j.every is not null then j.error end,
    lost_leases = case when j.every is not null then j.lost_leases else 0 end,
    expires_at = case when j.every is null then excluded.expires_at end,
    again = j.lease is not null,
    due_at = case when j.lease is null then excluded.due_at else j.due_at end,
    attempts = case when j.lease is null then 0 else j.attempts end;
  perform pg_notify('jobs', p_kind);
end
$$;
comment on function private.add_job is 'Asks for a job in the caller''s transaction; its lifetime begins when it is due. One that comes again (every) is asked for at once by its kind and the key ''''.';

-- hazards.sql
drop function private.tell_of_hazard(uuid);

create function private.tell_of_hazard(p_report_id uuid, p_invite_id uuid default null) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  report private.live_reports;
  told integer;
begin
  -- Two jobs about one person would each miss what the other tells.
  select * into report from private.live_reports r
  where r.id = p_report_id and r.verified_at is not null and r.ended_at is null and r.expires_at > now() for update;
  if report.id is null then
    return 0;
  end if;
  -- Without a sender: nobody may know who reported.
  insert into public.notifications (type, receiver_id, data)
  select 'hazard', going.user_id, jsonb_build_object('park_id', report.park_id, 'report_id', report.id, 'hazard', report.hazard)
  from (
    select f.user_id from public.favourite_parks f where f.park_id = report.park_id and p_invite_id is null
    union
    select side from public.park_invites i, unnest(array[i.sender_id, i.receiver_id]) side
    where i.park_id = report.park_id and i.status = 'accepted' and (p_invite_id is null or i.id = p_invite_id)
      and i.meet_at between now() - private.just_left() and now() + private.meeting_notice()
  ) going
  where going.user_id is distinct from report.reporter
    and not exists (select from private.live_report_votes v where v.report_id = report.id and v.user_id = going.user_id)
    and not exists (
      select from public.notifications n
      where n.receiver_id = going.user_id and n.created_at > now() - private.hazard_pause() and n.type = 'hazard'
        and n.data @> jsonb_build_object('park_id', report.park_id, 'hazard', report.hazard))
    and (
      select count(*) from public.notifications n
      where n.receiver_id = going.user_id and n.created_at > now() - interval '1 day' and n.type = 'hazard'
    ) < private.most_hazard_notifications();
  get diagnostics told = row_count;
  if p_invite_id is null then
    perform private.tell_meeting_of_hazard(report.id, i.id, i.meet_at) from public.park_invites i
    where i.park_id = report.park_id and i.status = 'accepted' and i.meet_at > now() + private.meeting_notice();
  end if;
  return told;
end
$$;
comment on function private.tell_of_hazard is 'Notifies those who favour the park or meet there soon, or the two of one invite, but not who reported, confirmed or denied it, or was told already; how many. Those who meet there later are told in their time.';

create function private.tell_meeting_of_hazard(p_report_id uuid, p_invite_id uuid, p_meet_at timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.add_job('tell-of-hazard', p_report_id || ' ' || p_invite_id,
    jsonb_build_object('report_id', p_report_id, 'invite_id', p_invite_id), p_lifetime => private.meeting_notice(),
    p_due_at => greatest(now(), p_meet_at - private.meeting_notice()))
$$;
comment on function private.tell_meeting_of_hazard is 'Asks to tell the two of an accepted invite of a hazard, if it is still there when their meeting comes near.';

create or replace function private.tell_of_hazards() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('tell-of-hazard', 20) loop
    perform private.tell_of_hazard((job.payload ->> 'report_id')::uuid, (job.payload ->> 'invite_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.tell_of_hazards is 'Drains the jobs tell-of-hazard: the host does it at once, on Supabase pg_cron each minute. A job of its own, because a park may be the favourite of thousands.';

-- park_invites.sql
create function private.tell_meeting_of_known_hazards() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_meeting_of_hazard(r.id, new.id, new.meet_at) from private.live_reports r
  where r.park_id = new.park_id and r.verified_at is not null and r.ended_at is null and r.expires_at > now()
    and private.is_meeting_open(new.meet_at);
  return null;
end
$$;
comment on function private.tell_meeting_of_known_hazards is 'Who agrees to meet where a hazard is known already is told of it when the meeting comes near.';

create trigger tell_meeting_of_known_hazards after update of status, park_id on public.park_invites
  for each row when (new.status = 'accepted') execute function private.tell_meeting_of_known_hazards();
