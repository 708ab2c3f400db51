-- Lost and found: cards of lost dogs, which last a day, their notifications, sightings for the dog's owner and keepers, and tags on collars.

create table private.lost_dogs (
  id uuid primary key default gen_random_uuid(),
  dog_id uuid not null unique references public.dogs (id) on delete cascade,
  reporter uuid references public.users (id) on delete set null,
  name text not null,
  lat double precision not null,
  long double precision not null,
  reviewed_place point not null,
  lost_at timestamptz not null default now(),
  queued_at timestamptz not null default now(),
  until timestamptz not null default now() + interval '24 hours',
  by_local boolean not null,
  counted_near bigint[] not null default '{}',
  approved_at timestamptz,
  hidden_at timestamptz,
  notified_at timestamptz
);
comment on table private.lost_dogs is
  'Cards of lost dogs. Friends see each card. Other users see cards that a moderator approved or that are by_local.';
comment on column private.lost_dogs.by_local is
  'True if the reporter is a regular at a park near the place and had no other such card in the week before, there were fewer than three '
  'such cards near the place that day, and the name has no link.';
comment on column private.lost_dogs.counted_near is
  'The parks whose daily limit has counted the card, so that a card that is moved away and back counts once.';
comment on column private.lost_dogs.name is
  'A copy of the dog''s name, so that a later name is not shown without review. Digits are removed, because they could be a telephone '
  'number.';
comment on column private.lost_dogs.lat is 'Rounded to about half a kilometre, like long. The exact location is not stored.';
comment on column private.lost_dogs.reviewed_place is
  'The (longitude, latitude) of the card when it last entered the queue as new. A review is valid within the radius of this place, '
  'because many short moves could take an approved card anywhere.';
comment on column private.lost_dogs.queued_at is 'When the card entered the desk''s queue, most recently because it was moved.';
comment on column private.lost_dogs.hidden_at is 'When a moderator hid the card; it stays hidden for 30 days.';
comment on column private.lost_dogs.notified_at is 'When users near it were notified; this happens once for each area.';
alter table private.lost_dogs enable row level security;

create table private.lost_dog_sightings (
  id uuid primary key default gen_random_uuid(),
  lost_id uuid not null references private.lost_dogs (id) on delete cascade,
  user_id uuid references public.users (id) on delete cascade,
  lat double precision check (lat between -90 and 90),
  long double precision check (long between -180 and 180),
  note text check (char_length(note) between 1 and 300),
  phone text check (char_length(phone) between 7 and 30),
  secret_hash bytea unique,
  answer text check (char_length(answer) between 1 and 300),
  created_at timestamptz not null default now(),
  check ((lat is null) = (long is null) and (user_id is null or (lat is not null and num_nonnulls(note, phone, secret_hash) = 0)))
);
comment on table private.lost_dog_sightings is
  'Where users saw a lost dog. Only the dog''s owner and keepers can read it. The photo is in the bucket sightings, in the folder of '
  'this ID.';
comment on column private.lost_dog_sightings.user_id is 'Null for a finder who scanned the tag. No user can read it.';
comment on column private.lost_dog_sightings.note is 'Written only by finders who scanned the tag.';
comment on column private.lost_dog_sightings.phone is
  'Phone number of a finder. Readable by the users who were owner or keepers when it was sent; deleted when the card ends, like answer.';
comment on column private.lost_dog_sightings.secret_hash is 'The SHA-256 of the secret with which the finder''s browser reads the answer.';
alter table private.lost_dog_sightings enable row level security;

create table private.lost_dog_reports (
  lost_id uuid not null references private.lost_dogs (id) on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (lost_id, reporter)
);
comment on table private.lost_dog_reports is 'One report per user and card.';
alter table private.lost_dog_reports enable row level security;

create table private.dog_tags (
  dog_id uuid primary key references public.dogs (id) on delete cascade,
  code text not null unique,
  created_at timestamptz not null default now()
);
comment on table private.dog_tags is 'The secret in the URL on a dog''s tag. The URL shows nothing unless the dog is lost.';
alter table private.dog_tags enable row level security;

