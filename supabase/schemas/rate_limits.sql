-- How often one user may do something, and how often all hosts together may call an external service.

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.rate_limits (
  user_id uuid not null,
  operation text not null,
  window_start timestamptz not null default now(),
  count integer not null default 1,
  primary key (user_id, operation)
);
comment on table private.rate_limits is
  'How often somebody did something in the current window; see private.limit_rate and private.limit_address.';
comment on column private.rate_limits.user_id is 'A user, or the hash of an anonymous caller''s address.';
alter table private.rate_limits enable row level security;

create table private.service_slots (
  service text primary key,
  next_at timestamptz not null default '-infinity',
  day date,
  calls integer not null default 0
);
comment on table private.service_slots is
  'When the next call to an external service may be made. One row a service, because its limits are for all our users together: all '
  'hosts, and all functions on the platform, share it.';
comment on column private.service_slots.calls is 'Calls on that day (UTC): services also limit the day.';
alter table private.service_slots enable row level security;

-- Functions ------------------------------------------------------------------------------------------------------

create function private.count_attempt(p_subject uuid, p_operation text, p_window interval) returns integer
language sql volatile security definer set search_path = ''
as $$
  insert into private.rate_limits as r (user_id, operation) values (p_subject, p_operation)
  on conflict (user_id, operation) do update set
    count = case when r.window_start < now() - p_window then 1 else r.count + 1 end,
    window_start = case when r.window_start < now() - p_window then now() else r.window_start end
  returning r.count
$$;
comment on function private.count_attempt is 'The how manieth time this is in p_window, in the name of p_subject.';

create function private.limit_subject(p_subject uuid, p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if private.count_attempt(p_subject, p_operation, p_window) > p_limit then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;
comment on function private.limit_subject is
  'Refuses with too_many when this was done more than p_limit times in p_window in the name of p_subject.';

create function private.limit_rate(p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.limit_subject(auth.uid(), p_operation, p_limit, p_window)
$$;
comment on function private.limit_rate is 'Refuses with too_many when the caller did this more than p_limit times in p_window.';

create function private.limit_pair(p_subject uuid, p_other uuid, p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = ''
as $$
  -- Under a hash: whom somebody asked is private, and the other may be gone tomorrow.
  select private.limit_subject(p_subject, p_operation || ' to ' || md5(p_subject || ' ' || p_other), p_limit, p_window)
$$;
comment on function private.limit_pair is 'Refuses with too_many when p_subject did this to p_other more than p_limit times in p_window.';

create function private.address_subject(p_headers jsonb) returns uuid
language plpgsql immutable set search_path = ''
as $$
declare
  -- The host writes the address itself; on Supabase, what is in front of it adds the first of these headers.
  address text := coalesce(p_headers ->> 'cf-connecting-ip', btrim(split_part(p_headers ->> 'x-forwarded-for', ',', -1)), '');
begin
  -- Of IPv6 one person has a whole network.
  if address ~ '^[0-9a-f:]+$' and address like '%:%' then
    begin
      address := network(set_masklen(address::inet, 64))::text;
    exception when invalid_text_representation then
      null;
    end;
  end if;
  return md5('address ' || address)::uuid;
end
$$;
comment on function private.address_subject is
  'What private.rate_limits counts the address of a request as, by the headers of the request.';

create function private.limit_address(p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  -- No request over HTTP: an operator or a job.
  if headers is not null then
    perform private.limit_subject(private.address_subject(headers), p_operation, p_limit, p_window);
  end if;
end
$$;
comment on function private.limit_address is
  'Refuses with too_many when this was done more than p_limit times in p_window from the address of the caller.';

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.claim_service_slot(p_service text, p_per_second integer, p_max_waiting integer, p_per_day integer default null)
returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  slot timestamptz;
  asked_at timestamptz;
  today date;
  calls_today integer;
begin
  insert into private.service_slots (service) values (p_service) on conflict do nothing;
  select s.next_at, s.day, s.calls into slot, today, calls_today from private.service_slots s where s.service = p_service for update;
  -- Not now(): that is before the wait for others who locked the row.
  asked_at := clock_timestamp();
  if today is distinct from (asked_at at time zone 'utc')::date then
    today := (asked_at at time zone 'utc')::date;
    calls_today := 0;
  end if;
  if calls_today >= p_per_day then
    return -1;
  end if;
  slot := greatest(slot, asked_at);
  if slot - asked_at > make_interval(secs => p_max_waiting::double precision / p_per_second) then
    return null;
  end if;
  update private.service_slots s
  set next_at = slot + make_interval(secs => 1.0 / p_per_second), day = today, calls = calls_today + 1
  where s.service = p_service;
  return ceil(extract(epoch from slot - asked_at) * 1000);
end
$$;
comment on function public.claim_service_slot is
  'Reserves the next call to a service: how many milliseconds to wait before making it; null when p_max_waiting calls wait already, -1 '
  'when p_per_day calls were made today.';

grant execute on function public.claim_service_slot(text, integer, integer, integer) to service_role;

create function public.limit_service_share(p_service text, p_headers jsonb, p_most integer, p_per interval) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.limit_subject(private.address_subject(p_headers), 'service ' || p_service, p_most, p_per)
$$;
comment on function public.limit_service_share is
  'Refuses with too_many when one address, named by the headers of its request, caused more than p_most calls to a service in p_per.';

grant execute on function public.limit_service_share(text, jsonb, integer, interval) to service_role;

-- Retention ------------------------------------------------------------------------------------------------------

insert into private.retention (name, place, statement) values
  ('rate limits: two days', 50, $$delete from private.rate_limits r where r.window_start < now() - interval '2 days'$$);

-- Export ---------------------------------------------------------------------------------------------------------

insert into private.exports (relation, part, statement) values
  ('private.rate_limits', 'rate_limits',
    $$select 'epoch'::timestamptz, r.operation, jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'),
      'count', r.count, 'since', r.window_start)
    from private.rate_limits r where r.user_id = $1$$);
