-- The storage buckets. users and parks are public, with names that cannot be guessed; policies limit listing and writing.
-- pending-photos is private: only the contributor may read a photo before a moderator has approved it.

-- The published list of a hundred thousand parks is larger than a photo may be, so the bucket allows more and private.check_photo
-- limits photos.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('users', 'users', true, 5242880, '{image/webp,image/jpeg,image/png,image/avif}'),
  ('parks', 'parks', true, 52428800, '{image/webp,image/jpeg,image/png,image/avif,application/json}'),
  ('pending-photos', 'pending-photos', false, 5242880, '{image/webp,image/jpeg,image/png,image/avif}');

create function private.check_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.bucket_id = 'users' then
    -- Photos that a keeper adds belong to the dog's owner, so that the row does not contain the ID of a keeper whose account is
    -- deleted later.
    new.owner := case when new.name ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/' then split_part(new.name, '/', 1)::uuid end;
    new.owner_id := new.owner::text;
  end if;
  if new.bucket_id not in ('users', 'parks', 'pending-photos', 'lost-dogs', 'sightings', 'visit-photos')
    or (new.bucket_id = 'parks' and private.is_park_list(new.name)) then
    return new;
  end if;
  -- Before Supabase's storage accepts a file, it checks the policies with a row without metadata.
  if new.metadata is not null then
    if coalesce(new.metadata ->> 'mimetype', '') not like 'image/%' then
      raise exception using errcode = 'PT415', message = 'Only pictures are kept here';
    elsif coalesce((new.metadata ->> 'size')::bigint, 0) > 5242880 then
      raise exception using errcode = 'PT413', message = 'The object exceeded the maximum allowed size';
    end if;
  end if;
  return new;
end
$$;
comment on function private.check_photo is 'Photos must be images of at most 5 MB, whatever their names say; PTnnn sets the HTTP status.';
create trigger check_photo before insert or update of name, bucket_id, metadata on storage.objects
  for each row execute function private.check_photo();

create function private.limit_photos() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  folder text := split_part(new.name, '/', 1) || '/';
begin
  -- The limit applies only to folders that the caller may write to. For other folders, the policy rejects the file, and an error of
  -- this limit would reveal the number of the owner's photos.
  if folder <> coalesce(auth.uid() || '/', folder)
    and not private.may_add_dog_photo(split_part(new.name, '/', 1), split_part(new.name, '/', 3)) then
    return new;
  end if;
  -- The lock is needed because concurrent uploads would not count each other.
  perform pg_advisory_xact_lock(hashtextextended('photos:' || folder, 0));
  -- Excludes the file with the same name, which the upload replaces, and the moved file under its old name.
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'users' and o.name >= folder and o.name < left(folder, -1) || '0' and o.name <> new.name and o.id <> new.id
  ) >= 300 then
    perform private.fail('too_many', 'There is room for 300 photos.');
  end if;
  return new;
end
$$;
comment on function private.limit_photos is 'Allows at most 300 photos in a user''s folder of the bucket users.';
create trigger limit_photos before insert or update of name, bucket_id on storage.objects
  for each row when (new.bucket_id = 'users') execute function private.limit_photos();

create function private.set_dog_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  place record;
begin
  for place in
    select distinct path[1]::uuid as owner, path[2]::uuid as dog
    from unnest(array[old.name, new.name]) changed (name)
    cross join lateral regexp_match(changed.name,
      '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/dogs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/primary/') path
    where path is not null
    order by dog
  loop
    -- The second of two concurrent changes waits here for the first, and then sees both files.
    perform from public.dogs d where d.id = place.dog and d.owner = place.owner for no key update;
    update public.dogs d set photo = last.name
    from (select (
      select o.name from storage.objects o
      where o.bucket_id = 'users'
        and o.name >= place.owner || '/dogs/' || place.dog || '/primary/' and o.name < place.owner || '/dogs/' || place.dog || '/primary0'
      order by o.updated_at desc, o.name desc limit 1) as name) last
    where d.id = place.dog and d.owner = place.owner and d.photo is distinct from last.name;
  end loop;
  return null;
