-- A person is reported once for a reason, however often it is sent: a report whose answer was lost stood in the queue twice.

delete from private.user_reports x using private.user_reports y
where x.resolved_at is null and y.resolved_at is null
  and (x.user_id, x.reporter, x.reason) = (y.user_id, y.reporter, y.reason)
  and (x.created_at, x.id) < (y.created_at, y.id);

create unique index user_reports_once on private.user_reports (user_id, reporter, reason) where resolved_at is null;
comment on table private.user_reports is 'Users reported by users: one open report for each reporter, person and reason.';

create or replace function public.report_user(p_user_id uuid, p_reason public.report_reason, p_note text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.me();
begin
  perform private.limit_rate('report', 30, '1 day');
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_turned_to_me(p_user_id)) then
    insert into private.user_reports (user_id, reporter, reason, note)
    values (p_user_id, me, p_reason, left(btrim(p_note), 1000))
    on conflict (user_id, reporter, reason) where resolved_at is null do update
      set note = coalesce(nullif(excluded.note, ''), user_reports.note);
  end if;
end
$$;
