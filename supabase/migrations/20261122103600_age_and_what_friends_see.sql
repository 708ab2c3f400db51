-- The age is confirmed before anything that others see; friends may show each other their friends and favourites; and
-- everybody sees what became of their own contributions, and how big and lively the dogs at a park are.

alter table public.users
  add column show_friends boolean not null default false,
  add column show_favourites boolean not null default false;
comment on column public.users.show_friends is 'Friends see who this user''s friends are.';
comment on column public.users.show_favourites is 'Friends see this user''s favourite parks.';
grant update (show_friends, show_favourites) on public.users to authenticated;
comment on table public.favourite_parks is 'Favourite parks; friends see another''s through favourites_of, where that one chose so.';

create function private.require_age() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  -- Whoever signs up with an email says it there; Google and Apple do not ask for us.
  if not exists (select from private.user_consents c where c.user_id = me and c.age_confirmed_at is not null) then
    perform private.fail('age_required', 'Confirm that you are old enough first.');
  end if;
  return me;
end
$$;
comment on function private.require_age is 'The caller''s id, before anything that others see of them; refuses before the age is confirmed.';

create or replace function private.require_consent() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  given private.user_consents;
begin
  select c.* into given from private.user_consents c where c.user_id = private.require_user();
  if given.terms_accepted_at is null then
    perform private.fail('terms_required', 'Accept the terms of use before the first post.');
  end if;
  return private.require_age();
end
$$;
comment on function private.require_consent is 'The caller''s id; refuses before the terms are accepted and the age is confirmed.';

create function public.friends_of(p_user_id uuid) returns table (user_id uuid, name text, picture text)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.name, u.picture
  from (
    select f.user_high as id from private.friendships f where f.user_low = p_user_id and f.status = 'accepted'
    union all
    select f.user_low from private.friendships f where f.user_high = p_user_id and f.status = 'accepted'
  ) theirs
  join public.users u on u.id = theirs.id
  where private.is_friend(p_user_id)
    and exists (select from public.users o where o.id = p_user_id and o.show_friends)
    and u.id <> private.uid()
    and (not u.hidden or u.id in (select private.known_ids()))
    and u.id not in (select private.blocked_ids())
  order by u.name, u.id
$$;
comment on function public.friends_of is 'The friends of a friend who shows them, without those whom the caller may not see; else none.';

create or replace function public.send_friend_request(p_user_id uuid, p_key uuid default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'send_friend_request');
  low uuid := least(me, p_user_id);
  high uuid := greatest(me, p_user_id);
  found_row private.friendships;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  if p_user_id is null or p_user_id = me then
    perform private.fail('invalid_input', 'A request goes to somebody else.');
  end if;
  if p_user_id in (select private.listed_block_ids()) then
    perform private.fail('blocked', 'Unblock this user first.');
  end if;
  perform private.lock_pair(p_user_id);
  select f.* into found_row from private.friendships f where f.user_low = low and f.user_high = high;
  if found_row.status = 'accepted' then
    null; -- Nothing to do: friends already.
  elsif found_row.requester = p_user_id then
    -- Both want it, even when the caller once declined.
    update private.friendships f set status = 'accepted', accepted_at = now() where f.user_low = low and f.user_high = high;
    delete from private.declined_requests d where d.requester = p_user_id and d.receiver = me;
  elsif found_row.requester = me and private.may_see(p_user_id) then
    null; -- Asked already.
  else
    -- Also where a request is pending with somebody who hid since: if repeating it cost nothing, the caller could tell
    -- somebody who hides from somebody who left.
    perform private.limit_action(me, 'send_friend_request', array[p_user_id]);
    -- Somebody who blocked or hides, and somebody who does not exist, all look like success: the caller cannot tell them apart.
    if private.may_see(p_user_id) then
      insert into private.friendships (user_low, user_high, requester, status)
      values (low, high, me, case when exists (
        select from private.declined_requests d
        where d.requester = me and d.receiver = p_user_id and d.declined_at > now() - interval '30 days'
      ) then 'declined'::private.friendship_status else 'pending' end)
      on conflict do nothing;
    end if;
  end if;
  result := to_jsonb(private.friendship_state(p_user_id));
  if result = to_jsonb('none'::text) then
    result := to_jsonb('outgoing'::text);
  end if;
  return private.store_idempotent_result(p_key, result) #>> '{}';
