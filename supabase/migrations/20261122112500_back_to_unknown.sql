-- What somebody corrected may go back to unknown.

-- contributions.sql
create function private.fact_columns() returns text[]
language sql immutable set search_path = ''
as $$
  select '{size,materials,shade,has_facilities}'::text[]
$$;
comment on function private.fact_columns is 'The facts of a park that have columns of their own.';

create function private.are_fact_changes(p_facts jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select private.are_park_facts(jsonb_strip_nulls(p_facts)) and not exists (
    select from jsonb_each(case when jsonb_typeof(p_facts) = 'object' then p_facts else '{}' end) f
    where f.value = 'null' and not (private.park_fact_kinds() ? f.key or f.key = any (private.fact_columns())))
$$;
comment on function private.are_fact_changes is 'Whether these are facts as parks.facts may hold them, or null for what nobody knows after all, also of private.fact_columns.';

alter table public.park_suggestions drop constraint park_suggestions_facts;
alter table public.park_suggestions add constraint park_suggestions_facts check (private.are_fact_changes(facts));
comment on column public.park_suggestions.facts is 'Those that are to change, as in parks.facts; null for what nobody knows after all, also of size, materials, shade and has_facilities.';

create or replace function private.suggested_fields(p_suggestion public.park_suggestions) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object('size', s.size, 'materials', to_jsonb(s.materials), 'shade', s.shade, 'has_facilities', s.has_facilities,
    'place', case when s.lat is not null then jsonb_build_object('lat', s.lat, 'long', s.long) end, 'claim', s.claim, 'double_of', s.double_of)) || coalesce((
      select jsonb_object_agg(word.key || '.' || given.key, word.value)
      from jsonb_each(s.words) given cross join lateral jsonb_each(given.value) word), '{}')
    || coalesce((
      select jsonb_object_agg(case when f.key = any (private.fact_columns()) then f.key else 'fact.' || f.key end, f.value)
      from jsonb_each(s.facts) f), '{}')
  from (select (p_suggestion).*) s
$$;
comment on function private.suggested_fields is 'What a suggestion would change, by the same fields as private.park_fields, and claim and double_of; null for what nobody knows after all.';

create or replace function private.add_suggestion(p_suggestion public.park_suggestions) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_contributor();
  suggestion public.park_suggestions := p_suggestion;
  fields jsonb;
begin
  perform private.require_park(suggestion.park_id);
  if suggestion.double_of is not null then
    perform private.require_park(suggestion.double_of);
  end if;
  perform private.limit_action(me, 'suggest');
  suggestion.materials := nullif(suggestion.materials, '{}');
  suggestion.words := private.clean_park_words(suggestion.words);
  suggestion.facts := nullif(suggestion.facts, '{}');
  if not private.are_fact_changes(suggestion.facts) then
    perform private.fail('invalid_input', 'These are no facts of a park.');
  end if;
  fields := private.suggested_fields(suggestion);
  if fields = '{}' then
    perform private.fail('invalid_input', 'Suggest at least one thing.');
  end if;
  insert into public.park_suggestions (park_id, user_id, size, materials, shade, has_facilities, words, lat, long, claim, double_of, facts, before)
  select suggestion.park_id, me, suggestion.size, suggestion.materials, suggestion.shade, suggestion.has_facilities, suggestion.words,
    suggestion.lat, suggestion.long, suggestion.claim, suggestion.double_of, suggestion.facts,
    coalesce((select jsonb_object_agg(now.key, now.value) from jsonb_each(private.park_fields(suggestion.park_id)) now where fields ? now.key), '{}')
  returning id into suggestion.id;
  return suggestion.id;
end
$$;
comment on function public.suggest_park_details is 'Suggests what is missing or wrong: details, p_facts (as in parks.facts; null for what nobody knows after all, also of size, materials, shade and has_facilities), p_words ({language: {name, city, address}}), the place, or that the park is closed for good, no dog park, or the same as p_double_of.';

-- moderation.sql
create or replace function private.decide_suggestion(p_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  suggestion public.park_suggestions;
  unknown text[];
  given record;
begin
  update public.park_suggestions s
  set status = case when p_approve then 'approved'::public.park_status else 'rejected' end, decided_at = now()
  where s.id = p_id and s.status = 'pending' returning * into suggestion;
  if suggestion.id is null or not p_approve then
    return suggestion.id is not null;
  end if;
  unknown := array(select f.key from jsonb_each(suggestion.facts) f where f.value = 'null');
  update public.parks p set
    size = case when 'size' <> all (unknown) then coalesce(suggestion.size, p.size) end,
    materials = case when 'materials' = any (unknown) then '{}' else coalesce(suggestion.materials, p.materials) end,
    shade = case when 'shade' <> all (unknown) then coalesce(suggestion.shade, p.shade) end,
    has_facilities = case when 'has_facilities' <> all (unknown) then coalesce(suggestion.has_facilities, p.has_facilities) end,
    lat = coalesce(suggestion.lat, p.lat), long = coalesce(suggestion.long, p.long),
    facts = (p.facts || coalesce(suggestion.facts, '{}')) - unknown,
    fact_sources = (p.fact_sources || coalesce((
      select jsonb_object_agg(said.key, jsonb_build_array('people', (suggestion.created_at at time zone 'Asia/Jerusalem')::date))
      from (
        select jsonb_object_keys(suggestion.facts)
        union all
        select field from jsonb_object_keys(private.suggested_fields(suggestion)) field where field = any (private.fact_columns())
      ) said (key)), '{}')) - unknown
  where p.id = suggestion.park_id;
  -- A language that the park had no words in takes what is not given from another one.
  for given in select key::public.language as language, value from jsonb_each(suggestion.words) loop
    insert into public.park_translations as t (park_id, language, name, city, address)
    select o.park_id, given.language, coalesce(given.value ->> 'name', o.name), coalesce(given.value ->> 'city', o.city),
      coalesce(given.value ->> 'address', o.address)
    from public.park_translations o where o.park_id = suggestion.park_id
    order by o.language = given.language desc, o.language = 'en' desc, o.language limit 1
    on conflict (park_id, language) do update set name = excluded.name, city = excluded.city, address = excluded.address;
  end loop;
  -- Suggested before the terms asked for the licence.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select suggestion.park_id, field, suggestion.user_id
  from jsonb_object_keys(private.suggested_fields(suggestion)) field
  where not exists (select from private.user_consents c where c.user_id = suggestion.user_id and c.licence_agreed_at is not null);
  if suggestion.claim = 'double' then
    perform private.merge_parks(suggestion.park_id, suggestion.double_of);
  elsif suggestion.claim is not null then
    perform private.close_park(suggestion.park_id, suggestion.claim);
  end if;
  return true;
end
$$;