end
$$;
comment on function private.set_dog_photo is 'A dog''s main photo is the latest file in its folder primary, uploaded or moved there.';
create trigger set_dog_photo after insert or delete or update of name, bucket_id on storage.objects
  for each row execute function private.set_dog_photo();

create function private.truncate_photo_times() returns trigger
language plpgsql set search_path = '' as $$
declare
  day timestamptz := private.day_start();
begin
  new.created_at := private.day_start(new.created_at);
  new.updated_at := day;
  new.last_accessed_at := day;
  if new.metadata ? 'lastModified' then
    new.metadata := jsonb_set(new.metadata, '{lastModified}', to_jsonb(to_char(day at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  end if;
  return new;
end
$$;
comment on function private.truncate_photo_times is
  'Removes the time of day from a park photo''s timestamps, because it would reveal who was there.';
-- Triggers run in alphabetical order. With this name it runs after the triggers that set the time of the last change.
create trigger without_minutes before insert or update on storage.objects
  for each row when (new.bucket_id = 'parks' and new.name ~ '^\d{1,18}/') execute function private.truncate_photo_times();

create function private.is_photo_name(p_name text) returns boolean
language sql immutable set search_path = '' as $$
  -- Requires a random ID in the name, so that a pending photo, or one of a hidden user's dog, cannot be guessed.
  select p_name ~* '(^|/)[a-z0-9_-]*[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.(webp|jpe?g|png|avif)$'
$$;

create function private.is_park_list(p_name text) returns boolean
language sql stable set search_path = '' as $$
  select coalesce(substring(p_name from '^parks-(.*)\.json$') = any (enum_range(null::public.language)::text[]), false)
$$;
comment on function private.is_park_list is 'Returns true if this is the name of a published list: parks-{language}.json.';

create function private.may_see_folder_of(p_owner text) returns boolean
language sql stable security definer set search_path = '' as $$
  select case when p_owner ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then private.may_see(p_owner::uuid) else false end
$$;

create function private.may_add_dog_photo(p_owner text, p_dog text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.dogs d
    where d.id = case when p_dog ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_dog::uuid end
      and d.owner::text = p_owner and d.deleted_at is null
      and (d.owner = private.uid() or d.id in (select private.kept_dog_ids('keeper'))))
    and private.is_old_enough(private.uid()) and not private.is_limited(private.uid())
$$;
comment on function private.may_add_dog_photo is
  'Returns true if this is a dog of this owner that the caller owns or keeps, the caller''s age is confirmed and posting is not paused.';

create function private.may_add_park_photo(p_park text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.parks p
    where p.id::text = p_park and (p.status = 'approved' or p.id in (select private.submitted_park_ids()))
      and p.id = case when p_park ~ '^\d{1,18}$' then p_park::bigint end
  ) and exists (
    select from private.user_consents c
    where c.user_id = private.uid() and c.terms_accepted_at is not null
  ) and private.is_old_enough(private.uid()) and not private.is_limited(private.uid())
$$;
comment on function private.may_add_park_photo is
  'Returns true if the caller has accepted the terms and confirmed the age, posting is not paused, and the park exists.';

-- Photos of a deleted dog are listed only for its owner; photos of other dogs for users who may see the owner, and for the dog's
-- keepers and walkers.
create function private.may_see_photo_of_dog(p_owner text, p_dog text) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_owner = private.uid()::text or exists (
    select from public.dogs d
    where d.owner::text = p_owner and d.deleted_at is null
      and (private.may_see_folder_of(p_owner) or d.id in (select private.kept_dog_ids()))
      and d.id = case when p_dog ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_dog::uuid end)
$$;

create function private.is_free_photo_path(p_path text) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (select from public.park_photos f where f.path = p_path)
    and not exists (select from private.jobs j where j.type = 'move-photo' and j.payload ->> 'path' = p_path)
$$;
comment on function private.is_free_photo_path is
  'Returns true if no photo of a park has this path and none is being moved. Otherwise its contributor could exchange a photo between '
  'its approval and the move of its file.';

grant execute on function private.is_park_list(text) to anon, authenticated;
grant execute on function
  private.is_free_photo_path(text),
  private.is_photo_name(text),
  private.may_see_folder_of(text),
  private.may_add_dog_photo(text, text),
  private.may_add_park_photo(text),
  private.may_see_photo_of_dog(text, text)
to authenticated;

create policy "photos of dogs are listed for users who may see them" on storage.objects for select to authenticated
  using (bucket_id = 'users' and private.may_see_photo_of_dog((storage.foldername(name))[1], (storage.foldername(name))[3]));
create policy "owners and keepers add photos of dogs" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'users' and name ~ '^[^/]+/dogs/[^/]+/(primary|other)/[^/]+$' and private.is_photo_name(name)
    and private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])
  );
