-- Turns at services that are not ours: what a public address service allows is for all our users together, so all hosts
-- (and all functions on the platform) take their turns from one row.

create table private.outside_turns (
  service text primary key,
  next_at timestamptz not null default '-infinity'
);
comment on table private.outside_turns is 'When the next call to an outside service may be made.';
alter table private.outside_turns enable row level security;

create function public.claim_outside_turn(p_service text, p_per_second integer, p_longest integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  turn timestamptz;
  moment timestamptz;
begin
  insert into private.outside_turns (service) values (p_service) on conflict do nothing;
  select t.next_at into turn from private.outside_turns t where t.service = p_service for update;
  -- Not now(): others may have had the row meanwhile.
  moment := clock_timestamp();
  turn := greatest(turn, moment);
  if turn - moment > make_interval(secs => p_longest::double precision / p_per_second) then
    return null;
  end if;
  update private.outside_turns t set next_at = turn + make_interval(secs => 1.0 / p_per_second) where t.service = p_service;
  return ceil(extract(epoch from turn - moment) * 1000);
end
$$;
comment on function public.claim_outside_turn is 'Takes the next turn at a service: how many milliseconds to wait for it, or null when more than p_longest wait already.';
grant execute on function public.claim_outside_turn(text, integer, integer) to service_role;
