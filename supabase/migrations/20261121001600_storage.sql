-- The two buckets. Both are read by public address with names that nobody can guess; what the rules limit is who lists and who writes.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('users', 'users', true, 5242880, '{image/webp,image/jpeg,image/png,image/avif}'),
  ('parks', 'parks', true, 5242880, '{image/webp,image/jpeg,image/png,image/avif,application/json}');

-- Functions ------------------------------------------------------------------------------------------------------

create function private.is_photo_name(p_name text) returns boolean
language sql immutable set search_path = ''
as $$
  -- The random id in the name is what keeps a photo that waits for approval, or a hidden user's dog, from being guessed.
  select p_name ~* '(^|/)[a-z0-9_-]*[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.(webp|jpe?g|png|avif)$'
$$;

create function private.may_see_folder_of(p_owner text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case when p_owner ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then private.may_see(p_owner::uuid) else false end
$$;

create function private.is_my_dog(p_dog text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.dogs d where d.owner = auth.uid() and d.id::text = p_dog and d.deleted_at is null)
$$;

create function private.may_give_photo(p_park text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.parks p
    where p.id::text = p_park and (p.status = 'approved' or p.id in (select private.submitted_park_ids()))
      and p.id = case when p_park ~ '^\d{1,18}$' then p_park::bigint end
  ) and exists (
    select from private.user_consents c
    where c.user_id = auth.uid() and c.terms_accepted_at is not null and c.age_confirmed_at is not null
  ) and (
    select count(*) < 30 from private.photo_uploaders u join public.park_photos f on f.path = u.path
    where u.user_id = auth.uid() and f.created_at > now() - interval '1 day'
  )
$$;
comment on function private.may_give_photo is 'Terms accepted, age confirmed, the park is there, and fewer than 30 photos in a day.';

grant execute on function private.is_photo_name(text), private.may_see_folder_of(text), private.is_my_dog(text), private.may_give_photo(text) to authenticated;

-- Policies -------------------------------------------------------------------------------------------------------

create policy "photos of dogs are listed for whoever sees the owner" on storage.objects for select to authenticated
  using (bucket_id = 'users' and private.may_see_folder_of((storage.foldername(name))[1]));
create policy "owners add photos of their dogs" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'users'
    and name ~ ('^' || (select auth.uid()) || '/dogs/[^/]+/(primary|other)/[^/]+$')
    and private.is_photo_name(name) and private.is_my_dog((storage.foldername(name))[3])
  );
create policy "owners move photos of their dogs" on storage.objects for update to authenticated
  using (bucket_id = 'users' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (
    bucket_id = 'users'
    and name ~ ('^' || (select auth.uid()) || '/dogs/[^/]+/(primary|other)/[^/]+$')
    and private.is_photo_name(name) and private.is_my_dog((storage.foldername(name))[3])
  );
create policy "owners remove photos of their dogs" on storage.objects for delete to authenticated
  using (bucket_id = 'users' and (storage.foldername(name))[1] = (select auth.uid())::text);

create policy "what is public of parks is listed" on storage.objects for select to anon, authenticated
  using (
    bucket_id = 'parks' and (
      name in ('parks-en.json', 'parks-he.json', 'parks-ar.json')
      or exists (select from public.parks p where p.primary_photo = name and p.id = substring(name from '^(\d{1,18})/')::bigint)
      or exists (select from public.park_photos f where f.path = name)
    )
  );
create policy "users give photos to parks" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'parks' and name ~ '^\d{1,18}/other/[^/]+$'
    and private.is_photo_name(name) and private.may_give_photo((storage.foldername(name))[1])
  );
create policy "users take their own photos of parks back" on storage.objects for delete to authenticated
  using (bucket_id = 'parks' and name in (select private.uploaded_photo_paths()));
