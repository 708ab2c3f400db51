-- One address causes a part of the day's calls to an outside service, so that it does not use them up for everybody.

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
comment on function private.address_subject is 'What private.rate_limits counts the address of a request as, by the headers of the request.';

create or replace function private.limit_address(p_operation text, p_limit integer, p_window interval) returns void
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

create function public.limit_service_share(p_service text, p_headers jsonb, p_per_day integer) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.limit_subject(private.address_subject(p_headers), 'service ' || p_service, p_per_day, interval '1 day')
$$;
comment on function public.limit_service_share is 'Refuses with too_many when one address, named by the headers of its request, caused more than p_per_day calls to a service.';

grant execute on function public.limit_service_share(text, jsonb, integer) to service_role;
