-- Hazards: dangers at a park, which are reported like conditions. Their types and durations are in hazard_types.sql. A verified
-- hazard notifies users who are about to go there. Hazards have no text, so that a report cannot name a user or a dog.

create table private.hazard_photos (
  path text primary key references public.park_photos (path) on update cascade on delete cascade,
  report_id uuid not null references private.live_reports (id) on delete cascade
);
comment on table private.hazard_photos is 'Photos of hazards. Like any photo of a park they are shown once a moderator has approved them.';
alter table private.hazard_photos enable row level security;

create index on private.hazard_photos (report_id);

create function private.hazard_pause() returns interval language sql immutable set search_path = '' as $$ select interval '12 hours' $$;
comment on function private.hazard_pause is 'After this time, a user may be notified again of the same hazard at the same park.';

create function private.hazard_notice_before_meeting() returns interval language sql immutable set search_path = ''
  as $$ select interval '3 hours' $$;
comment on function private.hazard_notice_before_meeting is 'Guests are notified of a hazard at the park this long before a meeting.';

create function private.hidden_hazard_pause() returns interval language sql immutable set search_path = ''
  as $$ select interval '30 days' $$;
comment on function private.hidden_hazard_pause is 'A reporter must wait this long after a moderator hid the reporter''s hazard.';

create function private.remove_hazard_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.move_photo('{parks,pending-photos}', old.path, null);
  return null;
end
$$;
comment on function private.remove_hazard_photo is
  'Removes the file of a photo when its hazard is deleted, because anybody who has its URL could open it for ever.';
create trigger remove_hazard_photo after delete on private.hazard_photos
  for each row execute function private.remove_hazard_photo();

create function private.notify_of_hazard(p_report_id uuid, p_invite_id uuid default null) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  report private.live_reports;
  source uuid;
  notified integer;
begin
  -- The lock is needed because two concurrent jobs would not see each other's notifications.
  select * into report from private.live_reports r
  where r.id = p_report_id and r.verified_at is not null and r.ended_at is null and r.expires_at > now() for update;
  if report.id is null then
    return 0;
  end if;
  -- The notifications count against the quota of the regular whose statement verified the hazard. So an attack with many hazards
  -- needs a different regular for each of them.
  select w.user_id into source from private.report_statements(report.id) w
  where w.vote = 'confirm' and w.is_present and w.trust_level = 'regular_there' order by w.user_id limit 1;
  -- The notification has no sender, because the reporter is secret.
  select count(*) filter (where private.notify('hazard', null, receiver.user_id,
    jsonb_build_object('park_id', report.park_id, 'report_id', report.id, 'hazard', report.hazard), source)) into notified
  from (select going.user_id from (
    select f.user_id from public.favourite_parks f where f.park_id = report.park_id and p_invite_id is null
    union
    select side from public.park_invites i, unnest(array[i.sender_id, i.receiver_id]) side
    where i.park_id = report.park_id and i.status = 'accepted' and (p_invite_id is null or i.id = p_invite_id)
      and i.meet_at between now() - private.just_left() and now() + private.hazard_notice_before_meeting()
    union
    select g.user_id from private.pack_times t join private.pack_time_members g on g.pack_time_id = t.id
    cross join lateral (select private.next_meeting_time(t) as meet_at) n
    where t.park_id = report.park_id and (p_invite_id is null or t.id = p_invite_id) and t.hidden_at is null
      and g.skipped is distinct from n.meet_at
      and n.meet_at between now() - private.just_left() and now() + private.hazard_notice_before_meeting()
  ) going
  where going.user_id is distinct from report.reporter
    and not exists (select from private.live_report_votes v where v.report_id = report.id and v.user_id = going.user_id)
    and not exists (
      select from public.notifications n
      where n.receiver_id = going.user_id and n.created_at > now() - private.hazard_pause() and n.type = 'hazard'
        and n.data @> jsonb_build_object('park_id', report.park_id, 'hazard', report.hazard))
    order by going.user_id
  ) receiver;
  if p_invite_id is null then
    perform private.add_job('desk-mail', 'hazard ' || report.id || ' ' || t.id, jsonb_build_object('town_id', t.id, 'report_id', report.id),
      p_lifetime => interval '1 day')
    from public.parks p join private.towns t on private.is_of_town(t, p) and t.mail is not null
    where p.id = report.park_id;
    perform private.schedule_hazard_notification(report.id, i.id, i.meet_at) from public.park_invites i
    where i.park_id = report.park_id and i.status = 'accepted' and i.meet_at > now() + private.hazard_notice_before_meeting();
    perform private.schedule_hazard_notification(report.id, t.id, n.meet_at)
    from private.pack_times t cross join lateral (select private.next_meeting_time(t) as meet_at) n
    where t.park_id = report.park_id and t.hidden_at is null and n.meet_at > now() + private.hazard_notice_before_meeting();
  end if;
  return notified;
end
$$;
comment on function private.notify_of_hazard is
  'Notifies users who have the park among their favourites or meet there soon, or those of one invite or pack time, and returns how many. '
  'It leaves out the reporter, voters and users who were notified before. Later meetings are scheduled.';

