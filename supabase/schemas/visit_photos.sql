-- Photos of visits: the owner's friends see them on the dog's page, without park and day unless the owner shows them. Every read is
-- checked, so access ends immediately when a friendship ends, or when the owner blocks the friend, hides, or undoes the visit.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('visit-photos', 'visit-photos', false, 5242880, '{image/webp,image/jpeg,image/png,image/avif}');

create table private.visit_photos (
  id uuid primary key default gen_random_uuid(),
  author uuid not null references public.users (id) on delete cascade,
  dog_id uuid not null references public.dogs (id) on delete cascade,
  check_in_id uuid references public.check_ins (id) on delete set null,
  shows_visit boolean not null default false,
  is_kept boolean not null default false,
  created_at timestamptz not null default private.day_start(),
  unique (check_in_id, dog_id)
);
comment on table private.visit_photos is
  'The photos in the bucket visit-photos, one for each own dog of a visit. The row is added before the file is uploaded; without a row '
  'nobody can read a file.';
comment on column private.visit_photos.id is
  'Also the name of the file. It is random, because notifications contain the ID of a visit together with its park and time.';
comment on column private.visit_photos.shows_visit is 'True if friends also see the park and the day, as long as the visit is stored.';
comment on column private.visit_photos.is_kept is 'True if the photo is stored for longer than 90 days.';
alter table private.visit_photos enable row level security;

create index on private.visit_photos (author);
create index on private.visit_photos (dog_id);

create function private.may_upload_visit_photo(p_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_old_enough(private.uid()) and not private.is_limited(private.uid()) and exists (
    select from private.visit_photos f
    where f.id = private.to_uuid(p_name) and f.author = private.uid())
$$;
comment on function private.may_upload_visit_photo is 'Returns whether add_visit_photo has given the caller this name for a file.';

create function private.may_see_visit_photo(p_photo private.visit_photos) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.dogs d
    where d.id = p_photo.dog_id and d.owner = p_photo.author and d.deleted_at is null and (
      d.owner = private.uid()
      or d.owner in (select private.visible_friend_ids()) and d.id not in (select private.kept_dog_ids('walker'))))
$$;
comment on function private.may_see_visit_photo is
  'Returns whether the caller is the author, or a friend of the author who does not walk the dog, while the author is not hidden.';

