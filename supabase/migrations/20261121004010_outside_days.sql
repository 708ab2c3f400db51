-- Services that are not ours also limit the day: so many calls for all our users together, counted where the turns are.

alter table private.outside_turns add column day date, add column used integer not null default 0;
comment on column private.outside_turns.used is 'Calls on that day (UTC).';

drop function public.claim_outside_turn(text, integer, integer);
create function public.claim_outside_turn(p_service text, p_per_second integer, p_longest integer, p_per_day integer default null)
returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  turn timestamptz;
  moment timestamptz;
  today date;
  so_far integer;
begin
  insert into private.outside_turns (service) values (p_service) on conflict do nothing;
  select t.next_at, t.day, t.used into turn, today, so_far from private.outside_turns t where t.service = p_service for update;
  -- Not now(): others may have had the row meanwhile.
  moment := clock_timestamp();
  if today is distinct from (moment at time zone 'utc')::date then
    today := (moment at time zone 'utc')::date;
    so_far := 0;
  end if;
  if so_far >= p_per_day then
    return -1;
  end if;
  turn := greatest(turn, moment);
  if turn - moment > make_interval(secs => p_longest::double precision / p_per_second) then
    return null;
  end if;
  update private.outside_turns t set next_at = turn + make_interval(secs => 1.0 / p_per_second), day = today, used = so_far + 1
  where t.service = p_service;
  return ceil(extract(epoch from turn - moment) * 1000);
end
$$;
comment on function public.claim_outside_turn is 'Takes the next turn at a service: how many milliseconds to wait for it; null when more than p_longest wait already, -1 when p_per_day calls were made today.';
grant execute on function public.claim_outside_turn(text, integer, integer, integer) to service_role;
