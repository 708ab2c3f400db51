-- Limits on how often one user, or one IP address, may do something.

create table private.rate_limits (
  subject uuid not null,
  operation text not null,
  window_start timestamptz not null default now(),
  count integer not null default 1,
  primary key (subject, operation)
);
comment on table private.rate_limits is
  'How often a subject did something in the current window; see private.limit_rate and private.limit_ip_address.';
comment on column private.rate_limits.subject is 'A user or a lost dog''s card, or the hash of a park or of an anonymous caller''s IP address.';
alter table private.rate_limits enable row level security;

create function private.action_limits()
returns table (action text, per interval, regulars integer, newcomers integer, with_one_user integer)
language sql immutable set search_path = '' as $$
  values
    ('check_in', interval '1 day', 30, 15, null::integer),
    ('check_in_without_place', interval '1 day', 6, 6, null),
    ('live_report', interval '1 day', 60, 15, null),
    ('suggest', interval '1 day', 40, 15, null),
    ('review', interval '1 day', 30, 15, null),
    ('rename', interval '1 day', 10, 5, null),
    ('send_friend_request', interval '1 day', 50, 20, 3),
    ('invite_to_park', interval '1 day', 30, 15, 6),
    ('make_pack_time', interval '1 day', 3, 0, null),
    ('report_lost_dog', interval '1 day', 6, 3, null),
    ('alert_nearby', interval '7 days', 1, 0, null),
    ('report_sighting', interval '1 day', 20, 5, 6),
    ('make_dog_invite', interval '1 day', 20, 10, null),
    ('make_friend_code', interval '1 day', 40, 20, null),
    ('add_visit_photo', interval '1 day', 30, 15, null)
$$;
comment on function private.action_limits is 'How often users may do things that other users see, in total and towards one other user.';

create function private.count_attempt(p_subject uuid, p_operation text, p_window interval) returns integer
language sql volatile security definer set search_path = '' as $$
  insert into private.rate_limits as r (subject, operation) values (p_subject, p_operation)
  on conflict (subject, operation) do update set
    count = case when r.window_start < now() - p_window then 1 else r.count + 1 end,
    window_start = case when r.window_start < now() - p_window then now() else r.window_start end
  returning r.count
$$;
comment on function private.count_attempt is
  'Counts one more attempt of p_subject, and returns how many it made in the current window of p_window.';

create function private.limit_subject(p_subject uuid, p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.count_attempt(p_subject, p_operation, p_window) > p_limit then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;
comment on function private.limit_subject is 'Fails with too_many if p_subject did this more than p_limit times in p_window.';

create function private.limit_rate(p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = '' as $$
  select private.limit_subject(auth.uid(), p_operation, p_limit, p_window)
$$;
comment on function private.limit_rate is 'Fails with too_many if the caller did this more than p_limit times in p_window.';

create function private.limit_pair(p_subject uuid, p_other uuid, p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = '' as $$
  -- The other user is hashed, because it is private whom a user contacted, and the other account may be deleted later.
  select private.limit_subject(p_subject, p_operation || ' to ' || md5(p_subject || ' ' || p_other), p_limit, p_window)
$$;
comment on function private.limit_pair is 'Fails with too_many if p_subject did this to p_other more than p_limit times in p_window.';

create function private.ip_address_subject(p_headers jsonb) returns uuid
language plpgsql immutable set search_path = '' as $$
declare
  -- The host replaces x-forwarded-for with the client's address and removes cf-connecting-ip, which only Supabase's proxy sets.
  address text := coalesce(p_headers ->> 'cf-connecting-ip', btrim(split_part(p_headers ->> 'x-forwarded-for', ',', -1)), '');
begin
  -- IPv6 addresses are counted by their /64 network, because a user usually has a whole network.
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
comment on function private.ip_address_subject is 'The subject in private.rate_limits for the IP address in the headers of a request.';

create function private.limit_ip_address(p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = '' as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  -- Without headers, the caller is an operator or a job, so the limit does not apply.
  if headers is not null then
    perform private.limit_subject(private.ip_address_subject(headers), p_operation, p_limit, p_window);
  end if;
end
$$;
comment on function private.limit_ip_address is
  'Fails with too_many if this was done more than p_limit times in p_window from the caller''s IP address.';

insert into private.retention (name, run_order, statement) values
  ('rate limits: two days, or their own longer window', 50, $$delete from private.rate_limits r
    where r.window_start < now() - greatest(interval '2 days', (select l.per from private.action_limits() l where l.action = r.operation))$$);

insert into private.exports (relation, part, statement) values
  ('private.rate_limits', 'rate_limits',
    $$select 'epoch'::timestamptz, r.operation, jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one user'),
      'count', r.count, 'since', r.window_start)
    from private.rate_limits r where r.subject = $1$$);
