-- Limits of calls to external services: by all hosts together, and caused by one IP address.

create table private.service_slots (
  service text primary key,
  next_at timestamptz not null default '-infinity',
  day date,
  calls integer not null default 0
);
comment on table private.service_slots is
  'When the next call to an external service may be made. One row per service, shared by all hosts and all functions on the platform, '
  'because its limits apply to all our users together.';
comment on column private.service_slots.calls is 'Calls on that day (UTC), because services also have a daily limit.';
alter table private.service_slots enable row level security;

create function public.claim_service_slot(p_service text, p_per_second integer, p_max_waiting integer, p_per_day integer default null)
returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  slot timestamptz;
  requested_at timestamptz;
  today date;
  calls_today integer;
begin
  insert into private.service_slots (service) values (p_service) on conflict do nothing;
  select s.next_at, s.day, s.calls into slot, today, calls_today from private.service_slots s where s.service = p_service for update;
  -- now() is the start of the transaction, before the wait for the row lock, so the clock is read instead.
  requested_at := clock_timestamp();
  if today is distinct from (requested_at at time zone 'utc')::date then
    today := (requested_at at time zone 'utc')::date;
    calls_today := 0;
  end if;
  if calls_today >= p_per_day then
    return -1;
  end if;
  slot := greatest(slot, requested_at);
  if slot - requested_at > make_interval(secs => p_max_waiting::double precision / p_per_second) then
    return null;
  end if;
  update private.service_slots s
  set next_at = slot + make_interval(secs => 1.0 / p_per_second), day = today, calls = calls_today + 1
  where s.service = p_service;
  return ceil(extract(epoch from slot - requested_at) * 1000);
end
$$;
comment on function public.claim_service_slot is
  'Reserves the next call to a service. Returns how many milliseconds to wait before making it; null if p_max_waiting calls are waiting '
  'already, -1 if p_per_day calls were made today.';

grant execute on function public.claim_service_slot(text, integer, integer, integer) to service_role;

create function public.limit_service_share(p_service text, p_headers jsonb, p_max integer, p_per interval) returns void
language sql volatile security definer set search_path = '' as $$
  select private.limit_subject(private.ip_address_subject(p_headers), 'service ' || p_service, p_max, p_per)
$$;
comment on function public.limit_service_share is
  'Fails with too_many if the IP address in the request''s headers caused more than p_max calls to a service in p_per.';

grant execute on function public.limit_service_share(text, jsonb, integer, interval) to service_role;
