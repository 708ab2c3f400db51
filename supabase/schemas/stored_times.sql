-- Corrects timestamps that were stored while a clock was wrong.

create function private.bound_stored_times() returns void
language sql volatile security definer set search_path = '' as $$
  update private.jobs j set lease = null, due_at = b.latest
  from (
    select d.id, now() + case
      when d.lease is not null then interval '5 minutes'
      when d.every is not null then d.every
      when d.attempts > 0 then interval '15 minutes'
      else least(d.due_at - d.created_at, interval '1 day') end as latest
    from private.jobs d where d.failed_at is null and d.due_at > now() + interval '1 minute'
  ) b
  where j.id = b.id and j.due_at > b.latest;
  update private.jobs j set expires_at = now() + interval '2 days' where j.expires_at > now() + interval '3 days';
  delete from private.rate_limits r where r.window_start > now() + interval '1 minute';
  update private.receiver_quota_uses u set used_at = now() where u.used_at > now() + interval '1 minute';
  update private.service_slots s set next_at = now(), day = null where s.next_at > now() + interval '1 minute';
$$;
comment on function private.bound_stored_times is
  'Corrects times that were stored while a host''s clock was wrong: nothing is due later than its interval from now, and no limit starts '
  'in the future. Hosts call it each minute.';
