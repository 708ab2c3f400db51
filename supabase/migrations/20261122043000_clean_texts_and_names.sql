-- What people write has no characters that only a screen or a terminal obeys; names have nothing that nobody sees, and
-- nobody bears the name of the product.

create function private.clean_text(p_text text) returns text
language sql immutable set search_path = ''
as $$
  -- Control characters (but for the end of a line and the tab), what turns the direction of the text after it, and tags,
  -- which nobody sees. One way of writing the same letters.
  select normalize(regexp_replace(p_text,
    '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), nfc)
$$;

comment on function private.clean_text is 'What people write, without characters that only a screen or a terminal obeys.';

create function private.clean_name(p_name text) returns text
language sql immutable set search_path = ''
as $$
  -- What looks alike is written alike: no invisible characters, and one kind of space.
  select btrim(regexp_replace(regexp_replace(private.clean_text(regexp_replace(p_name, '[\u0009-\u000d\u0085\u2028\u2029]', ' ', 'g')),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]', '', 'g'),
    '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+', ' ', 'g'))
$$;

comment on function private.clean_name is 'A name in one line, without what nobody sees.';

create function private.clean_row() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  given jsonb := to_jsonb(new);
begin
  new := jsonb_populate_record(new, (
    select jsonb_object_agg(field, case when field = 'name' then private.clean_name(given ->> field) else private.clean_text(given ->> field) end)
    from unnest(tg_argv) field));
  return new;
end
$$;

comment on function private.clean_row is 'Cleans the columns that are given as arguments, before a row is checked and written.';

-- Triggers -------------------------------------------------------------------------------------------------------

create function private.is_reserved_name(p_name text) returns boolean
language sql immutable set search_path = ''
as $$
  -- Without accents, in small letters; with the Greek and Cyrillic letters that look like Latin ones.
  select regexp_replace(
      translate(regexp_replace(lower(normalize(p_name, nfkd)), '[\u0300-\u036f]', '', 'g'), 'аαрρсϲкκ40', 'aappcckkao'),
      '[^a-z]', '', 'g') like '%packpark%'
    or regexp_replace(p_name, '[^\u05d0-\u05ea]', '', 'g') ~ 'פא?קפא?רק'
    or regexp_replace(p_name, '[^\u0620-\u064a]', '', 'g') like '%باكبارك%'
$$;

comment on function private.is_reserved_name is 'Whether a name passes its bearer off as the product.';

create function private.check_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.clean_name(new.name);
  -- Without a caller it is a sign-up, the seed or an operator.
  if auth.uid() is not null and (new.name = '' or private.is_reserved_name(new.name)) then
    perform private.fail('name_not_allowed', 'A name has letters that can be seen, and is not the name of the product.');
  end if;
  return new;
end
$$;

create trigger check_name before insert or update of name on public.users
  for each row execute function private.check_name();

-- Whoever typed an email need not own it, so the public half (what others find, ask and see) is made once somebody proves
-- the email, or is let in where no proof is asked for.
create or replace function private.create_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  given jsonb := coalesce(new.raw_user_meta_data, '{}');
  language public.language := case when given ->> 'language' = any (enum_range(null::public.language)::text[]) then given ->> 'language' else 'en' end;
  name text := btrim(left(coalesce(nullif(private.clean_name(given ->> 'full_name'), ''), private.clean_name(given ->> 'name'), ''), 80));
begin
  -- An account that is confirmed again has its public half already.
  if exists (select from public.users u where u.id = new.id) then
    return null;
  end if;
  -- Apple may give no name; the part of the email before the @ is nobody's business.
  insert into public.users (id, name, language)
  values (new.id, case when name = '' or private.is_reserved_name(name) then private.texts(language) ->> 'new_user' else name end, language);
  insert into private.user_consents (user_id, age_confirmed_at)
  values (new.id, case when given -> 'age_confirmed' = 'true' then now() end);
  return null;
end
$$;

create trigger clean_row before insert or update of name, breed, temperament, likes, dislikes, description on public.dogs
  for each row execute function private.clean_row('name', 'breed', 'temperament', 'likes', 'dislikes', 'description');

-- Triggers -------------------------------------------------------------------------------------------------------

create trigger clean_row before insert or update of title, content on public.reviews
  for each row execute function private.clean_row('title', 'content');

-- Triggers -------------------------------------------------------------------------------------------------------

create trigger clean_row before insert or update of note on private.user_reports
  for each row execute function private.clean_row('note');

-- RPCs -----------------------------------------------------------------------------------------------------------

create or replace function public.submit_park(
  p_name text, p_city text, p_address text, p_lat double precision, p_long double precision,
  p_language public.language default 'en', p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
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

-- RPCs -----------------------------------------------------------------------------------------------------------

create or replace function public.search_users_with_dogs(input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(search_users_with_dogs.input, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  unwanted uuid[] := array_remove(array(select private.blocked_ids()) || private.uid(), null);
  signed_in boolean := private.uid() is not null;
  found_ids uuid[];
begin
  if coalesce(char_length(typed), 0) < 2 then
    return;
  end if;
  if auth.uid() is null then
    perform private.limit_address('search_people', 60, '10 minutes');
  else
    perform private.limit_rate('search_people', 600, '1 hour');
  end if;
  -- Anonymous callers do not find people who have blocked somebody: that one could just log out.
  -- Exact names and beginnings of names first, by index. Only where these are few: similar names.
  found_ids := array(
    (select u.id from public.users u
    where lower(u.name) like pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) order by lower(u.name) limit 40)
    union
    (select u.id from public.users u
    where lower(u.name) like '% ' || pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) limit 40)
    union
    (select d.owner from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id))
    where d.deleted_at is null and lower(d.name) like pattern || '%' and d.owner <> all (unwanted) order by lower(d.name) limit 40)
  );
  if cardinality(found_ids) < 20 and char_length(typed) > 2 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.4', true);
    found_ids := found_ids || array(
      select near.id from (
        (select u.id, extensions.word_similarity(typed, lower(u.name)) as likeness
        from public.users u
        where typed operator(extensions.<%) lower(u.name) and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) limit 2000)
        union all
        (select d.owner, extensions.word_similarity(typed, lower(d.name))
        from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id))
        where d.deleted_at is null and typed operator(extensions.<%) lower(d.name) and d.owner <> all (unwanted) limit 2000)
      ) near
      order by near.likeness desc, near.id limit 40
    );
  end if;
  return query
    select u.id, u.name, private.dogs_of(u.id)
    from public.users u
    where u.id = any (found_ids)
    order by greatest(
      private.name_similarity(typed, lower(u.name)) + 0.01,
      (select max(private.name_similarity(typed, lower(d.name))) from public.dogs d where d.owner = u.id and d.deleted_at is null)
    ) desc, u.name, u.id
    limit 20;
