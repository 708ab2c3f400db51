-- What fewer than three people told of their dogs is told to nobody, however many others are at the park.

-- park_live.sql
create or replace function public.park_company(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with dogs as (
    select c.id as visit, d.size, d.energy from public.check_ins c
    join public.parks p on p.id = c.park_id and p.status = 'approved'
    join public.check_in_dogs x on x.check_in_id = c.id join public.dogs d on d.id = x.dog_id and d.deleted_at is null
    where c.park_id = p_park_id and c.ended_at is null and c.counted and c.expires_at > now()
  ), told as (
    -- Of fewer than three people it would describe a person's dogs to everybody, however many others are there.
    select count(distinct d.visit) filter (where d.size is not null) >= 3 as sizes,
      count(distinct d.visit) filter (where d.energy is not null) >= 3 as energies
    from dogs d
  )
  select case when told.sizes or told.energies then jsonb_build_object(
    'sizes', (select coalesce(jsonb_object_agg(n.size, n.many), '{}') from (
      select d.size, count(*) as many from dogs d where told.sizes and d.size is not null group by d.size) n),
    'energies', (select coalesce(jsonb_object_agg(n.energy, n.many), '{}') from (
      select d.energy, count(*) as many from dogs d where told.energies and d.energy is not null group by d.energy) n)) end
  from told
$$;
comment on function public.park_company is 'How big and how lively the dogs at a park are, as numbers of dogs: {sizes, energies}, each empty while fewer than three people there told it of theirs; null while both are.';
