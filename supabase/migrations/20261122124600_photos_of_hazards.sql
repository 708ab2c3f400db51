-- Photos of hazards are withdrawn and removed with them.

-- hazards.sql
create function private.remove_hazard_photo() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.move_photo(old.path, null);
  return null;
end
$$;
comment on function private.remove_hazard_photo is 'The file of a photo goes with its hazard: nothing shows it any more, and who has its address could open it for ever.';

create trigger remove_hazard_photo after delete on private.hazard_photos
  for each row execute function private.remove_hazard_photo();

create or replace function private.hide_hazard(p_report_id uuid) returns boolean
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
  update public.park_photos f set status = 'rejected'
  from private.hazard_photos h where h.report_id = report.id and f.path = h.path and f.status <> 'rejected';
  perform private.move_photo(h.path, 'pending-photos') from private.hazard_photos h where h.report_id = report.id;
  return report.id is not null;
end
$$;
comment on function private.hide_hazard is 'Ends a hazard that is none, and takes back what people were told of it, and its photos; its reporter cannot report it again for a month.';

-- desk.sql
create or replace function public.desk_undo(p_decision_id uuid) returns boolean
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
  elsif decision.kind = 'hazard' and decision.decision = 'reject' then
    perform private.move_photo(f.path, 'parks') from private.hazard_photos h join public.park_photos f on f.path = h.path
    where h.report_id::text = decision.item_id and f.status = 'approved';
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

-- retention.sql
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
  ) ranked
  where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000;
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
comment on function private.reduce_history is 'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';