end
$$;

create function public.favourites_of(p_user_id uuid) returns setof bigint
language sql stable security definer set search_path = '' rows 20
as $$
  select f.park_id
  from public.favourite_parks f
  join public.parks p on p.id = f.park_id and p.status = 'approved'
  where f.user_id = p_user_id and private.is_friend(p_user_id)
    and exists (select from public.users o where o.id = p_user_id and o.show_favourites)
  order by f.created_at desc, f.park_id
$$;
comment on function public.favourites_of is 'The favourite parks of a friend who shows them, newest first; else none.';

create or replace function public.check_in(
  p_park_id bigint,
  p_dog_ids uuid[] default '{}',
  p_dog_count integer default null,
  p_stay_minutes integer default 60,
  p_switch boolean default false,
  p_key uuid default null,
  p_lat double precision default null,
  p_long double precision default null,
  p_accuracy double precision default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'check_in');
  dogs uuid[] := array(select distinct d from unnest(p_dog_ids) d where d is not null);
  dog_count integer := coalesce(nullif(cardinality(dogs), 0), p_dog_count, 1);
  -- The place is compared here, and gone with this call.
  far boolean := private.is_far(p_park_id, p_lat, p_long, p_accuracy);
  counted boolean;
  present public.check_ins;
  made public.check_ins;
  moment timestamptz;
begin
  if result is not null then
    return result;
  end if;
  if dog_count not between 0 and private.most_dogs() or p_stay_minutes is null or p_stay_minutes not between 1 and 240 then
    perform private.fail('invalid_input', format('At most %s dogs, and a stay of 1 to 240 minutes.', private.most_dogs()));
  end if;
  if cardinality(dogs) = 0 then
    dog_count := least(dog_count, private.most_unnamed_dogs());
  end if;
  -- One check-in of a user at a time: two at once would both see no open one.
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  -- Not now(): that is when the transaction began, before it waited for the lock.
  moment := clock_timestamp();
  select * into present from public.check_ins c where c.user_id = me and c.ended_at is null;
  if present.planned then
    -- A plan holds until the next check-in, wherever that is.
    delete from public.check_ins c where c.id = present.id;
    present := null;
  elsif present.expires_at > moment then
    if present.park_id = p_park_id then
      return private.store_idempotent_result(p_key, jsonb_build_object('status', 'already_here', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at, 'counted', present.counted, 'elsewhere', null));
    end if;
    if not coalesce(p_switch, false) then
      -- Nothing happened: the same key is used again once the user said whether to switch.
      delete from private.idempotency_keys k where k.user_id = me and k.key = p_key;
      return jsonb_build_object('status', 'elsewhere', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at,
        'elsewhere', jsonb_build_object('park_id', present.park_id, 'name', private.park_name(present.park_id, private.my_language())));
    end if;
  end if;
  perform private.limit_action(me, 'check_in');
  if present.id is not null then
    update public.check_ins c set ended_at = least(c.expires_at, moment) where c.id = present.id;
  end if;
  counted := case
    when far then false
    when far is null and not private.within_limit(me, 'check_in_without_place') then false
    else private.is_regular(me) or private.newcomers_fit(p_park_id, dog_count)
  end;
  insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, planned, counted)
  select me, p.id, dog_count, moment, moment + make_interval(mins => p_stay_minutes), coalesce(far, false), counted
  from public.parks p where p.id = p_park_id and p.status = 'approved'
  returning * into made;
  if made.id is null then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  if cardinality(dogs) > 0 then
    insert into public.check_in_dogs (check_in_id, dog_id)
    select made.id, d.id from public.dogs d where d.id = any (dogs) and d.owner = me and d.deleted_at is null;
    get diagnostics dog_count = row_count;
    if dog_count <> cardinality(dogs) then
      perform private.fail('invalid_input', 'Only your own dogs come along.');
    end if;
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when made.planned then 'planned' else 'checked_in' end, 'check_in_id', made.id,
    'park_id', made.park_id, 'expires_at', made.expires_at, 'counted', made.counted, 'elsewhere', null));
