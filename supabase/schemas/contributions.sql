-- Contributions of users to parks: new parks, names, locations and details. Other users see them only after a moderator has
-- approved them.

create function private.fact_columns() returns text[]
language sql immutable set search_path = '' as $$
  select '{size,materials,shade,has_facilities}'::text[]
$$;
comment on function private.fact_columns is 'The facts of a park that have their own columns.';

create function private.are_fact_changes(p_facts jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select private.are_park_facts(jsonb_strip_nulls(p_facts)) and not exists (
    select from jsonb_each(case when jsonb_typeof(p_facts) = 'object' then p_facts else '{}' end) f
    where f.value = 'null' and not (private.park_fact_types() ? f.key or f.key = any (private.fact_columns())))
$$;
comment on function private.are_fact_changes is
  'Returns whether these are valid facts for parks.facts, or null for a fact that is to become unknown; facts of private.fact_columns '
  'may be null too.';

create table public.park_suggestions (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade,
  size numeric(9, 1) check (size > 0 and size <= 10000000),
  materials public.ground[] check (cardinality(materials) between 1 and 4),
  shade numeric(3, 1) check (shade between 0 and 24),
  has_facilities boolean,
  status public.park_status not null default 'pending',
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  translations jsonb,
  lat double precision,
  long double precision,
  claim public.park_claim,
  duplicate_of bigint references public.parks (id) on delete cascade,
  before jsonb not null default '{}',
  facts jsonb,
  constraint park_suggestions_not_empty check (num_nonnulls(size, materials, shade, has_facilities, translations, lat, claim, facts) > 0),
  constraint park_suggestions_facts check (private.are_fact_changes(facts)),
  constraint park_suggestions_place check (num_nonnulls(lat, long) <> 1 and lat between -90 and 90 and long between -180 and 180),
  constraint park_suggestions_duplicate check ((claim is not distinct from 'duplicate') = (duplicate_of is not null) and duplicate_of <> park_id)
);
comment on table public.park_suggestions is
  'Suggestions of users about a park. Null values are not changed. Only the author may read them.';
comment on column public.park_suggestions.translations is 'The names, cities and addresses to change, by language.';
comment on column public.park_suggestions.facts is
  'The facts to change, as in parks.facts. Null makes a fact unknown, including size, materials, shade and has_facilities.';
comment on column public.park_suggestions.claim is
  'A claim that the park has closed permanently, is not a dog park, or is a duplicate of duplicate_of.';
comment on column public.park_suggestions.before is 'The values of the same fields when the suggestion was made; see private.park_fields.';
alter table public.park_suggestions enable row level security;

create table private.unlicensed_contributions (
  park_id bigint not null references public.parks (id) on delete cascade,
  field text not null,
  user_id uuid references public.users (id) on delete set null
);
comment on table private.unlicensed_contributions is
  'Fields of parks, or the whole park (field ''park''), whose contributor has not agreed to the ODbL. They are excluded from open data.';
comment on column private.unlicensed_contributions.user_id is
  'Null once the account is deleted. The field then stays unlicensed, because nobody can agree for the contributor.';
alter table private.unlicensed_contributions enable row level security;

grant select on public.park_suggestions to authenticated;

create index on public.park_suggestions (park_id);
create index on public.park_suggestions (user_id);
create index on public.park_suggestions (duplicate_of);
create index park_suggestions_pending on public.park_suggestions (created_at) where status = 'pending';
create index park_suggestions_pending_duplicates on public.park_suggestions (created_at) where status = 'pending' and claim = 'duplicate';
create index park_suggestions_pending_id on public.park_suggestions ((id::text)) where status = 'pending';
create index on private.unlicensed_contributions (park_id);
create index on private.unlicensed_contributions (user_id);

create function private.turn_update_into_suggestion() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  suggestion public.park_suggestions;
begin
  if (new.size, new.materials, new.shade, new.has_facilities) is distinct from (old.size, old.materials, old.shade, old.has_facilities) then
    suggestion.park_id := old.id;
    suggestion.size := nullif(new.size, old.size);
    suggestion.materials := nullif(new.materials, old.materials);
    suggestion.shade := nullif(new.shade, old.shade);
    suggestion.has_facilities := nullif(new.has_facilities, old.has_facilities);
    perform private.add_suggestion(suggestion);
  end if;
  return null;
end
$$;
comment on function private.turn_update_into_suggestion is
  'Turns a user''s update of an approved park, which the policy would reject, into a pending suggestion.';
-- A moderator's decision runs with the role that owns its function, so this trigger does not apply to it.
create trigger turn_update_into_suggestion before update of size, materials, shade, has_facilities on public.parks
  for each row when (current_user = 'authenticated' and old.status = 'approved') execute function private.turn_update_into_suggestion();

create function private.clean_park_translations(p_translations jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  most constant jsonb := '{"name": 120, "city": 120, "address": 200}';
  cleaned jsonb := '{}';
  given record;
  word record;
  text text;
begin
  if p_translations is null then
    return null;
  end if;
  for given in select * from jsonb_each(case jsonb_typeof(p_translations) when 'object' then p_translations else '{"": 0}' end) loop
    if given.key <> all (enum_range(null::public.language)::text[]) or jsonb_typeof(given.value) <> 'object' then
      perform private.fail('invalid_input', 'Words are name, city and address, by language.');
    end if;
    for word in select * from jsonb_each(given.value) loop
      text := private.clean_name(word.value #>> '{}');
      if most -> word.key is null or jsonb_typeof(word.value) <> 'string' or char_length(text) > (most ->> word.key)::integer
        or (text = '' and word.key <> 'address') then
        perform private.fail('invalid_input', 'Words are name, city and address, by language.');
      end if;
      cleaned := jsonb_set(cleaned, array[given.key], coalesce(cleaned -> given.key, '{}') || jsonb_build_object(word.key, text));
    end loop;
  end loop;
  return nullif(cleaned, '{}');
end
$$;
comment on function private.clean_park_translations is
  'Cleans name, city and address by language and returns null if nothing is left. Any other key is rejected.';

create function private.park_fields(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('size', p.size, 'materials', to_jsonb(p.materials), 'shade', p.shade, 'has_facilities', p.has_facilities,
    'place', jsonb_build_object('lat', p.lat, 'long', p.long)) || coalesce((
      select jsonb_object_agg(word.name || '.' || t.language, word.text)
      from public.park_translations t cross join lateral (values ('name', t.name), ('city', t.city), ('address', t.address)) word (name,
        text)
      where t.park_id = p.id), '{}')
    || coalesce((select jsonb_object_agg('fact.' || f.key, f.value) from jsonb_each(p.facts) f), '{}')
  from public.parks p where p.id = p_park_id
$$;
comment on function private.park_fields is
  'The values of a park by the field names of suggestions: size, materials, shade, has_facilities, place {lat, long}, name.he, city.he, '
  'address.he, fact.lit.';

create function private.suggested_fields(p_suggestion public.park_suggestions) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object('size', s.size, 'materials', to_jsonb(s.materials), 'shade', s.shade, 'has_facilities',
    s.has_facilities,
    'place', case when s.lat is not null then jsonb_build_object('lat', s.lat, 'long', s.long) end, 'claim', s.claim, 'duplicate_of',
      s.duplicate_of)) || coalesce((
      select jsonb_object_agg(word.key || '.' || given.key, word.value)
      from jsonb_each(s.translations) given cross join lateral jsonb_each(given.value) word), '{}')
    || coalesce((
      select jsonb_object_agg(case when f.key = any (private.fact_columns()) then f.key else 'fact.' || f.key end, f.value)
      from jsonb_each(s.facts) f), '{}')
  from (select (p_suggestion).*) s
$$;
comment on function private.suggested_fields is
  'The values that a suggestion would change, by the same field names as private.park_fields, with claim and duplicate_of. Null makes a '
  'value unknown.';

create function private.add_suggestion(p_suggestion public.park_suggestions) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_contributor();
  suggestion public.park_suggestions := p_suggestion;
  fields jsonb;
  town private.towns := private.my_town_of(suggestion.park_id);
  decision uuid;
begin
  perform private.require_park(suggestion.park_id);
  if suggestion.duplicate_of is not null then
    perform private.require_park(suggestion.duplicate_of);
  end if;
  perform private.limit_action(me, 'suggest');
  suggestion.materials := nullif(suggestion.materials, '{}');
  suggestion.translations := private.clean_park_translations(suggestion.translations);
  suggestion.facts := nullif(suggestion.facts, '{}');
  if not private.are_fact_changes(suggestion.facts) then
    perform private.fail('invalid_input', 'These are no facts of a park.');
  end if;
  fields := private.suggested_fields(suggestion);
  if fields = '{}' then
    perform private.fail('invalid_input', 'Suggest at least one thing.');
  end if;
  if town.id is null then
    perform private.reject_facts_of_town(suggestion);
  elsif suggestion.claim is null and suggestion.translations is null
    and (suggestion.lat is null or coalesce(town.area @> point(suggestion.long, suggestion.lat), false)) then
    -- A town decides about facts of its parks. Moderators decide about names, and about moving a park out of the town's area.
    perform private.enter_desk(p_alone => false);
    decision := private.begin_decision('town_fact', suggestion.park_id::text, suggestion.park_id, null, 'set', null, me);
  end if;
  insert into public.park_suggestions (park_id, user_id, size, materials, shade, has_facilities, translations, lat, long, claim, duplicate_of,
    facts, before)
  select suggestion.park_id, me, suggestion.size, suggestion.materials, suggestion.shade, suggestion.has_facilities, suggestion.translations,
    suggestion.lat, suggestion.long, suggestion.claim, suggestion.duplicate_of, suggestion.facts,
    coalesce((select jsonb_object_agg(now.key, now.value) from jsonb_each(private.park_fields(suggestion.park_id)) now
      where fields ? now.key), '{}')
  returning id into suggestion.id;
  if decision is not null then
    perform private.decide_suggestion(suggestion.id, true, town);
    perform private.end_decision(decision);
  end if;
  return suggestion.id;
end
$$;
comment on function private.add_suggestion is
  'Validates and stores the caller''s suggestion about a park. If the caller represents a town that may decide it, the suggestion is '
  'applied. Returns the suggestion''s ID.';

create policy "users see their own suggestions" on public.park_suggestions for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.park_suggestions as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.submit_park(
  p_name text, p_city text, p_address text, p_lat double precision, p_long double precision,
  p_language public.language default 'en', p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null
) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_contributor();
  result jsonb := private.claim_idempotency_key(p_key, 'submit_park');
  name text := private.clean_name(p_name);
  city text := private.clean_name(p_city);
  address text := private.clean_name(p_address);
  new_id bigint;
begin
  if result is not null then
    return result::bigint;
  end if;
  if coalesce(city, '') = '' or coalesce(address, '') = '' or p_lat is null or p_long is null then
    perform private.fail('invalid_input', 'A park needs a city, an address and a location.');
  end if;
  perform private.limit_rate('submit_park', 10, '1 day');
  insert into public.parks (size, materials, shade, has_facilities, lat, long, source)
  values (p_size, coalesce(p_materials, '{}'), p_shade, p_has_facilities, p_lat, p_long, 'user')
  returning id into new_id;
  insert into public.park_translations (park_id, language, name, city, address)
  values (new_id, p_language, coalesce(nullif(name, ''), left(address, 120)), city, address);
  insert into private.park_submitters (park_id, user_id) values (new_id, me);
  return private.store_idempotent_result(p_key, to_jsonb(new_id))::bigint;
end
$$;

create function public.suggest_park_details(
  p_park_id bigint, p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null,
  p_translations jsonb default null, p_lat double precision default null, p_long double precision default null,
  p_claim public.park_claim default null, p_duplicate_of bigint default null, p_facts jsonb default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  result jsonb;
  suggestion public.park_suggestions;
begin
  perform private.require_contributor();
  result := private.claim_idempotency_key(p_key, 'suggest_park_details');
  if result is null then
    suggestion.park_id := p_park_id;
    suggestion.size := p_size;
    suggestion.materials := p_materials;
    suggestion.shade := p_shade;
    suggestion.has_facilities := p_has_facilities;
    suggestion.translations := p_translations;
    suggestion.lat := p_lat;
    suggestion.long := p_long;
    suggestion.claim := p_claim;
    suggestion.duplicate_of := p_duplicate_of;
    suggestion.facts := p_facts;
    result := private.store_idempotent_result(p_key, to_jsonb(private.add_suggestion(suggestion)));
  end if;
  return result #>> '{}';
end
$$;
comment on function public.suggest_park_details is
  'Suggests missing or wrong details: p_facts (as in parks.facts; null makes a fact unknown, including size, materials, shade and '
  'has_facilities), p_translations ({language: {name, city, address}}), the location, or that the park has closed permanently, is not a dog '
  'park, or is a duplicate of p_duplicate_of.';

grant execute on function
  public.submit_park(text, text, text, double precision, double precision, public.language, numeric, public.ground[], numeric, boolean,
    uuid),
  public.suggest_park_details(bigint, numeric, public.ground[], numeric, boolean, uuid, jsonb, double precision, double precision,
    public.park_claim, bigint, jsonb)
to authenticated;

create function public.my_contributions() returns table (
  type text, id text, park_id bigint, park_name text, status public.park_status, created_at timestamptz
)
language sql stable security definer set search_path = '' as $$
  select c.type, c.id, c.park_id, private.park_name(c.park_id, private.my_language()), c.status, c.created_at
  from (
    select 'park' as type, p.id::text, p.id as park_id, p.status, p.created_at
    from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = private.uid()
    union all
    select 'suggestion', g.id::text, g.park_id, g.status, g.created_at
    from public.park_suggestions g where g.user_id = private.uid()
    union all
    select 'photo', f.path, f.park_id, f.status, f.created_at
    from private.photo_uploaders u join public.park_photos f on f.path = u.path where u.user_id = private.uid()
  ) c
  order by c.status = 'pending' desc, c.created_at desc, c.id
  limit 100
$$;
comment on function public.my_contributions is
  'The parks, suggestions and photos that the caller added, with the moderators'' decisions. Pending ones first, then newest first, at '
  'most 100.';

grant execute on function public.my_contributions() to authenticated;

insert into private.exports (relation, part, statement) values
  ('public.park_suggestions', 'suggestions', $$select s.created_at, s.id::text, to_jsonb(s) - 'user_id'
    from public.park_suggestions s where s.user_id = $1$$),
  ('private.unlicensed_contributions', 'unlicensed_contributions',
    $$select 'epoch'::timestamptz, x.park_id || ' ' || x.field, jsonb_build_object('park', private.park_name(x.park_id, $2),
      'field', x.field)
    from private.unlicensed_contributions x where x.user_id = $1$$);
