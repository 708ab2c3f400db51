-- Suggested places also say their city and address, for forms that ask for them, and whether they are one of our parks. Where
-- several parks share a label, its place is that of one of them, not a point between them.

drop function public.suggest_places(text, public.language);
create function public.suggest_places(input text, p_language public.language default 'en')
returns table (label text, lat double precision, long double precision, city text, address text, is_park boolean)
language sql stable security definer set search_path = ''
as $$
  -- Our own parks, cities and streets answer while somebody types, so that no public geocoder has to.
  with typed as (
    select lower(btrim(left(input, 100))) as text,
      replace(replace(replace(lower(btrim(left(input, 100))), '\', '\\'), '%', '\%'), '_', '\_') as pattern
  ), hits as (
    (select t.name || ', ' || t.city as label, t.city, t.address, t.park_id, t.language, 0 as rank
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like typed.pattern || '%' limit 100)
    union all
    (select t.name || ', ' || t.city, t.city, t.address, t.park_id, t.language, 1
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like '%' || typed.pattern || '%' limit 100)
    union all
    (select t.address || ', ' || t.city, t.city, t.address, t.park_id, t.language, 2
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.address || ' ' || t.city) like '%' || typed.pattern || '%' limit 100)
  ), places as (
    select distinct on (h.label)
      h.label, p.lat, p.long, h.city, h.address, h.rank, h.language = p_language as in_language
    from hits h join public.parks p on p.id = h.park_id and p.status = 'approved'
    order by h.label, h.rank, h.language = p_language desc, p.id
  )
  select label, lat, long, city, address, rank < 2
  from places
  order by rank, in_language desc, label
  limit 3
$$;

grant execute on function public.suggest_places(text, public.language) to anon, authenticated, service_role;