end
$$;

create or replace function private.may_add_park_photo(p_park text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.parks p
    where p.id::text = p_park and (p.status = 'approved' or p.id in (select private.submitted_park_ids()))
      and p.id = case when p_park ~ '^\d{1,18}$' then p_park::bigint end
  ) and exists (
    select from private.user_consents c
    where c.user_id = private.uid() and c.terms_accepted_at is not null and c.age_confirmed_at is not null
  )
$$;

comment on function private.may_add_park_photo is 'Terms accepted, age confirmed, and the park is there.';

-- Supabase's storage, and an upload by a signed link, write the row with the service's rights: there only its owner_id
-- says who uploaded. On the one-machine host the token says so, too.
create or replace function private.sync_park_photos() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  of_park bigint;
  uploader uuid;
begin
  if tg_op = 'UPDATE' and new.name = old.name and old.bucket_id in ('parks', 'pending-photos') and new.bucket_id in ('parks', 'pending-photos') then
    -- A moderator approves a photo by moving its file to where everybody may read it.
    if new.bucket_id = 'parks' then
      update public.park_photos f set status = 'approved' where f.path = new.name;
    end if;
    return null;
  end if;
  if tg_op <> 'INSERT' and old.bucket_id in ('parks', 'pending-photos') then
    update public.parks p set primary_photo = null where p.primary_photo = old.name and p.id = (regexp_match(old.name, '^(\d{1,18})/'))[1]::bigint;
    delete from public.park_photos f where f.path = old.name;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id in ('parks', 'pending-photos') then
    of_park := (regexp_match(new.name, '^(\d{1,18})/(?:primary|other)/[^/]+$'))[1]::bigint;
    uploader := coalesce(auth.uid(), case when new.owner_id ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then new.owner_id::uuid end);
    if not exists (select from public.parks p where p.id = of_park) then
      return null;
    end if;
    if new.name like '%/primary/%' then
      update public.parks p set primary_photo = new.name where p.id = of_park and new.bucket_id = 'parks';
    else
      insert into public.park_photos (path, park_id, status)
      values (new.name, of_park, case when uploader is null and new.bucket_id = 'parks' then 'approved'::public.park_status else 'pending' end)
      on conflict do nothing;
      if uploader is not null then
        perform private.limit_subject(uploader, 'park_photo', 30, '1 day');
        insert into private.photo_uploaders (path, user_id)
        select new.name, u.id from public.users u where u.id = uploader
        on conflict do nothing;
      end if;
    end if;
  end if;
  return null;
end
$$;

-- What is there already, by the same rules.
update public.users u set name = case when cleaned.name = '' or private.is_reserved_name(cleaned.name)
  then private.texts(u.language) ->> 'new_user' else left(cleaned.name, 80) end
from (select w.id, private.clean_name(w.name) as name from public.users w) cleaned
where cleaned.id = u.id and (cleaned.name <> u.name or private.is_reserved_name(cleaned.name));
update public.dogs d set name = coalesce(nullif(private.clean_name(d.name), ''), '?')
where private.clean_name(d.name) <> d.name;
update public.dogs d set breed = d.breed
where (d.breed, d.temperament, d.likes, d.dislikes, d.description) is distinct from (private.clean_text(d.breed),
  private.clean_text(d.temperament), private.clean_text(d.likes), private.clean_text(d.dislikes), private.clean_text(d.description));
alter table public.reviews disable trigger touch_updated_at;
update public.reviews r set title = r.title
where (r.title, r.content) is distinct from (private.clean_text(r.title), private.clean_text(r.content));
alter table public.reviews enable trigger touch_updated_at;
update private.user_reports x set note = x.note where x.note <> private.clean_text(x.note);
