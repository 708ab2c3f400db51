-- A dog's main photo and a person's picture follow the files; the usual hours of many parks in one answer.

alter table public.users add column picture text;
comment on column public.users.picture is 'A photo of their first dog that has one: its path in the bucket users; null: none.';

alter table public.dogs add column photo text;
comment on column public.dogs.photo is 'The main photo''s path in the bucket users; follows the files there.';

create or replace function private.set_picture() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.users u set picture = first.photo
  from (select (
    select d.photo from public.dogs d
    where d.owner = old.owner and d.deleted_at is null and d.photo is not null order by d.created_at, d.id limit 1) as photo) first
  where u.id = old.owner and u.picture is distinct from first.photo;
  return null;
end
$$;
comment on function private.set_picture is 'A person''s picture is the main photo of their first dog that has one.';
create trigger set_picture after update of photo, deleted_at or delete on public.dogs
  for each row execute function private.set_picture();

create or replace function private.set_dog_photo() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.dogs d set photo = newest.name
  from (
    select distinct path[1]::uuid as owner, path[2]::uuid as dog
    from unnest(array[old.name, new.name]) changed (name)
    cross join lateral regexp_match(changed.name, '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/dogs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/primary/') path
    where path is not null
  ) place
  cross join lateral (select (
    select o.name from storage.objects o
    where o.bucket_id = 'users'
      and o.name >= place.owner || '/dogs/' || place.dog || '/primary/' and o.name < place.owner || '/dogs/' || place.dog || '/primary0'
    order by o.created_at desc, o.name limit 1) as name) newest
  where d.id = place.dog and d.owner = place.owner and d.photo is distinct from newest.name;
  return null;
end
$$;
comment on function private.set_dog_photo is 'A dog''s main photo is the newest file of its folder primary.';
create trigger set_dog_photo after insert or delete or update of name, bucket_id on storage.objects
  for each row execute function private.set_dog_photo();

-- What is there already; set_picture follows.
update public.dogs d set photo = newest.name
from (
  select distinct on (1, 2) split_part(o.name, '/', 1) as owner, split_part(o.name, '/', 3) as dog, o.name
  from storage.objects o where o.bucket_id = 'users' and o.name like '%/dogs/%/primary/%'
  order by 1, 2, o.created_at desc, o.name
) newest
where d.owner::text = newest.owner and d.id::text = newest.dog;

create or replace function private.friends_there() returns table (park_id bigint, friend jsonb)
language sql stable security definer set search_path = ''
as $$
  -- Hidden users are only ever counted, even among friends. Few friends and many visitors: it begins with the friends.
  select c.park_id, jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'park_id', c.park_id, 'since', c.started_at,
    'dogs', coalesce((
      select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'photo', d.photo) order by d.name)
      from public.check_in_dogs cd join public.dogs d on d.id = cd.dog_id and d.deleted_at is null
      where cd.check_in_id = c.id), '[]'))
  from private.friend_ids() f (id)
  join public.users u on u.id = f.id and not u.hidden
  join public.check_ins c on c.user_id = u.id and c.ended_at is null and not c.planned and c.expires_at > now()
  join public.parks p on p.id = c.park_id and p.status = 'approved'
  order by c.started_at, u.id
$$;

comment on function public.friends_now is 'Where the caller''s friends are now: [{id, name, picture, park_id, since, dogs: [{id, name, photo}]}].';

create or replace function private.dogs_of(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', d.id, 'name', d.name, 'breed', d.breed, 'gender', d.gender, 'birthday', d.birthday, 'size', d.size,
    -- Whoever is not logged in sees nobody's photos.
    'photo', case when private.uid() is not null then d.photo end) order by d.created_at, d.id), '[]')
  from public.dogs d where d.owner = p_user_id and d.deleted_at is null
$$;

create or replace function public.user_page(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'name', u.name, 'picture', u.picture, 'hidden', u.hidden and u.id = private.uid(),
    'friendship', private.friendship_state(u.id), 'dogs', private.dogs_of(u.id))
  from public.users u
  where u.id = p_user_id and private.uid() is not null and private.may_see(u.id)
$$;

create or replace view public.friends with (security_barrier) as
  select u.id as user_id, u.name, f.accepted_at as since, u.picture
  from private.friendships f
  join public.users u on u.id = case when f.user_low = (select private.uid()) then f.user_high else f.user_low end
  where (select private.uid()) in (f.user_low, f.user_high) and f.status = 'accepted';

create or replace view public.friend_requests with (security_barrier) as
  select u.id as user_id, u.name,
    case when f.requester = (select private.uid()) then 'outgoing' else 'incoming' end as direction,
    f.created_at, u.picture
  from private.friendships f
  join public.users u on u.id = case when f.user_low = (select private.uid()) then f.user_high else f.user_low end
  where (select private.uid()) in (f.user_low, f.user_high)
    and (f.status = 'pending' or (f.status = 'declined' and f.requester = (select private.uid())))
    and (not u.hidden or f.requester = u.id);

create or replace view public.park_reviews with (security_barrier) as
  select r.id, r.park_id, r.title, r.content, r.rank, r.anonymous,
    case when shown.author then u.id end as author_id,
    case when shown.author then u.name end as author_name,
    shown.mine,
    -- The day only: a minute tells who just left the park.
    case when shown.mine then r.created_at else date_trunc('day', r.created_at, 'Asia/Jerusalem') end as created_at,
    case when shown.mine then r.updated_at else date_trunc('day', r.updated_at, 'Asia/Jerusalem') end as updated_at,
    case when shown.author and (select private.uid()) is not null then u.picture end as author_picture
  from public.reviews r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  left join public.users u on u.id = r.author
  cross join lateral (
    select coalesce(u.id = (select private.uid()), false) as mine,
      not r.anonymous and (
        u.id is not distinct from (select private.uid())
        or ((not u.hidden or u.id in (select private.known_ids())) and u.id not in (select private.blocked_ids())
          -- A person who is blocked and logs out must not read the name either, and anonymous callers are all alike.
          and ((select private.uid()) is not null or not exists (select from public.blocks b where b.blocker = u.id)))
      ) as author
  ) shown
  where r.hidden_at is null
    -- Reviews without an author stay whoever is blocked: one that disappeared after a block would name its author.
    and (r.anonymous or u.hidden or u.id not in (select private.listed_block_ids()))
  order by r.id;
comment on column public.park_reviews.author_picture is 'Null where the caller is anonymous.';

create or replace function public.parks_busy_hours(p_park_ids bigint[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_object_agg(parks.id, parks.hours), '{}')
  from (
    select ids.id, jsonb_agg(jsonb_build_array(h.dogs, h.samples) order by h.day_kind, h.hour) as hours
    from (select distinct id from unnest(p_park_ids[:20]) id) ids
    cross join lateral public.park_busy_hours(ids.id) h
    group by ids.id
  ) parks
$$;
comment on function public.parks_busy_hours is 'park_busy_hours of up to 20 parks at once: {park id: 48 times [dogs, samples]}, 24 hours of a weekday, then of a weekend day.';
grant execute on function public.parks_busy_hours(bigint[]) to anon, authenticated;