create function private.schedule_hazard_notification(p_report_id uuid, p_invite_id uuid, p_meet_at timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job('notify-of-hazard', p_report_id || ' ' || p_invite_id,
    jsonb_build_object('report_id', p_report_id, 'invite_id', p_invite_id), p_lifetime => private.hazard_notice_before_meeting(),
    p_due_at => greatest(now(), p_meet_at - private.hazard_notice_before_meeting()))
$$;
comment on function private.schedule_hazard_notification is
  'Schedules the notification of both users of an accepted invite, or of a pack time''s members, about a hazard that may still exist.';

create function private.notify_of_hazards() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('notify-of-hazard', 20) loop
    perform private.notify_of_hazard((job.payload ->> 'report_id')::uuid, (job.payload ->> 'invite_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.notify_of_hazards is
  'Drains the jobs notify-of-hazard. The host runs it immediately; on Supabase, pg_cron runs it each minute. It uses separate jobs '
  'because a park may be the favourite of thousands of users.';

create function private.decide_hazard(p_report_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  report private.live_reports;
begin
  if p_approve then
    -- On a site without regulars, the approval verifies the hazard. On other sites, two users who were at the park must verify it,
    -- and the approval only keeps it listed.
    update private.live_reports r set approved_at = now()
    where r.id = p_report_id and r.ended_at is null and r.hidden_at is null and not private.has_regulars();
    if found then
      perform private.settle_report(p_report_id);
    end if;
    return true;
  end if;
  update private.live_reports r set hidden_at = now(), ended_at = coalesce(r.ended_at, now())
  where r.id = p_report_id and r.hazard is not null and r.hidden_at is null
  returning * into report;
  delete from public.notifications n
  where n.type = 'hazard' and n.data ->> 'report_id' = p_report_id::text and n.created_at >= report.reported_at;
  update public.park_photos f set status = 'rejected'
  from private.hazard_photos h where h.report_id = report.id and f.path = h.path and f.status <> 'rejected';
  perform private.move_photo('{parks,pending-photos}', h.path, 'pending-photos') from private.hazard_photos h
  where h.report_id = report.id;
  return report.id is not null;
end
$$;
comment on function private.decide_hazard is
  'Verifies a hazard on a site without regulars, or ends a false one and withdraws its notifications and photos. Its reporter cannot '
  'report it again for a month.';

create view public.park_hazards with (security_barrier) as
  select r.id, r.park_id, r.hazard,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.shown_confirmations(r.id) as confirmations,
    r.verified_at is not null as verified,
    private.quarter_hour(r.city_informed_at) as city_informed_at,
    private.quarter_hour(r.ended_at) as cleared_at,
    (select t.name from private.towns t where t.id = r.in_hand_by) as in_hand_by,
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
comment on view public.park_hazards is 'The reported hazards of parks. Verified hazards remain for a day after they were cleared.';
comment on column public.park_hazards.id is 'never null';
comment on column public.park_hazards.park_id is 'never null';
comment on column public.park_hazards.hazard is 'never null';
comment on column public.park_hazards.reported_at is 'Rounded down to a quarter of an hour, except for the reporter; never null';
comment on column public.park_hazards.confirmations is
  'How many others confirmed it: regulars, and at most three newcomers who have been there; never null';
comment on column public.park_hazards.verified is 'True if the evidence was sufficient to notify others of it; never null';
comment on column public.park_hazards.city_informed_at is
  'When a user reported that they had told the city, rounded down to a quarter of an hour.';
comment on column public.park_hazards.in_hand_by is 'The name of the town that is dealing with it.';
comment on column public.park_hazards.cleared_at is 'Rounded down to a quarter of an hour; null while the hazard is active.';
comment on column public.park_hazards.expires_at is 'never null';
comment on column public.park_hazards.mine is 'True if the caller reported it; never null';
comment on column public.park_hazards.photos is 'The approved photos, as paths in the bucket parks; never null';

grant select on public.park_hazards to anon, authenticated;

create function public.report_hazard(p_park_id bigint, p_hazard public.park_hazard, p_key uuid default null) returns uuid
language plpgsql security definer set search_path = '' as $$
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
comment on function public.report_hazard is
  'Returns the ID of the report. Others confirm it with confirm_report and end it with end_report.';

create function public.inform_city(p_report_id uuid, p_key uuid default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'inform_city');
begin
  if result is not null then
    return result::boolean;
  end if;
  perform private.limit_action(me, 'live_report');
  update private.live_reports r set city_informed_at = coalesce(r.city_informed_at, now()),
    city_informed_by = case when r.city_informed_at is null then me else r.city_informed_by end
  where r.id = p_report_id and r.hazard is not null and r.ended_at is null and r.expires_at > now()
    and (select e.is_present or e.has_stayed from private.evidence_at(me, r.park_id) e);
  return private.store_idempotent_result(p_key, to_jsonb(found))::boolean;
end
$$;
comment on function public.inform_city is
  'Records that the caller told the city about a hazard, if the caller is or has been at the park. Returns true if it is recorded.';

create function public.add_hazard_photo(p_report_id uuid, p_path text) returns boolean
language plpgsql security definer set search_path = '' as $$
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
  where f.path = p_path and exists (select from private.hazard_photos h where h.path = f.path and h.report_id = p_report_id)
    and f.path in (select private.uploaded_photo_paths());
  return found;
end
$$;
comment on function public.add_hazard_photo is
  'Attaches a photo that the caller uploaded, which still waits for a moderator, to a hazard that they reported or confirmed; false if it '
  'is not theirs or the hazard is over. Safe to repeat.';

grant execute on function
  public.report_hazard(bigint, public.park_hazard, uuid),
  public.inform_city(uuid, uuid),
  public.add_hazard_photo(uuid, text)
to authenticated;

insert into private.exports (relation, left_out) values
  ('private.hazard_photos', 'says only which of the exported files shows which hazard');