create function private.may_read_visit_photo(p_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  -- A signed URL would work after access has ended.
  select coalesce(current_setting('storage.operation', true), '') not like 'storage.object.sign%'
    and exists (select from private.visit_photos f where f.id = private.to_uuid(p_name) and private.may_see_visit_photo(f))
$$;

grant execute on function private.may_upload_visit_photo(text), private.may_read_visit_photo(text) to authenticated;

create policy "owners upload a photo of their dog's visit" on storage.objects for insert to authenticated
  with check (bucket_id = 'visit-photos' and private.may_upload_visit_photo(name));
create policy "photos of visits are for the owner's friends" on storage.objects for select to authenticated
  using (bucket_id = 'visit-photos' and private.may_read_visit_photo(name));

create function private.set_visit_photo_metadata() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The lock waits for a concurrent deletion of the photo; otherwise the file would remain. The error is the same as that of the
  -- policy, because another one would reveal which photos exist.
  perform from private.visit_photos f where f.id = private.to_uuid(new.name) for key share;
  if not found then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "objects"';
  end if;
  new.created_at := 'epoch';
  new.updated_at := 'epoch';
  new.last_accessed_at := 'epoch';
  new.metadata := new.metadata || '{"lastModified": "1970-01-01T00:00:00.000Z", "cacheControl": "no-store"}';
  return new;
end
$$;
comment on function private.set_visit_photo_metadata is
  'Readers of a file must not learn the day of the visit, and their browsers must not store it, because access may end.';
create trigger set_visit_photo_metadata before insert or update on storage.objects
  for each row when (new.bucket_id = 'visit-photos') execute function private.set_visit_photo_metadata();

create function private.remove_visit_photo_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.move_photo('{visit-photos}', old.id::text, null);
  return null;
end
$$;
create trigger remove_visit_photo_file after delete on private.visit_photos
  for each row execute function private.remove_visit_photo_file();

create function private.remove_photos_of_visit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.visit_photos f where f.check_in_id = new.id;
  return null;
end
$$;
create trigger remove_photos_of_visit after update of type on public.check_ins
  for each row when (new.type = 'undone') execute function private.remove_photos_of_visit();

create function private.remove_visit_photos_of_dog() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.visit_photos f where f.dog_id = new.id;
  return null;
end
$$;
create trigger remove_visit_photos_of_dog after update of owner, deleted_at on public.dogs
  for each row when (new.owner <> old.owner or new.deleted_at is not null) execute function private.remove_visit_photos_of_dog();

create function public.add_visit_photo(p_visit_id uuid, p_dog_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  visit uuid := private.visit_named(p_visit_id);
  photo uuid;
begin
  -- The locks wait for concurrent calls that change the dog's owner or undo the visit, because both delete its photos.
  perform from public.dogs d where d.id = p_dog_id and d.owner = me and d.deleted_at is null for share;
  if found then
    perform from public.check_ins c
    where c.id = visit and c.user_id = me and c.type = 'visit' and c.started_at > now() - interval '1 day' for share;
  end if;
  if not found or not exists (select from public.check_in_dogs x where x.check_in_id = visit and x.dog_id = p_dog_id) then
    perform private.fail('dog_not_found', 'None of your dogs with this ID was on such a visit of the last day.');
  end if;
  perform private.limit_action(me, 'add_visit_photo');
  if (select count(*) from private.visit_photos f where f.author = me) >= 300 then
    perform private.fail('too_many', 'There is room for 300 photos of visits.');
  end if;
  insert into private.visit_photos (author, dog_id, check_in_id) values (me, p_dog_id, visit) on conflict do nothing;
  select f.id into photo from private.visit_photos f where f.check_in_id = visit and f.dog_id = p_dog_id;
  return photo;
end
$$;
comment on function public.add_visit_photo is
  'Returns the name under which the caller uploads the photo of one of their dogs on this visit to the bucket visit-photos. A repeated '
  'call returns the same name, so that an upload without a response can be repeated.';

create function public.visit_photos(p_dog_id uuid)
returns table (id uuid, park_id bigint, park_name text, visited_on date, is_mine boolean, shows_visit boolean, is_kept boolean)
language sql stable security definer set search_path = '' as $$
  select f.id, c.park_id, private.park_name(c.park_id, private.my_language()), private.park_day(c.started_at),
    f.author = private.uid(), f.shows_visit, f.is_kept and f.author = private.uid()
  from private.visit_photos f
  join storage.objects o on o.bucket_id = 'visit-photos' and o.name = f.id::text
  left join public.check_ins c on c.id = f.check_in_id and f.shows_visit
  where f.dog_id = p_dog_id and private.may_see_visit_photo(f)
  -- Ordered by random ID, because the order must not reveal when the photos were taken.
  order by f.id
$$;
comment on function public.visit_photos is
  'The photos of a dog''s visits that the caller may see, by their names in the bucket visit-photos; with park and day if the author '
  'shows them. A photo that has not been uploaded yet is not listed.';

create function public.set_visit_photo(p_photo_id uuid, p_shows_visit boolean, p_is_kept boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
begin
  update private.visit_photos f set shows_visit = p_shows_visit, is_kept = p_is_kept where f.id = p_photo_id and f.author = me;
  return found;
end
$$;
comment on function public.set_visit_photo is 'Sets what friends see of the visit, and how long the caller''s photo is stored.';

create function public.remove_visit_photo(p_photo_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  delete from private.visit_photos f where f.id = p_photo_id and f.author = me;
  return found;
end
$$;
comment on function public.remove_visit_photo is 'Ends access to the caller''s photo immediately; a job deletes its file.';

grant execute on function
  public.add_visit_photo(uuid, uuid),
  public.visit_photos(uuid),
  public.set_visit_photo(uuid, boolean, boolean),
  public.remove_visit_photo(uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('photos of visits: 90 days', 15,
    $$delete from private.visit_photos f where not f.is_kept and f.created_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.visit_photos', 'visit_photos',
    $$select f.created_at, f.id::text, jsonb_build_object('id', f.id, 'dog', d.name, 'shows_visit', f.shows_visit, 'kept', f.is_kept,
      'created_at', f.created_at)
    from private.visit_photos f join public.dogs d on d.id = f.dog_id where f.author = $1$$);
