-- Friendships, and the rules for which users see which others.

create type private.friendship_status as enum ('pending', 'accepted', 'declined');

create table private.friendships (
  user_low uuid not null references public.users (id) on delete cascade,
  user_high uuid not null references public.users (id) on delete cascade,
  requester uuid not null,
  status private.friendship_status not null default 'pending',
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  primary key (user_low, user_high),
  check (user_low < user_high),
  check (requester in (user_low, user_high))
);
comment on table private.friendships is
  'One row per unordered pair of users. The sender of a declined request still sees it as pending; the receiver no longer sees it.';
alter table private.friendships enable row level security;

create table private.declined_requests (
  requester uuid not null references public.users (id) on delete cascade,
  receiver uuid not null references public.users (id) on delete cascade,
  declined_at timestamptz not null default now(),
  primary key (requester, receiver)
);
comment on table private.declined_requests is
  'Declined requests. A new request by the same user within 30 days is declined automatically, and its receiver is not notified.';
alter table private.declined_requests enable row level security;

create index on private.friendships (user_high);
create index on private.declined_requests (receiver);

create function private.end_friendship_on_block() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.friendships f
  where f.user_low = least(new.blocker, new.blocked) and f.user_high = greatest(new.blocker, new.blocked);
  return null;
end
$$;
create trigger end_friendship_on_block after insert on public.blocks for each row execute function private.end_friendship_on_block();

create function private.friend_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 50 as $$
  with me as materialized (select private.uid() as id)
  select f.user_high from me join private.friendships f on f.user_low = me.id and f.status = 'accepted'
  union all
  select f.user_low from me join private.friendships f on f.user_high = me.id and f.status = 'accepted'
$$;
comment on function private.friend_ids is 'The caller''s friends.';

create function private.visible_friend_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 50 as $$
  select f.id from private.friend_ids() f (id) join public.users u on u.id = f.id and not u.hidden
$$;
comment on function private.visible_friend_ids is
  'The friends whom the caller may see by name at parks, at meetings and in photos of visits: those who are not hidden.';

create function private.known_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 50 as $$
  with me as materialized (select private.uid() as id)
  select f.user_high from me join private.friendships f
    on f.user_low = me.id and (f.status = 'accepted' or (f.status = 'pending' and f.requester = f.user_high))
  union all
  select f.user_low from me join private.friendships f
    on f.user_high = me.id and (f.status = 'accepted' or (f.status = 'pending' and f.requester = f.user_low))
$$;
comment on function private.known_ids is
  'The caller''s friends and the users who sent the caller a request. The caller sees them even if they are hidden.';