end
$$;
comment on function public.check_in is 'The status is checked_in, already_here, elsewhere (nothing happened: ask whether to switch), or planned where the place that the device gave is far from the park; see private.is_far. counted: whether the park''s numbers have it.';

create or replace function public.invite_to_park(p_park_id bigint, p_friend_ids uuid[], p_meet_at timestamptz, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'invite_to_park');
begin
  if result is not null then
    return result;
  end if;
  perform private.require_park(p_park_id);
  if coalesce(cardinality(p_friend_ids), 0) not between 1 and 50
    or p_meet_at is null or p_meet_at not between now() - interval '15 minutes' and now() + interval '30 days' then
    perform private.fail('invalid_input', 'Invite 1 to 50 friends, for a time within the next 30 days.');
  end if;
  -- An unfriending or a block under way comes first. All lock pairs in one order, so that no two wait for each other.
  perform private.lock_pair(asked.friend)
  from (select distinct f as friend from unnest(p_friend_ids) f where f is not null order by f) asked;
  perform private.limit_action(me, 'invite_to_park', array(select f from private.friend_ids() f where f = any (p_friend_ids)));
  with made as (
    insert into public.park_invites (park_id, sender_id, receiver_id, meet_at)
    select p_park_id, me, f, p_meet_at from private.friend_ids() f where f = any (p_friend_ids)
    on conflict do nothing
    returning id
  )
  select coalesce(jsonb_agg(id), '[]') into result from made;
  return private.store_idempotent_result(p_key, result);
end
$$;
comment on function public.invite_to_park is 'The ids of the new invites; whoever is no friend is left out.';

create or replace function public.user_page(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'name', u.name, 'picture', u.picture, 'hidden', u.hidden and u.id = private.uid(),
    'friendship', private.friendship_state(u.id), 'dogs', private.dogs_of(u.id),
    'shows_friends', u.show_friends and private.is_friend(u.id), 'shows_favourites', u.show_favourites and private.is_friend(u.id))
  from public.users u
  where u.id = p_user_id and private.uid() is not null and private.may_see(u.id)
$$;
comment on function public.user_page is 'A user''s page with dogs; null for callers who may not see it, as where there is no such user.';

create function public.my_contributions() returns table (
  kind text, id text, park_id bigint, park_name text, status public.park_status, created_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select c.kind, c.id, c.park_id, private.park_name(c.park_id, private.my_language()), c.status, c.created_at
  from (
    select 'park' as kind, p.id::text, p.id as park_id, p.status, p.created_at
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
comment on function public.my_contributions is 'The parks, suggestions and photos that the caller added, with what moderators decided; what waits first, then newest first, at most 100.';

create function public.park_company(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  -- Of fewer than three people it would describe a person's dogs to everybody.
  with there as (
    select c.id from public.check_ins c
    join public.parks p on p.id = c.park_id and p.status = 'approved'
    where c.park_id = p_park_id and c.ended_at is null and c.counted and c.dog_count > 0 and c.expires_at > now()
  ), dogs as (
    select d.size, d.energy from there t
    join public.check_in_dogs x on x.check_in_id = t.id join public.dogs d on d.id = x.dog_id and d.deleted_at is null
  )
  select case when (select count(*) from there) >= 3 then jsonb_build_object(
    'sizes', (select coalesce(jsonb_object_agg(n.size, n.many), '{}') from (
      select d.size, count(*) as many from dogs d where d.size is not null group by d.size) n),
    'energies', (select coalesce(jsonb_object_agg(n.energy, n.many), '{}') from (
      select d.energy, count(*) as many from dogs d where d.energy is not null group by d.energy) n)) end
$$;
comment on function public.park_company is 'How big and how lively the dogs at a park are, as numbers of dogs: {sizes, energies}; null while fewer than three people with dogs are there.';

grant execute on function public.park_company(bigint) to anon, authenticated;
grant execute on function public.friends_of(uuid), public.favourites_of(uuid), public.my_contributions() to authenticated;
