-- How often one user, or one address, may do something.

create table private.rate_limits (
  subject uuid not null,
  operation text not null,
  window_start timestamptz not null default now(),
  count integer not null default 1,
  primary key (subject, operation)
);
comment on table private.rate_limits is
  'How often somebody did something in the current window; see private.limit_rate and private.limit_address.';
comment on column private.rate_limits.subject is 'A user, or the hash of an anonymous caller''s address.';
alter table private.rate_limits enable row level security;

create function private.count_attempt(p_subject uuid, p_operation text, p_window interval) returns integer
language sql volatile security definer set search_path = '' as $$
  insert into private.rate_limits as r (subject, operation) values (p_subject, p_operation)
  on conflict (subject, operation) do update set
    count = case when r.window_start < now() - p_window then 1 else r.count + 1 end,
    window_start = case when r.window_start < now() - p_window then now() else r.window_start end
  returning r.count
$$;
comment on function private.count_attempt is
  'Counts one more attempt of p_subject, and says how many it made in the current window of p_window.';

create function private.limit_subject(p_subject uuid, p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.count_attempt(p_subject, p_operation, p_window) > p_limit then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;
comment on function private.limit_subject is
  'Refuses with too_many when this was done more than p_limit times in p_window in the name of p_subject.';

create function private.limit_rate(p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = '' as $$
  select private.limit_subject(auth.uid(), p_operation, p_limit, p_window)
$$;
comment on function private.limit_rate is 'Refuses with too_many when the caller did this more than p_limit times in p_window.';

create function private.limit_pair(p_subject uuid, p_other uuid, p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = '' as $$
  -- Under a hash: whom somebody asked is private, and the other may be gone tomorrow.
  select private.limit_subject(p_subject, p_operation || ' to ' || md5(p_subject || ' ' || p_other), p_limit, p_window)
$$;
comment on function private.limit_pair is 'Refuses with too_many when p_subject did this to p_other more than p_limit times in p_window.';

create function private.address_subject(p_headers jsonb) returns uuid
language plpgsql immutable set search_path = '' as $$
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
language plpgsql security definer set search_path = '' as $$
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

insert into private.retention (name, run_order, statement) values
  ('rate limits: two days', 50, $$delete from private.rate_limits r where r.window_start < now() - interval '2 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.rate_limits', 'rate_limits',
    $$select 'epoch'::timestamptz, r.operation, jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'),
      'count', r.count, 'since', r.window_start)
    from private.rate_limits r where r.subject = $1$$);
