-- No limit and no end of a friendship can be outrun by doing two things at once.

drop trigger delete_invites_on_block on public.blocks;
drop function private.delete_invites_on_block();

-- Blocking ends a friendship, too.
create function private.withdraw_invites() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.park_invites i
  where (i.sender_id = old.user_low and i.receiver_id = old.user_high) or (i.sender_id = old.user_high and i.receiver_id = old.user_low);
  delete from public.notifications n
  where n.type in ('parkInvite', 'parkInviteResponse')
    and ((n.sender_id = old.user_low and n.receiver_id = old.user_high) or (n.sender_id = old.user_high and n.receiver_id = old.user_low));
  return null;
end
$$;

create trigger withdraw_invites after delete on private.friendships
  for each row when (old.status = 'accepted') execute function private.withdraw_invites();

-- What former friends planned.
delete from public.park_invites i where not exists (
  select from private.friendships f
  where f.user_low = least(i.sender_id, i.receiver_id) and f.user_high = greatest(i.sender_id, i.receiver_id) and f.status = 'accepted');

-- RPCs -----------------------------------------------------------------------------------------------------------

create or replace function public.invite_to_park(p_park_id bigint, p_friend_ids uuid[], p_meet_at timestamptz, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
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
  perform private.limit_rate('invite_to_park', 30, '1 day');
  -- An unfriending or a block under way comes first. All lock pairs in one order, so that no two wait for each other.
  perform private.lock_pair(asked.friend)
  from (select distinct f as friend from unnest(p_friend_ids) f where f is not null order by f) asked;
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

-- Triggers -------------------------------------------------------------------------------------------------------

-- Triggers run before policies are asked. The limit is checked for one's own dogs only: otherwise its refusal would tell
-- others how many dogs somebody has.
create or replace function private.limit_dogs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The policy refuses to write for others.
  if new.owner is distinct from coalesce(auth.uid(), new.owner) then
    return new;
  end if;
  -- Parallel inserts would each count without the others.
  perform pg_advisory_xact_lock(hashtextextended('dogs:' || new.owner, 0));
  if (select count(*) from public.dogs d where d.owner = new.owner and d.deleted_at is null) >= 20 then
    perform private.fail('too_many', 'A profile has room for 20 dogs.');
  end if;
  return new;
end
$$;

create or replace function private.limit_photos() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  folder text := split_part(new.name, '/', 1) || '/';
begin
  -- For one's own folder only: the policy refuses others, and a refusal by this limit would tell how many photos they have.
  if folder <> coalesce(auth.uid() || '/', folder) then
    return new;
  end if;
  -- Parallel uploads would each count without the others.
  perform pg_advisory_xact_lock(hashtextextended('photos:' || folder, 0));
  -- A photo that is replaced needs no more room.
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'users' and o.name >= folder and o.name < left(folder, -1) || '0' and o.name <> new.name
  ) >= 300 then
    perform private.fail('too_many', 'There is room for 300 photos.');
  end if;
  return new;
end
$$;