create function private.is_friend(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select exists (
    select from me join private.friendships f
      on f.user_low = least(p_user_id, me.id) and f.user_high = greatest(p_user_id, me.id) and f.status = 'accepted'
  )
$$;

create function private.may_see(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select exists (
    select from me join public.users u on u.id = p_user_id
    where u.id = me.id or (((not u.hidden and private.is_shown(u.id)) or u.id in (select private.known_ids()))
      and not private.is_blocked_with(u.id))
  )
$$;
comment on function private.may_see is 'Returns true if the caller may see this user''s page. The policy on users has the same rule.';

-- Serialises calls that concern the same two users.
create function private.lock_pair(p_user_id uuid) returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended('pair:' || least(p_user_id, auth.uid()) || greatest(p_user_id, auth.uid()), 0))
$$;

-- If the receiver of a request has hidden since, the request looks deleted everywhere, as if the receiver had blocked the caller or
-- deleted the account.
create function private.friendship_state(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select case when p_user_id = me.id then 'self' else coalesce((
    select case
      when f.status = 'accepted' then 'friends'
      when f.requester = me.id then case when private.may_see(p_user_id) then 'outgoing' end
      when f.status = 'pending' then 'incoming'
    end
    from private.friendships f
    where f.user_low = least(p_user_id, me.id) and f.user_high = greatest(p_user_id, me.id)
  ), 'none') end
  from me
$$;

grant execute on function private.friend_ids() to authenticated;

grant execute on function private.known_ids() to anon, authenticated;

create policy "users see themselves, everybody not hidden, and whom they know" on public.users for select to authenticated
  using (
    id = (select auth.uid())
    or (
      ((not hidden and private.is_shown(id)) or id in (select private.known_ids()))
      and id not in (select private.blocked_ids())
    )
  );

create view public.friends with (security_barrier) as
  select u.id as user_id, u.name, f.accepted_at as since, u.picture
  from private.friendships f
  join public.users u on u.id = case when f.user_low = (select private.uid()) then f.user_high else f.user_low end
  where (select private.uid()) in (f.user_low, f.user_high) and f.status = 'accepted';
comment on view public.friends is 'The caller''s friends.';
comment on column public.friends.user_id is 'never null';
comment on column public.friends.name is 'never null';
comment on column public.friends.since is 'never null';

create view public.friend_requests with (security_barrier) as
  select u.id as user_id, u.name,
    case when f.requester = (select private.uid()) then 'outgoing' else 'incoming' end as direction,
    f.created_at, u.picture
  from private.friendships f
  join public.users u on u.id = case when f.user_low = (select private.uid()) then f.user_high else f.user_low end
  where (select private.uid()) in (f.user_low, f.user_high)
    and (f.status = 'pending' or (f.status = 'declined' and f.requester = (select private.uid())))
    and (not u.hidden or f.requester = u.id);
comment on view public.friend_requests is 'Requests to and from the caller; a declined one still counts as outgoing.';
comment on column public.friend_requests.user_id is 'never null';
comment on column public.friend_requests.name is 'never null';
comment on column public.friend_requests.direction is 'incoming or outgoing; never null';
comment on column public.friend_requests.created_at is 'never null';

grant select on public.friends, public.friend_requests to authenticated;

create function public.friends_of(p_user_id uuid) returns table (user_id uuid, name text, picture text)
language sql stable security definer set search_path = '' as $$
  select u.id, u.name, u.picture
  from (
    select f.user_high as id from private.friendships f where f.user_low = p_user_id and f.status = 'accepted'
    union all
    select f.user_low from private.friendships f where f.user_high = p_user_id and f.status = 'accepted'
  ) theirs
  join public.users u on u.id = theirs.id
  where private.is_friend(p_user_id)
    and exists (select from public.users o where o.id = p_user_id and o.show_friends)
    and u.id <> (select private.uid())
    -- The same rule as in private.may_see. Calling that function for each friend took three times as long.
    and ((not u.hidden and private.is_shown(u.id)) or u.id in (select private.known_ids()))
    and u.id not in (select private.blocked_ids())
  order by u.name, u.id
$$;
comment on function public.friends_of is
  'The friends of a friend who shows them, without users whom the caller may not see; none for other users.';

create function private.request_friendship(p_user_id uuid, p_is_invited boolean default false) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.uid();
  low uuid := least(me, p_user_id);
  high uuid := greatest(me, p_user_id);
  found_row private.friendships;
begin
  perform private.lock_pair(p_user_id);
  select f.* into found_row from private.friendships f where f.user_low = low and f.user_high = high;
  if found_row.status = 'accepted' then
    null; -- The users are already friends.
  elsif found_row.requester = p_user_id then
    -- If the other user has also sent a request, both become friends, even if the caller declined that request earlier.
    update private.friendships f set status = 'accepted', accepted_at = now() where f.user_low = low and f.user_high = high;
    delete from private.declined_requests d where d.requester = p_user_id and d.receiver = me;
  elsif found_row.requester = me
    and ((p_is_invited and found_row.status = 'pending') or (not p_is_invited and private.may_see(p_user_id))) then
    null; -- The caller has already sent a request.
  else
    -- Requests to users who have hidden since are counted too. Otherwise the caller could distinguish a hidden user from a deleted
    -- one.
    perform private.limit_action(me, 'send_friend_request', array[p_user_id]);
    if p_is_invited then
      delete from private.declined_requests d where d.requester = me and d.receiver = p_user_id;
      delete from private.friendships f where f.user_low = low and f.user_high = high;
    end if;
    -- The result is the same if the user blocked the caller, is hidden or does not exist, so that the caller cannot distinguish
    -- these cases.
    if p_is_invited or private.may_see(p_user_id) then
      insert into private.friendships (user_low, user_high, requester, status)
      values (low, high, me, case when exists (
        select from private.declined_requests d
        where d.requester = me and d.receiver = p_user_id and d.declined_at > now() - interval '30 days'
      ) then 'declined'::private.friendship_status else 'pending' end)
      on conflict do nothing;
    end if;
  end if;
  return case when found_row.status = 'accepted' or found_row.requester = p_user_id then 'friends' else 'outgoing' end;
end
$$;
comment on function private.request_friendship is
  'Sends the caller''s request, or accepts the other user''s. p_is_invited: the other user asked for it with a code, so it also reaches a '
  'hidden user, and one who declined an earlier request.';

create function public.send_friend_request(p_user_id uuid, p_key uuid default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'send_friend_request');
begin
  if result is not null then
    return result #>> '{}';
  end if;
  if p_user_id is null or p_user_id = me then
    perform private.fail('invalid_input', 'A friend request needs another user as receiver.');
  end if;
  if p_user_id in (select private.listed_block_ids()) then
    perform private.fail('blocked', 'Unblock this user first.');
  end if;
  return private.store_idempotent_result(p_key, to_jsonb(private.request_friendship(p_user_id))) #>> '{}';
end
$$;

create function public.cancel_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  delete from private.friendships f
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id) and f.requester = me and f.status <> 'accepted';
  return private.friendship_state(p_user_id);
end
$$;

create function public.accept_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
begin
  perform private.lock_pair(p_user_id);
  update private.friendships f set status = 'accepted', accepted_at = now()
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id)
    and f.requester = p_user_id and p_user_id <> me and f.status = 'pending';
  return private.friendship_state(p_user_id);
