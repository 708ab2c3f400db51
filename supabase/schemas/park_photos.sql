-- Photos of parks: contributors, pending photos, and the primary photo.

create table public.park_photos (
  path text primary key check (char_length(path) <= 300),
  park_id bigint not null references public.parks (id) on delete cascade,
  status public.park_status not null default 'pending',
  created_at timestamptz not null default private.day_start(),
  of_hazard boolean not null default false
);
comment on table public.park_photos is
  'The photos {parkId}/other/… of parks. Pending files are in the bucket pending-photos, approved ones in parks. A trigger on '
  'storage.objects writes the rows.';
comment on column public.park_photos.created_at is 'Only the day is stored, because the time would reveal who was there.';
comment on column public.park_photos.of_hazard is 'True if it shows a hazard (private.hazard_photos); such photos are not in the gallery.';
alter table public.park_photos enable row level security;

create table private.photo_uploaders (
  path text primary key references public.park_photos (path) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade
);
comment on table private.photo_uploaders is
  'The users who uploaded photos of parks. Nobody else may know them, so this is not a column of park_photos.';
alter table private.photo_uploaders enable row level security;

create table private.waiting_photos (
  path text primary key references public.park_photos (path) on update cascade on delete cascade,
  since timestamptz not null
);
comment on table private.waiting_photos is
  'The pending photos of parks with the time since when they wait for a moderator, because park_photos shows only the day to its '
  'readers. The row is deleted once the photo is decided.';
alter table private.waiting_photos enable row level security;

grant select on public.park_photos to anon, authenticated;

create index on public.park_photos (park_id);
create index on private.waiting_photos (since);
create index on private.photo_uploaders (user_id);

-- Supabase's storage, and uploads through a signed URL, insert the row with the service role, so only owner_id identifies the
-- uploader. On the one-machine host, the token also identifies the uploader.
create function private.sync_park_photos() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_park bigint;
  uploader uuid;
begin
  if tg_op = 'UPDATE' and new.name = old.name and old.bucket_id in ('parks', 'pending-photos') and new.bucket_id in ('parks',
    'pending-photos') then
    -- When a moderator approves a photo, its file is moved to the public bucket.
    if new.bucket_id = 'parks' then
      update public.park_photos f set status = 'approved' where f.path = new.name;
    end if;
    return null;
  end if;
  if tg_op <> 'INSERT' and old.bucket_id in ('parks', 'pending-photos') then
    update public.parks p set primary_photo = private.first_photo(p.id) where p.primary_photo = old.name and p.id in (
      select f.park_id from public.park_photos f where f.path = old.name
      union select (regexp_match(old.name, '^(\d{1,18})/'))[1]::bigint);
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
      values (new.name, of_park, case when uploader is null and new.bucket_id = 'parks' then 'approved'::public.park_status
        else 'pending' end)
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
comment on function private.sync_park_photos is
  'Synchronises primary_photo and park_photos with the files in the buckets parks and pending-photos; moving a file to parks approves '
  'it.';
create trigger sync_park_photos after insert or delete or update of name, bucket_id on storage.objects
  for each row execute function private.sync_park_photos();

create function private.queue_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'pending' then
    -- A photo waits for a decision only if its file exists. When the file is deleted, the rows of park_photos and waiting_photos
    -- are deleted too.
    insert into private.waiting_photos (path, since)
    select new.path, min(o.created_at) from storage.objects o where o.bucket_id in ('pending-photos', 'parks') and o.name = new.path
    having count(*) > 0
    on conflict do nothing;
  else
    delete from private.waiting_photos w where w.path = new.path;
  end if;
  return null;
end
$$;
create trigger queue_photo after insert or update of status on public.park_photos
  for each row execute function private.queue_photo();

create function private.first_photo(p_park_id bigint) returns text
language sql stable security definer set search_path = '' as $$
  select f.path from public.park_photos f
  where f.park_id = p_park_id and f.status = 'approved' and not f.of_hazard
    and exists (select from storage.objects o where o.bucket_id = 'parks' and o.name = f.path)
  order by f.created_at, f.path limit 1
$$;
comment on function private.first_photo is 'The first approved photo of a park whose file exists, or null.';

create function private.set_first_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.parks p set primary_photo = private.first_photo(p.id)
  where p.id = case when tg_op = 'DELETE' then old.park_id else new.park_id end
    and (p.primary_photo is null or (tg_op = 'UPDATE' and p.primary_photo = new.path and new.status <> 'approved'));
  return null;
end
$$;
comment on function private.set_first_photo is
  'Sets the primary photo of a park that has none, or whose primary photo was withdrawn, to its first approved photo.';
create trigger set_first_photo after insert or delete or update of status, park_id on public.park_photos
  for each row execute function private.set_first_photo();

create function private.uploaded_photo_paths() returns setof text
language sql stable security definer set search_path = '' rows 5 as $$
  select u.path from private.photo_uploaders u where u.user_id = private.uid()
$$;

grant execute on function private.uploaded_photo_paths() to authenticated;

create policy "approved photos are seen with their park" on public.park_photos for select to anon, authenticated
  using (status = 'approved' and exists (select from public.parks p where p.id = park_id));
create policy "users see the photos they uploaded" on public.park_photos for select to authenticated
  using (path in (select private.uploaded_photo_paths()));

insert into private.exports (relation, part, statement) values ('private.photo_uploaders', 'files', null);
