-- The content of the published list of parks (names, locations and ratings), and whether it has to be published again.

create function public.parks_for_publishing(p_language public.language) returns json
language sql stable security definer set search_path = '' as $$
  -- The order makes the file compress well: by city and street, because neighbours in the file are then similar. The order of the
  -- keys was found by experiment: the location, which is different for each park, comes last and saves 4 % of the bytes.
  select coalesce(json_agg(json_strip_nulls(json_build_object(
    'id', p.id, 'name', t.name, 'address', t.address, 'rank', round(r.average_rank, 1)::float8, 'shade', p.shade::float8,
    'size', p.size_label, 'city', t.city, 'reviews', nullif(r.review_count, 0), 'facts', nullif(p.facts, '{}'),
    'ground', nullif(p.materials, '{}'), 'facilities', p.has_facilities,
    'location', json_build_object('lat', round(p.lat::numeric, 5)::float8, 'long', round(p.long::numeric, 5)::float8)
  )) order by t.city, t.address, t.name, p.id), '[]')
  from public.parks p
  left join public.park_translations own on own.park_id = p.id and own.language = p_language
  left join public.park_translations english on english.park_id = p.id and english.language = 'en' and own.park_id is null
  left join lateral (
    select x.* from public.park_translations x where x.park_id = p.id order by x.language limit 1
  ) any_other on own.park_id is null and english.park_id is null
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (select
    coalesce(own.name, english.name, any_other.name) as name,
    coalesce(own.city, english.city, any_other.city) as city,
    coalesce(own.address, english.address, any_other.address) as address
  ) t
  where p.status = 'approved' and t.name is not null
$$;
comment on function public.parks_for_publishing is 'The content of parks-{language}.json.';

create function public.stale_park_list() returns text[]
language sql stable security definer set search_path = '' as $$
  select array_agg(c.transaction::text) from private.park_list_changes c having bool_or(c.due_at <= now())
$$;
comment on function public.stale_park_list is
  'The unpublished changes, or null while none of them is due. Call it before parks_for_publishing, then pass the result to '
  'park_list_published.';

create function public.park_list_published(p_changes text[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.park_list_changes c where c.transaction = any (p_changes::xid8[])
$$;

grant execute on function
  public.parks_for_publishing(public.language),
  public.stale_park_list(),
  public.park_list_published(text[])
to service_role;