-- A card's photo is a copy, because the URL of the dog's own photo contains its owner's ID.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('lost-dogs', 'lost-dogs', true, 5242880, '{image/webp,image/jpeg,image/png,image/avif}'),
  ('sightings', 'sightings', false, 5242880, '{image/webp,image/jpeg,image/png,image/avif}');

create index on private.lost_dogs (reporter);
create index on private.lost_dog_sightings (lost_id);
create index on private.lost_dog_sightings (user_id);
create index on private.lost_dog_reports (reporter);
create index lost_dog_reports_open on private.lost_dog_reports (created_at) where resolved_at is null;

create function private.remove_lost_photo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.move_photo(array[bucket], private.lost_photo(bucket, old.id), null) from unnest(tg_argv) bucket;
  return null;
end
$$;
create trigger remove_lost_photo after delete on private.lost_dogs
  for each row execute function private.remove_lost_photo('lost-dogs', 'pending-photos');
create trigger remove_lost_photo after delete on private.lost_dog_sightings
  for each row execute function private.remove_lost_photo('sightings');

create function private.lost_photo(p_bucket text, p_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  -- '0' is the character after '/', so the range contains all names in the folder.
  select min(o.name) from storage.objects o where o.bucket_id = p_bucket and o.name >= p_id || '/' and o.name < p_id || '0'
$$;
comment on function private.lost_photo is
  'The one photo of a card (bucket lost-dogs) or sighting (bucket sightings), in the folder of its ID.';

create view private.dog_owners_and_keepers as
  select d.id as dog_id, d.owner as user_id, '-infinity'::timestamptz as since from public.dogs d where d.deleted_at is null
  union all
  select p.dog_id, p.user_id, p.created_at from private.dog_carers p where p.role = 'keeper';
comment on view private.dog_owners_and_keepers is 'Owner and keepers of each dog, who report it lost or found and read its sightings.';

create function private.owner_and_keepers(p_dog_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select c.user_id from private.dog_owners_and_keepers c where c.dog_id = p_dog_id
$$;

create function private.may_care_for(p_dog_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.dog_owners_and_keepers c where c.dog_id = p_dog_id and c.user_id = private.uid())
$$;

create function private.coarse(p_degrees double precision) returns double precision
language sql immutable set search_path = '' as $$
  select round(p_degrees * 200) / 200
$$;
comment on function private.coarse is 'Rounds a latitude or longitude to about half a kilometre.';

create function private.is_lost(p_card private.lost_dogs) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_card.hidden_at is null and p_card.until > now() and exists (select private.owner_and_keepers(p_card.dog_id))
$$;

create function private.friends_of_card(p_card private.lost_dogs) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct case when f.user_low = a.id then f.user_high else f.user_low end
  from (select p_card.reporter as id union select d.owner from public.dogs d where d.id = p_card.dog_id) a
  join private.friendships f on f.status = 'accepted' and a.id in (f.user_low, f.user_high)
  except select private.owner_and_keepers(p_card.dog_id)
$$;
comment on function private.friends_of_card is 'The friends of the dog''s owner and of the reporter.';

create function private.sees_card(p_card private.lost_dogs) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_lost(p_card) and (private.may_care_for(p_card.dog_id)
    or ((p_card.by_local or p_card.approved_at is not null or private.uid() in (select private.friends_of_card(p_card)))
      and not exists (select from private.owner_and_keepers(p_card.dog_id) d where private.is_blocked_with(d))))
$$;
comment on function private.sees_card is 'Returns true if the caller, who may be logged out, may read the card of a lost dog.';

create function private.require_card(p_lost_id uuid) returns private.lost_dogs
language plpgsql stable security definer set search_path = '' as $$
declare
  card private.lost_dogs;
begin
  select * into card from private.lost_dogs l where l.id = p_lost_id;
  if card.id is null or not private.sees_card(card) then
    perform private.fail('not_lost', 'This dog is no longer lost.');
  end if;
  return card;
end
$$;

create function private.alert_radius() returns integer language sql immutable set search_path = '' as $$ select 3000 $$;
comment on function private.alert_radius is 'The distance in metres within which users are notified of a lost dog.';

create function private.parks_near(p_lat double precision, p_long double precision) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select p.id from public.parks p
  where p.status = 'approved' and p.lat between p_lat - 0.03 and p_lat + 0.03
    and private.metres_between(p.lat, p.long, p_lat, p_long) <= private.alert_radius()
$$;
comment on function private.parks_near is 'The parks within the radius, whose users are notified of a lost dog.';

create function private.is_local(p_user_id uuid, p_lat double precision, p_long double precision) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.parks_near(p_lat, p_long) n where (private.evidence_at(p_user_id, n)).trust_level = 'regular_there')
$$;

create function private.count_card_near(p_parks bigint[]) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if (
    select max(private.count_attempt(md5('park ' || n.id)::uuid, 'alert_near_park', interval '1 day'))
    from (select id from unnest(p_parks) id order by id) n
  ) > 3 then
    update private.rate_limits r set count = r.count - 1
    where r.operation = 'alert_near_park' and r.subject in (select md5('park ' || id)::uuid from unnest(p_parks) id);
    return false;
  end if;
  return true;
end
$$;
comment on function private.count_card_near is
  'Counts a card near each of these parks, and returns true, if each has room for it today. Otherwise it counts near none of them, because '
  'cards that are not shown must not use up the limits of other parks.';

create function private.may_alert_nearby(p_user_id uuid, p_lat double precision, p_long double precision) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_local(p_user_id, p_lat, p_long) or not private.within_limit(p_user_id, 'alert_nearby') then
    return false;
  elsif not private.count_card_near(array(select private.parks_near(p_lat, p_long))) then
    update private.rate_limits r set count = r.count - 1 where r.subject = p_user_id and r.operation = 'alert_nearby';
    return false;
  end if;
  return true;
end
$$;
comment on function private.may_alert_nearby is
  'Returns whether a card may be shown without an approval, and counts it: one per author and week, by a regular at a park nearby, and '
  'three per park and day. A card above the limit of a park does not use up its author''s.';

create function private.notify_of_card(p_card private.lost_dogs, p_receiver uuid) returns void
language sql volatile security definer set search_path = '' as $$
  -- The notification has no sender, because a card does not name the owner.
  select private.notify('lostDog', null, p_receiver,
    jsonb_build_object('lost_id', p_card.id, 'dog', p_card.name, 'until', p_card.until), p_card.reporter)
  where not exists (
      select from private.owner_and_keepers(p_card.dog_id) d where private.is_blocked_between(d, p_receiver))
    and not exists (
      select from public.notifications n
      where n.receiver_id = p_receiver and n.type = 'lostDog' and n.data ->> 'lost_id' = p_card.id::text)
$$;
comment on function private.notify_of_card is
  'Notifies a user of a lost dog, unless this user was already notified, or there is a block between the user and the dog''s owner or a '
  'keeper.';

create function private.notify_of_lost_dog(p_lost_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  card private.lost_dogs;
begin
  update private.lost_dogs l set notified_at = now()
  where l.id = p_lost_id and l.notified_at is null and (l.by_local or l.approved_at is not null) and private.is_lost(l)
  returning * into card;
  perform private.notify_of_card(card, receiver.user_id)
  from (
    with near as materialized (select id from private.parks_near(card.lat, card.long) id)
    select g.user_id from (
      select x.user_id from private.present x join near n on n.id = x.park_id
      union select f.user_id from public.favourite_parks f join near n on n.id = f.park_id
    ) g
    where g.user_id not in (select private.owner_and_keepers(card.dog_id))
    order by g.user_id
  ) receiver;
end
$$;
comment on function private.notify_of_lost_dog is
  'Notifies users who are at a park within the radius or have one among their favourites, except the dog''s owner and keepers.';

create function private.clear_finder_contacts(p_lost_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update private.lost_dog_sightings s set phone = null, answer = null, secret_hash = null
  from private.lost_dogs l
  where l.id = p_lost_id and not private.is_lost(l) and s.lost_id = l.id and s.secret_hash is not null
$$;
comment on function private.clear_finder_contacts is
  'Deletes the telephone numbers of finders, and the answers to finders, when a card has ended.';

create function private.notify_of_lost_dogs() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('notify-of-lost-dog', 20) loop
    perform private.notify_of_lost_dog((job.payload ->> 'lost_id')::uuid);
    perform private.clear_finder_contacts((job.payload ->> 'lost_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.notify_of_lost_dogs is
  'Runs the jobs notify-of-lost-dog. The host calls it immediately; on Supabase, pg_cron calls it each minute.';

create function private.queue_lost_dog_notifications(p_lost_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job('notify-of-lost-dog', p_lost_id::text, jsonb_build_object('lost_id', p_lost_id), p_lifetime => interval '3 hours')
$$;

create function private.withdraw_lost_dog_notifications(p_lost_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.notifications n where n.type = 'lostDog' and n.data ->> 'lost_id' = p_lost_id::text
$$;

create function private.notify_of_sighting(p_card private.lost_dogs, p_by uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify('dogSighting', null, d, jsonb_build_object('dog_id', p_card.dog_id, 'owner_id', d, 'dog', p_card.name), p_by)
  from (select d from private.owner_and_keepers(p_card.dog_id) d order by d) carers
$$;
comment on function private.notify_of_sighting is 'Notifies owner and keepers; p_by is null for a finder who scanned the tag.';

create function private.decide_lost_dog(p_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.lost_dog_reports x set resolved_at = now() where x.lost_id = p_id and x.resolved_at is null;
  update private.lost_dogs l set approved_at = case when p_approve then now() end, hidden_at = case when not p_approve then now() end
  where l.id = p_id and l.hidden_at is null;
  if not found then
    return false;
  elsif p_approve then
    perform private.queue_lost_dog_notifications(p_id);
  else
    perform private.withdraw_lost_dog_notifications(p_id);
    perform private.clear_finder_contacts(p_id);
    -- Everybody can read the files of the bucket lost-dogs by their URL.
    perform private.move_photo('{lost-dogs,pending-photos}', private.lost_photo('lost-dogs', p_id), 'pending-photos');
  end if;
  return true;
end
$$;
comment on function private.decide_lost_dog is
  'Shows a card to everybody, or hides it and its photo, withdraws its notifications and deletes the contacts of finders. Either way its '
  'open reports are resolved.';

create function private.limit_lost_photos() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  folder text := split_part(new.name, '/', 1);
begin
  -- The lock is needed because concurrent uploads would not find each other. For a card it is the lock of the desk, so that a
  -- moderator who approves it meanwhile has seen the photo.
  perform private.lock_items(case new.bucket_id when 'lost-dogs' then 'lost_dog' else new.bucket_id end, array[folder]);
  if private.lost_photo(new.bucket_id, private.to_uuid(folder)) <> new.name
    or exists (select from private.lost_dogs l where l.id = private.to_uuid(folder) and l.approved_at is not null) then
    raise exception using errcode = '42501', message = 'new row violates row-level security policy for table "objects"';
  end if;
  return new;
end
$$;
comment on function private.limit_lost_photos is
  'Allows one photo for each card and each sighting. The error is that of the policy, because another error would reveal that a '
  'sighting has a photo.';
create trigger limit_lost_photos before insert on storage.objects
  for each row when (new.bucket_id in ('lost-dogs', 'sightings')) execute function private.limit_lost_photos();

create function private.may_add_lost_photo(p_bucket text, p_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_photo_name(p_name) and not private.is_limited(private.uid()) and case p_bucket
    -- Photos can be added only before the approval, because the moderator must have seen them.
    when 'lost-dogs' then exists (
      select from private.lost_dogs l where l.id = f.id and l.approved_at is null and private.is_lost(l) and private.may_care_for(l.dog_id))
    else exists (select from private.lost_dog_sightings s where s.id = f.id and s.user_id = private.uid())
  end
  from private.to_uuid(split_part(p_name, '/', 1)) f (id)
$$;
comment on function private.may_add_lost_photo is
  'Allows photos of the cards of the caller''s dogs and of their sightings, unless posting is paused.';

create function private.sees_lost_photo(p_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
      select from private.lost_dog_sightings s join private.lost_dogs l on l.id = s.lost_id
      where s.id = f.id and (s.user_id = private.uid() or private.may_care_for(l.dog_id)))
    or exists (select from private.lost_dogs l where l.id = f.id and private.may_care_for(l.dog_id))
  from private.to_uuid(split_part(p_name, '/', 1)) f (id)
$$;

grant execute on function private.may_add_lost_photo(text, text), private.sees_lost_photo(text) to authenticated;

create policy "users add a photo to their card or sighting" on storage.objects for insert to authenticated
  with check (bucket_id in ('lost-dogs', 'sightings') and private.may_add_lost_photo(bucket_id, name));
create policy "photos of sightings are for the dog's owner and keepers and who saw it" on storage.objects for select to authenticated
  using (bucket_id in ('lost-dogs', 'sightings') 
    and (private.sees_lost_photo(name) or (bucket_id = 'lost-dogs' and (select private.is_moderator()))));

create function public.report_lost_dog(p_dog_id uuid, p_lat double precision default null, p_long double precision default null)
returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  card private.lost_dogs;
  near bigint[] := array(select private.parks_near(private.coarse(p_lat), private.coarse(p_long)));
begin
  if not private.may_care_for(p_dog_id) then
    perform private.fail('dog_not_found', 'There is no such dog.');
  elsif coalesce(abs(p_lat) > 90 or abs(p_long) > 180, false) or (p_lat is null) <> (p_long is null) then
    perform private.fail('invalid_input', 'Say where it was seen last.');
  end if;
  perform private.limit_action(me, 'report_lost_dog');
  -- A moderator who approves the card meanwhile has seen it at its place.
  perform private.lock_items('lost_dog', array(select l.id::text from private.lost_dogs l where l.dog_id = p_dog_id));
  delete from private.lost_dogs l where l.dog_id = p_dog_id and l.hidden_at is null and l.until < now() - interval '1 day';
  -- The moderator approved the card for another area, so it must be approved again.
  update private.lost_dogs l
  set approved_at = null, notified_at = null, queued_at = now(), reviewed_place = point(private.coarse(p_long), private.coarse(p_lat))
  where l.dog_id = p_dog_id and p_lat is not null
    and private.metres_between(l.reviewed_place[1], l.reviewed_place[0], p_lat, p_long) > private.alert_radius();
  update private.lost_dogs l set until = default,
    queued_at = case when l.by_local and p_lat is not null then now() else l.queued_at end,
    lat = coalesce(private.coarse(p_lat), l.lat), long = coalesce(private.coarse(p_long), l.long),
    by_local = l.by_local and (p_lat is null or private.is_local(me, private.coarse(p_lat), private.coarse(p_long))
      and private.count_card_near(array(select id from unnest(near) id where id <> all (l.counted_near)))),
    counted_near = l.counted_near || array(select id from unnest(near) id where id <> all (l.counted_near))
  where l.dog_id = p_dog_id returning * into card;
  if card.id is null and p_lat is null then
    perform private.fail('invalid_input', 'Say where it was seen last.');
  elsif card.id is null then
    insert into private.lost_dogs (dog_id, reporter, name, lat, long, reviewed_place, by_local, counted_near)
    select d.id, me, coalesce(nullif(btrim(regexp_replace(d.name, '[0-9\u0660-\u0669\u06f0-\u06f9]', '', 'g')), ''), '?'),
      private.coarse(p_lat), private.coarse(p_long), point(private.coarse(p_long), private.coarse(p_lat)),
      not private.has_link(d.name) and private.may_alert_nearby(me, private.coarse(p_lat), private.coarse(p_long)),
      near
    from public.dogs d where d.id = p_dog_id
    on conflict (dog_id) do update set until = excluded.until
    returning * into card;
    perform private.notify_of_card(card, known.id)
    from (
      select id from private.owner_and_keepers(p_dog_id) id where id <> me union select private.friends_of_card(card) order by 1
    ) known;
    if card.by_local then
      perform private.queue_lost_dog_notifications(card.id);
    end if;
  elsif card.hidden_at is not null then
    perform private.fail('card_hidden', 'A moderator took this card down.');
  end if;
  -- The job runs when the card ends. It is postponed when the card is extended.
  perform private.add_job('notify-of-lost-dog', card.id || ' end', jsonb_build_object('lost_id', card.id), p_due_at => card.until);
  return card.id;
end
$$;
comment on function public.report_lost_dog is
  'Creates or extends the card of one of the caller''s dogs for 24 hours, with another location if one is given. A new card notifies '
  'friends and keepers immediately, and users nearby if it is by_local or once a moderator approved it. Moving it beyond the radius '
  'clears the approval. Safe to repeat. A copy of its photo is then uploaded as {card}/{name} in the bucket lost-dogs.';

create function public.found_dog(p_dog_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  card private.lost_dogs;
begin
  perform private.require_user();
  -- A concurrent second call waits for this lock and then finds no card.
  select * into card from private.lost_dogs l
  where l.dog_id = p_dog_id and private.may_care_for(l.dog_id) and l.hidden_at is null for update;
  perform private.notify('dogFound', null, h.user_id, jsonb_build_object('dog', card.name), card.reporter)
  from (
    select distinct s.user_id from private.lost_dog_sightings s where s.lost_id = card.id and s.user_id is not null order by s.user_id
  ) h
  where not exists (select from private.owner_and_keepers(p_dog_id) d where private.is_blocked_between(d, h.user_id));
  perform private.withdraw_lost_dog_notifications(card.id);
  delete from private.lost_dogs l where l.id = card.id;
  return card.id is not null;
end
$$;
comment on function public.found_dog is
  'Deletes the card and notifies the users who reported sightings; false if the dog has no card.';

create function public.lost_dogs() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'photo', private.lost_photo('lost-dogs', c.id), 'lat', c.lat,
    'long', c.long, 'lost_at', private.quarter_hour(c.lost_at), 'until', private.quarter_hour(c.until), 'mine', c.mine)
    order by c.lost_at desc, c.id), '[]')
  from (
    select l.*, private.may_care_for(l.dog_id) as mine from private.lost_dogs l where private.sees_card(l)
    order by l.lost_at desc limit 200
  ) c
$$;
comment on function public.lost_dogs is
  'The cards of lost dogs everywhere, newest first: [{id, name, photo: in the bucket lost-dogs, lat, long, lost_at, until, mine}]. The '
  'caller''s location is not needed.';

create function public.my_lost_dog(p_dog_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', l.id, 'until', l.until, 'lat', l.lat, 'long', l.long, 'lost', private.is_lost(l),
    'shown', l.by_local or l.approved_at is not null, 'hidden', l.hidden_at is not null, 'sightings', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.created_at, 'lat', s.lat, 'long', s.long, 'note', s.note,
        'photo', private.lost_photo('sightings', s.id), 'answer', s.answer,
        'answerable', s.secret_hash is not null and s.answer is null and private.is_lost(l),
        'phone', case when private.is_lost(l) and exists (
          select from private.dog_owners_and_keepers c where c.dog_id = l.dog_id and c.user_id = private.uid() and c.since <= s.created_at)
          then s.phone end)
        order by s.created_at desc, s.id), '[]')
      from private.lost_dog_sightings s where s.lost_id = l.id))
  from private.lost_dogs l where l.dog_id = p_dog_id and private.may_care_for(l.dog_id)
$$;
comment on function public.my_lost_dog is
  'The card of one of the caller''s dogs with its sightings: {id, until, lat, long, lost, shown: to others, hidden: by a moderator, '
  'sightings: [{id, at, lat, long, note, photo: in the bucket sightings, phone, answer, answerable}]}; null if there is none.';

create function public.report_sighting(p_id uuid, p_lost_id uuid, p_lat double precision, p_long double precision) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  card private.lost_dogs;
begin
  -- If the sighting is already stored, the client repeats the request because it got no response.
  if exists (select from private.lost_dog_sightings s where s.id = p_id and s.user_id = me) then
    return;
  end if;
  card := private.require_card(p_lost_id);
  perform private.limit_action(me, 'report_sighting', array(select private.owner_and_keepers(card.dog_id)));
  if p_id is null or p_lat is null or p_long is null or abs(p_lat) > 90 or abs(p_long) > 180
    or exists (select from private.lost_dog_sightings s where s.id = p_id) then
    perform private.fail('invalid_input', 'Say where you saw it.');
  end if;
  insert into private.lost_dog_sightings (id, lost_id, user_id, lat, long) values (p_id, card.id, me, p_lat, p_long);
  perform private.notify_of_sighting(card, me);
end
$$;
comment on function public.report_sighting is
  'Reports where the caller saw a lost dog, to its owner and keepers only and without the caller''s name. p_id is a new ID; repeating it changes '
  'nothing. A photo is then uploaded as {p_id}/{name} in the bucket sightings.';

create function public.report_lost_card(p_lost_id uuid, p_reason public.report_reason) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  perform private.require_card(p_lost_id);
  insert into private.lost_dog_reports (lost_id, reporter, reason) values (p_lost_id, me, p_reason) on conflict do nothing;
end
$$;

create function public.dog_tag(p_dog_id uuid, p_replace boolean default false) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not private.may_care_for(p_dog_id) then
    perform private.fail('dog_not_found', 'There is no such dog.');
  end if;
  perform private.limit_rate('dog_tag', 100, '1 day');
  insert into private.dog_tags as t (dog_id, code) values (p_dog_id, replace(gen_random_uuid()::text, '-', ''))
  on conflict (dog_id) do update set code = case when p_replace then excluded.code else t.code end;
  return (select t.code from private.dog_tags t where t.dog_id = p_dog_id);
end
$$;
comment on function public.dog_tag is
  'The code in the URL on a dog''s tag, 32 hexadecimal digits. p_replace makes a new one, and the earlier URL stops working.';

create function private.card_of_tag(p_code text) returns private.lost_dogs
language sql stable security definer set search_path = '' as $$
  select l.* from private.dog_tags t join private.lost_dogs l on l.dog_id = t.dog_id
  where t.code = p_code and private.is_lost(l)
    and not exists (select from private.owner_and_keepers(l.dog_id) d where private.is_blocked_with(d))
$$;
comment on function private.card_of_tag is
  'The card for a tag''s code; null if the tag does not exist, the dog is not lost, or there is a block between the users.';

create function public.tag_card(p_code text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_ip_address('tag_card', 120, '1 hour');
  return (select jsonb_build_object('name', c.name, 'photo', private.lost_photo('lost-dogs', c.id))
    from private.card_of_tag(p_code) c where c.id is not null);
end
$$;
comment on function public.tag_card is '{name, photo} while the dog of a tag is lost; null for any other code.';

create function public.send_from_tag(
  p_code text, p_note text, p_lat double precision default null, p_long double precision default null, p_phone text default null,
  p_secret text default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  note text := nullif(btrim(private.clean_text(p_note)), '');
  phone text := nullif(btrim(translate(p_phone, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789')), '');
  hash bytea := sha256(convert_to(p_secret, 'utf8'));
  card private.lost_dogs;
begin
  -- Limits and input are checked before the tag is looked up, so that errors do not reveal whether the tag exists.
  perform private.limit_ip_address('send_from_tag', 10, '1 hour');
  if char_length(note) > 300 or (p_lat is null) <> (p_long is null) or num_nonnulls(note, p_lat, phone) = 0
    or coalesce(abs(p_lat) > 90 or abs(p_long) > 180, false) or char_length(p_secret) <> 36 or (phone is not null and hash is null) then
    perform private.fail('invalid_input', 'Write up to 300 characters, or say where the dog is.');
  elsif private.has_contact(note) then
    perform private.fail('no_links', 'Write without links, addresses and telephone numbers.');
  -- A check constraint would write the number to the log in its error, so the number is checked here.
  elsif phone !~ '^[+]?[0-9][0-9 ()./-]{5,28}$' or char_length(regexp_replace(phone, '[^0-9]', '', 'g')) not between 7 and 15 then
    perform private.fail('invalid_phone', 'Enter a telephone number.');
  end if;
  card := private.card_of_tag(p_code);
  if card.id is null then
    return false;
  end if;
  -- If the message is already stored, the client repeats the request because it got no response.
  if exists (select from private.lost_dog_sightings s where s.secret_hash = hash) then
    return true;
  end if;
  -- Messages are counted for each card, so messages from before the dog was lost do not prevent a finder from sending one.
  perform private.limit_subject(card.id, 'send_from_tag', 100, '1 day');
  insert into private.lost_dog_sightings (lost_id, lat, long, note, phone, secret_hash)
  values (card.id, p_lat, p_long, note, phone, hash);
  perform private.notify_of_sighting(card);
  return true;
end
$$;
comment on function public.send_from_tag is
  'Sends a message from a finder who scanned the tag to the dog''s owner and keepers; false if the dog is not lost or the tag does not '
  'exist. p_secret is a new UUID, which the finder''s browser keeps to read the answer; repeating it changes nothing.';

create function public.tag_answer(p_code text, p_secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_ip_address('tag_answer', 240, '1 hour');
  return (select jsonb_build_object('answer', s.answer) from private.card_of_tag(p_code) c
    join private.lost_dog_sightings s on s.lost_id = c.id where s.secret_hash = sha256(convert_to(p_secret, 'utf8')));
end
$$;
comment on function public.tag_answer is
  '{answer} of the dog''s owner and keepers to the message that was sent with this secret, null inside until there is one; null once the card has '
  'ended, and for any other secret.';

create function public.answer_finder(p_sighting_id uuid, p_answer text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  said text := nullif(btrim(private.clean_text(p_answer)), '');
begin
  perform private.require_consent();
  perform private.limit_rate('answer_finder', 50, '1 day');
  if said is null or char_length(said) > 300 then
    perform private.fail('invalid_input', 'Write up to 300 characters.');
  end if;
  update private.lost_dog_sightings s set answer = said
  from private.lost_dogs l
  where s.id = p_sighting_id and l.id = s.lost_id and private.is_lost(l) and private.may_care_for(l.dog_id)
    and s.secret_hash is not null and s.answer is null;
  if not found then
    perform private.fail('already_answered', 'This was answered, or its card has ended.');
  end if;
end
$$;
comment on function public.answer_finder is 'The one answer of a dog''s owner or keeper to a finder, which only the finder''s browser can read.';

grant execute on function
  public.lost_dogs(),
  public.tag_card(text),
  public.send_from_tag(text, text, double precision, double precision, text, text),
  public.tag_answer(text, text)
to anon, authenticated;

grant execute on function
  public.report_lost_dog(uuid, double precision, double precision),
  public.found_dog(uuid),
  public.my_lost_dog(uuid),
  public.report_sighting(uuid, uuid, double precision, double precision),
  public.report_lost_card(uuid, public.report_reason),
  public.answer_finder(uuid, text),
  public.dog_tag(uuid, boolean)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('cards of lost dogs: a day after they ended, 30 days after a moderator took them down', 50, $$delete from private.lost_dogs l
    where l.until < now() - interval '1 day' and coalesce(l.hidden_at < now() - interval '30 days', true)$$);

insert into private.exports (relation, part, statement) values
  ('private.lost_dogs', 'lost_dogs',
    $$select l.lost_at, l.id::text, private.pick(to_jsonb(l), 'name', 'lat', 'long', 'lost_at', 'until', 'hidden_at')
      || jsonb_build_object('sightings', (
        select coalesce(jsonb_agg(private.pick(to_jsonb(s), 'lat', 'long', 'note', 'created_at') order by s.created_at, s.id), '[]')
        from private.lost_dog_sightings s where s.lost_id = l.id))
    from private.lost_dogs l where l.dog_id in (select c.dog_id from private.dog_owners_and_keepers c where c.user_id = $1)$$),
  ('private.lost_dog_sightings', 'sightings',
    $$select s.created_at, s.id::text, private.pick(to_jsonb(s), 'lat', 'long', 'created_at') || jsonb_build_object('dog', l.name)
    from private.lost_dog_sightings s join private.lost_dogs l on l.id = s.lost_id where s.user_id = $1$$),
  ('private.lost_dog_reports', 'reported_lost_dogs',
    $$select x.created_at, x.lost_id::text, private.pick(to_jsonb(x), 'reason', 'created_at', 'resolved_at')
      || jsonb_build_object('dog', l.name)
    from private.lost_dog_reports x join private.lost_dogs l on l.id = x.lost_id where x.reporter = $1$$),
  ('private.dog_tags', 'dog_tags',
    $$select t.created_at, t.dog_id::text, jsonb_build_object('dog', d.name, 'code', t.code, 'created_at', t.created_at)
    from private.dog_tags t join public.dogs d on d.id = t.dog_id
    where t.dog_id in (select c.dog_id from private.dog_owners_and_keepers c where c.user_id = $1)$$);
