-- The card and the poster name a park as the rest does.

-- park_pages.sql
create or replace function public.park_now(p_park_id bigint, p_language public.language default 'en')
returns table (park_id bigint, name text, city text, dogs_now integer)
language sql stable security definer set search_path = ''
as $$
  select p.id, t.name, t.city, coalesce((
    select sum(c.dog_count) from public.check_ins c
    where c.park_id = p.id and c.ended_at is null and c.counted and c.expires_at > now()), 0)::integer
  from public.parks p
  cross join lateral private.named_park(p.id, p_language) t
  where p.id = coalesce((select f.merged_into from public.former_parks f where f.park_id = p_park_id), p_park_id) and p.status = 'approved'
$$;
