-- What users add to parks: new parks, details and photos. Nothing shows to others before a moderator approved it.

-- Tables ---------------------------------------------------------------------------------------------------------

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
  check (num_nonnulls(size, materials, shade, has_facilities) > 0)
);
comment on table public.park_suggestions is 'Details that users suggest; null leaves a detail as it is. Seen by whoever suggested.';
alter table public.park_suggestions enable row level security;

create table public.park_photos (
  path text primary key check (char_length(path) <= 300),
  park_id bigint not null references public.parks (id) on delete cascade,
  status public.park_status not null default 'pending',
  created_at timestamptz not null default date_trunc('day', now(), 'Asia/Jerusalem')
);
comment on table public.park_photos is 'The photos {parkId}/other/… of parks: pending ones in the bucket pending-photos, approved ones in parks; a trigger on storage.objects writes it.';
comment on column public.park_photos.created_at is 'The day only: a minute tells who was there.';
alter table public.park_photos enable row level security;

create table private.photo_uploaders (
  path text primary key references public.park_photos (path) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade
);
comment on table private.photo_uploaders is 'Who uploaded a photo of a park; nobody else may know, so it is no column of park_photos.';
alter table private.photo_uploaders enable row level security;

-- Grants ---------------------------------------------------------------------------------------------------------

grant select on public.park_suggestions to authenticated;
grant select on public.park_photos to anon, authenticated;

-- Indexes --------------------------------------------------------------------------------------------------------

create index on public.park_suggestions (park_id);
create index on public.park_suggestions (user_id);
create index park_suggestions_pending on public.park_suggestions (created_at) where status = 'pending';
create index on public.park_photos (park_id);
create index park_photos_pending on public.park_photos (created_at) where status = 'pending';
create index on private.photo_uploaders (user_id);

-- Triggers -------------------------------------------------------------------------------------------------------

create function private.turn_update_into_suggestion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.role() is distinct from 'authenticated' then
    return new;
  end if;
  if (new.size, new.materials, new.shade, new.has_facilities) is not distinct from (old.size, old.materials, old.shade, old.has_facilities) then
    -- Nothing is written where nothing changes: otherwise one request could rewrite every park.
    return null;
  end if;
  if old.status = 'pending' and old.id in (select private.submitted_park_ids()) then
    return new;
  end if;
  perform private.add_suggestion(old.id,
    case when new.size is distinct from old.size then new.size end,
    case when new.materials is distinct from old.materials then new.materials end,
    case when new.shade is distinct from old.shade then new.shade end,
    case when new.has_facilities is distinct from old.has_facilities then new.has_facilities end);
  return old;
end
$$;
comment on function private.turn_update_into_suggestion is 'A user''s update of a park leaves the row as it is and becomes a pending suggestion.';
-- Named to run after touch_updated_at, which it undoes.
create trigger turn_update_into_suggestion before update of size, materials, shade, has_facilities on public.parks
  for each row execute function private.turn_update_into_suggestion();

-- Supabase's storage, and an upload by a signed link, write the row with the service's rights: there only its owner_id
-- says who uploaded. On the one-machine host the token says so, too.
create function private.sync_park_photos() returns trigger
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
comment on function private.sync_park_photos is 'Keeps primary_photo and park_photos equal to the files in the buckets parks and pending-photos; moving a file to parks approves it.';
create trigger sync_park_photos after insert or delete or update of name, bucket_id on storage.objects
  for each row execute function private.sync_park_photos();

-- Functions ------------------------------------------------------------------------------------------------------

create function private.add_suggestion(p_park_id bigint, p_size numeric, p_materials public.ground[], p_shade numeric, p_has_facilities boolean) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  suggestion_id uuid;
begin
  perform private.require_park(p_park_id);
  perform private.limit_rate('suggest', 50, '1 day');
  insert into public.park_suggestions (park_id, user_id, size, materials, shade, has_facilities)
  values (p_park_id, me, p_size, nullif(p_materials, '{}'), p_shade, p_has_facilities)
  returning id into suggestion_id;
  return suggestion_id;
end
$$;

create function private.uploaded_photo_paths() returns setof text
language sql stable security definer set search_path = '' rows 5
as $$
  select u.path from private.photo_uploaders u where u.user_id = private.uid()
$$;

grant execute on function private.uploaded_photo_paths() to authenticated;

-- Policies -------------------------------------------------------------------------------------------------------

create policy "users see their own suggestions" on public.park_suggestions for select to authenticated
  using (user_id = (select auth.uid()));
create policy "approved photos are seen with their park" on public.park_photos for select to anon, authenticated
  using (status = 'approved' and exists (select from public.parks p where p.id = park_id));
create policy "users see the photos they uploaded" on public.park_photos for select to authenticated
  using (path in (select private.uploaded_photo_paths()));
create policy "nothing before the second factor" on public.park_suggestions as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.submit_park(
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

create function public.suggest_park_details(
  p_park_id bigint, p_size numeric default null, p_materials public.ground[] default null,
  p_shade numeric default null, p_has_facilities boolean default null, p_key uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  result jsonb;
begin
  perform private.require_consent();
  result := private.claim_idempotency_key(p_key, 'suggest_park_details');
  if result is null then
    if num_nonnulls(p_size, nullif(p_materials, '{}'), p_shade, p_has_facilities) = 0 then
      perform private.fail('invalid_input', 'Suggest at least one detail.');
    end if;
    result := private.store_idempotent_result(p_key, to_jsonb(private.add_suggestion(p_park_id, p_size, p_materials, p_shade, p_has_facilities)));
  end if;
  return result #>> '{}';
end
$$;

grant execute on function
  public.submit_park(text, text, text, double precision, double precision, public.language, numeric, public.ground[], numeric, boolean, uuid),
  public.suggest_park_details(bigint, numeric, public.ground[], numeric, boolean, uuid)
to authenticated;
