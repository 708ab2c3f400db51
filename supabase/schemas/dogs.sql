-- Dogs: visible with their owner, soft-deleted.

create type public.dog_gender as enum ('MALE', 'FEMALE');
create type public.dog_size as enum ('SMALL', 'MEDIUM', 'LARGE');
create type public.dog_energy as enum ('LOW', 'MEDIUM', 'HIGH');

create table public.dogs (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references public.users (id) on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 60 and name !~ '[[:cntrl:]]'),
  breed text not null check (char_length(btrim(breed)) between 1 and 80),
  gender public.dog_gender not null,
  birthday date not null check (birthday between '1980-01-01' and current_date + 1),
  birthday_by_month boolean not null default false,
  size public.dog_size,
  temperament text check (char_length(temperament) <= 500),
  energy public.dog_energy,
  possessive boolean,
  likes text check (char_length(likes) <= 500),
  dislikes text check (char_length(dislikes) <= 500),
  description text check (char_length(description) <= 2000),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  photo text,
  check (not (birthday_by_month and extract(day from birthday) <> 1))
);
comment on table public.dogs is 'Dogs. They are visible to users who may see the owner and to their keepers and walkers (dog_carers.sql).';
comment on column public.dogs.birthday_by_month is 'True if only the month is known; the birthday is then the first day of it.';
comment on column public.dogs.likes is 'Comma-separated.';
comment on column public.dogs.deleted_at is 'Set by delete_dog. Such rows are invisible and are deleted after 90 days.';
comment on column public.dogs.photo is 'The path of the main photo in the bucket users; updated when the files change.';
alter table public.dogs enable row level security;

grant select on public.dogs to authenticated;
grant
  insert (id, owner, name, breed, gender, birthday, birthday_by_month, size, temperament, energy, possessive, likes, dislikes, description),
  update (name, breed, gender, birthday, birthday_by_month, size, temperament, energy, possessive, likes, dislikes, description)
  on public.dogs to authenticated;

create index dogs_owner on public.dogs (owner);
create index dogs_name_start on public.dogs (private.fold_text(name) text_pattern_ops) where deleted_at is null;
create index dogs_name_trgm on public.dogs using gin (private.fold_text(name) extensions.gin_trgm_ops) where deleted_at is null;

-- Triggers run before policies. The limit applies only to the caller's own dogs, because an error for another owner would reveal
-- the number of that user's dogs.
create function private.limit_dogs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Rows of other owners are rejected by the policy.
  if new.owner is distinct from coalesce(auth.uid(), new.owner) then
    return new;
  end if;
  -- The lock is needed because concurrent inserts would not count each other.
  perform pg_advisory_xact_lock(hashtextextended('dogs:' || new.owner, 0));
  if (select count(*) from public.dogs d where d.owner = new.owner and d.deleted_at is null) >= private.max_dogs() then
    perform private.fail('too_many', format('A profile has room for %s dogs.', private.max_dogs()));
  end if;
  -- Deleted dogs are stored for 90 days, so adding and deleting dogs repeatedly must not fill the disk.
  if auth.uid() is not null then
    perform private.limit_rate('add_dog', 100, '1 day');
  end if;
  return new;
end
$$;
create trigger clean_row before insert or update of name, breed, temperament, likes, dislikes, description on public.dogs
  for each row execute function private.clean_row('name', 'breed', 'temperament', 'likes', 'dislikes', 'description');

create trigger limit_dogs before insert on public.dogs for each row execute function private.limit_dogs();

create function private.reject_limited_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The check concerns the caller, who may be a keeper instead of the owner. The seed and operators have no caller and are not
  -- checked.
  if auth.uid() is not null then
    perform private.reject_limited(auth.uid());
    perform private.reject_unconfirmed_age(auth.uid());
  end if;
  return new;
end
$$;
comment on function private.reject_limited_owner is
  'Rejects changes to a dog''s texts while the caller has not confirmed the age or may not post, because other users read them.';
create trigger reject_limited_owner before insert on public.dogs
  for each row execute function private.reject_limited_owner();
create trigger reject_limited_owner_of_text before update on public.dogs
  for each row when ((old.name, old.breed, old.temperament, old.likes, old.dislikes, old.description)
    is distinct from (new.name, new.breed, new.temperament, new.likes, new.dislikes, new.description))
  execute function private.reject_limited_owner();

create function private.set_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.users u set picture = first.photo
  from unnest(array[old.owner, new.owner]) owners (id) cross join lateral (select (
    select d.photo from public.dogs d
    where d.owner = owners.id and d.deleted_at is null and d.photo is not null order by d.created_at, d.id limit 1) as photo) first
  where u.id = owners.id and u.picture is distinct from first.photo;
  return null;
end
$$;
comment on function private.set_picture is 'A user''s picture is the main photo of their first dog that has one.';
create trigger set_picture after update of photo, deleted_at, owner or delete on public.dogs
  for each row execute function private.set_picture();

create policy "dogs are seen by whoever sees their owner" on public.dogs for select to authenticated
  using (deleted_at is null and exists (select from public.users u where u.id = owner));
create policy "users add their own dogs" on public.dogs for insert to authenticated
  with check (owner = (select auth.uid()));
create policy "users change their own dogs" on public.dogs for update to authenticated
  using (owner = (select auth.uid()) and deleted_at is null) with check (owner = (select auth.uid()));
create policy "nothing before the second factor" on public.dogs as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.delete_dog(dog_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.dogs d set deleted_at = now()
  where d.id = delete_dog.dog_id and d.owner = private.require_user() and d.deleted_at is null;
  if found then
    perform private.leave_visits(delete_dog.dog_id);
    delete from private.dog_carers p where p.dog_id = delete_dog.dog_id;
    delete from private.dog_invites i where i.dog_id = delete_dog.dog_id;
    perform private.clear_finder_contacts(l.id) from private.lost_dogs l where l.dog_id = delete_dog.dog_id;
  end if;
end
$$;

grant execute on function public.delete_dog(uuid) to authenticated;

insert into private.retention (name, run_order, statement) values
  ('photos of removed dogs: 90 days', 40, $$select private.move_photo('{users}', o.name, null)
    from public.dogs d join storage.objects o on o.bucket_id = 'users'
      and o.name >= d.owner || '/dogs/' || d.id || '/' and o.name < d.owner || '/dogs/' || d.id || '0'
    where d.deleted_at < now() - interval '90 days'$$),
  ('removed dogs: 90 days', 50, $$delete from public.dogs d where d.deleted_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('public.dogs', 'dogs', $$select d.created_at, d.id::text, to_jsonb(d) - 'owner'
    from public.dogs d where d.owner = $1$$);