create policy "owners and keepers move photos of dogs" on storage.objects for update to authenticated
  using (bucket_id = 'users' and ((storage.foldername(name))[1] = (select auth.uid())::text
    or private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])))
  with check (
    bucket_id = 'users' and name ~ '^[^/]+/dogs/[^/]+/(primary|other)/[^/]+$' and private.is_photo_name(name)
    and private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])
  );
create policy "owners and keepers remove photos of dogs" on storage.objects for delete to authenticated
  using (bucket_id = 'users' and ((storage.foldername(name))[1] = (select auth.uid())::text
    or private.may_add_dog_photo((storage.foldername(name))[1], (storage.foldername(name))[3])));
create policy "public files of parks are listed" on storage.objects for select to anon, authenticated
  using (
    bucket_id = 'parks' and (
      private.is_park_list(name)
      or exists (select from public.parks p where p.primary_photo = name and p.id = substring(name from '^(\d{1,18})/')::bigint)
      or exists (select from public.park_photos f where f.path = name)
    )
  );
create policy "users add photos to parks" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'pending-photos' and name ~ '^\d{1,18}/other/[^/]+$'
    and private.is_photo_name(name) and private.may_add_park_photo((storage.foldername(name))[1])
    and private.is_free_photo_path(name)
  );
create policy "users see their own pending photos" on storage.objects for select to authenticated
  using (bucket_id = 'pending-photos' and name in (select private.uploaded_photo_paths()));
create policy "moderators see pending photos" on storage.objects for select to authenticated
  using (bucket_id = 'pending-photos' and (select private.is_moderator()));
create policy "users delete their own photos of parks" on storage.objects for delete to authenticated
  using (bucket_id in ('parks', 'pending-photos') and name in (select private.uploaded_photo_paths()));
-- The public bucket stays readable, because a session that has not used the second factor has the access of an anonymous caller.
create policy "nothing of users before the second factor" on storage.objects as restrictive for select to authenticated
  using (bucket_id = 'parks' or (select private.second_factor_done()));
-- A copy would remain readable after access to the original has ended.
create policy "photos of private buckets are not copied" on storage.objects as restrictive for select to authenticated
  using (bucket_id not in ('pending-photos', 'sightings', 'visit-photos')
    or coalesce(current_setting('storage.operation', true), '') !~ 'copy');
create policy "nothing is added before the second factor" on storage.objects as restrictive for insert to authenticated
  with check ((select private.second_factor_done()));
create policy "nothing is moved before the second factor" on storage.objects as restrictive for update to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));
create policy "nothing is removed before the second factor" on storage.objects as restrictive for delete to authenticated
  using ((select private.second_factor_done()));

insert into private.exports (relation, part, statement) values
  ('storage.objects', 'files', $$select 'epoch'::timestamptz, f.bucket || '/' || f.name, to_jsonb(f)
    from private.files_of($1) f$$);

insert into private.exports (relation, left_out) values
  ('storage.buckets', 'our own buckets; the column is of the protocol, and no user owns one');