end
$$;

create function public.decline_friend_request(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  update private.friendships f set status = 'declined'
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id)
    and f.requester = p_user_id and p_user_id <> me and f.status = 'pending';
  if found then
    insert into private.declined_requests (requester, receiver) values (p_user_id, me)
    on conflict (requester, receiver) do update set declined_at = now();
  end if;
  return private.friendship_state(p_user_id);
end
$$;

create function public.unfriend(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  delete from private.friendships f
  where f.user_low = least(me, p_user_id) and f.user_high = greatest(me, p_user_id) and f.status = 'accepted';
  return private.friendship_state(p_user_id);
end
$$;

grant execute on function
  public.friends_of(uuid),
  public.send_friend_request(uuid, uuid),
  public.cancel_friend_request(uuid),
  public.accept_friend_request(uuid),
  public.decline_friend_request(uuid),
  public.unfriend(uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('declined requests: 30 days', 50, $$delete from private.declined_requests d where d.declined_at < now() - interval '30 days'$$);

insert into private.exports (relation, part, statement) values
  -- Rows are sorted before the names are joined, so that names are looked up only for the rows of this page.
  ('private.friendships', 'friends',
    $$select f.created_at, f.other_id, jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending'
      else f.status::text end,
      'requested_by_me', f.requester = $1, 'since', coalesce(f.accepted_at, f.created_at))
    from (
      select *, x.other::text as other_id
      from private.friendships y, lateral (select case when y.user_low = $1 then y.user_high else y.user_low end as other) x
      where $1 in (y.user_low, y.user_high) and (y.status <> 'declined' or y.requester = $1)
      order by y.created_at, other_id
    ) f join public.users o on o.id = f.other
    where f.status = 'accepted' or f.requester <> $1 or not o.hidden$$),
  ('private.declined_requests', 'declined_requests',
    $$select d.declined_at, o.id::text, jsonb_build_object('name', o.name, 'declined_at', d.declined_at)
    from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = $1$$);
