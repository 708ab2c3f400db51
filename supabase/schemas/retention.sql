-- How long history is kept.

-- Functions ------------------------------------------------------------------------------------------------------

create function private.end_expired_visits(p_most integer default null) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  visit record;
  many integer := 0;
begin
  for visit in
    -- What somebody else changes right now is left for the next time, so nobody waits for anybody.
    select c.id, c.planned from public.check_ins c where c.ended_at is null and c.expires_at < now()
    -- Counting a visit locks hours of its park, and so does a check-out: both take them in this order.
    order by c.park_id, c.started_at limit p_most for update skip locked
  loop
    if visit.planned then
      delete from public.check_ins c where c.id = visit.id;
    else
      update public.check_ins c set ended_at = c.expires_at where c.id = visit.id;
    end if;
    many := many + 1;
  end loop;
  return many;
end
$$;
comment on function private.end_expired_visits is 'Ends visits that nobody ended, which counts them into busy_hours, and forgets announced ones that were not begun: how many. Asked for a few at a time, because whoever checks in or out waits for a row that is being ended.';

create function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.end_expired_visits();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from private.fact_answers a where a.answered_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from private.cancelled_meetings c where not private.is_meeting_open(c.meet_at);
  delete from public.reviews r where r.remove_at < now();
  delete from private.kept_measures k where k.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Of what was decided: the copies for undoing, the files of rejected photos, and then the decision itself.
  delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id and d.decided_at < now() - interval '30 days';
  delete from private.desk_moves m using private.desk_decisions d where d.id = m.decision_id and d.decided_at < now() - interval '30 days';
  perform private.move_photo(f.path, null) from public.park_photos f
  where f.status = 'rejected' and not exists (
    select from private.desk_decisions d
    where d.decided_at > now() - interval '30 days' and ((d.kind in ('photo', 'photo_report') and d.item_id = f.path)
      or (d.kind = 'hazard' and d.item_id in (select h.report_id::text from private.hazard_photos h where h.path = f.path))));
  delete from private.desk_decisions d where d.decided_at < now() - interval '1 year';
  delete from private.desk_claims c where c.expires_at < now();
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  -- No device repeats what it sent a thousand commands ago; a program that sends keys without end fills no disk.
  delete from private.idempotency_keys k using (
    select n.user_id, n.key, row_number() over (partition by n.user_id order by n.created_at desc, n.key) as place from private.idempotency_keys n
    where n.user_id in (select m.user_id from private.idempotency_keys m group by m.user_id having count(*) > 1000)
  ) ranked
  where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000;
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
comment on function private.reduce_history is 'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';
