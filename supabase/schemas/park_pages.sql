-- Data for the embedded card of a park on other sites and for the poster at its gate: the park's name and the number of dogs there.

create function public.park_now(p_park_id bigint, p_language public.language default 'en')
returns table (park_id bigint, name text, city text, dogs_now integer)
language sql stable security definer set search_path = '' as $$
  select p.id, t.name, t.city, coalesce((
    select sum(c.dog_count) from private.present c where c.park_id = p.id and c.counted), 0)::integer
  from public.parks p
  cross join lateral private.named_park(p.id, p_language) t
  where p.id = private.present_park(p_park_id) and p.status = 'approved'
$$;
comment on function public.park_now is
  'An approved park, or the park that it was merged into, in a language, and the number of dogs there now; no row if there is none.';

grant execute on function public.park_now(bigint, public.language) to service_role;
