-- Limits tell nothing about others: what is counted for a person is counted only where it is theirs, and an answer that
-- does not say who is there comes at the same price for everybody who is not.

-- Before policies are asked: a full house would have said so to whoever knocks.
create or replace function private.limit_dogs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A policy refuses to write for others.
  if new.owner is distinct from coalesce(auth.uid(), new.owner) then
    return new;
  end if;
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
  -- A policy refuses to write into others' folders.
  if folder <> coalesce(auth.uid() || '/', folder) then
    return new;
  end if;
  -- A photo that replaces itself needs no more room.
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'users' and o.name >= folder and o.name < left(folder, -1) || '0' and o.name <> new.name
  ) >= 300 then
    perform private.fail('too_many', 'There is room for 300 photos.');
  end if;
  return new;
end
$$;

create or replace function public.send_friend_request(p_user_id uuid, p_key uuid default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.me();
  answer jsonb := private.begin_once(p_key, 'send_friend_request');
  low uuid := least(me, p_user_id);
  high uuid := greatest(me, p_user_id);
  found_row private.friendships;
begin
  if answer is not null then
    return answer #>> '{}';
  end if;
  if p_user_id is null or p_user_id = me then
    perform private.fail('invalid_input', 'A request goes to somebody else.');
  end if;
  if exists (select from public.blocks b where b.blocker = me and b.blocked = p_user_id) then
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
    -- Also where a request waits for somebody who hid since: repeating it free of charge would tell that one from who left.
    perform private.limit_rate('send_friend_request', 50, '1 day');
    -- Somebody who blocked or hides, and somebody who does not exist, all answer like success: the caller cannot tell them apart.
    if private.may_see(p_user_id) then
      insert into private.friendships (user_low, user_high, requester, status)
      values (low, high, me, case when exists (
        select from private.declined_requests d
        where d.requester = me and d.receiver = p_user_id and d.declined_at > now() - interval '30 days'
      ) then 'declined'::private.friendship_status else 'pending' end)
      on conflict do nothing;
    end if;
  end if;
  answer := to_jsonb(private.friendship_state(p_user_id));
  if answer = to_jsonb('none'::text) then
    answer := to_jsonb('outgoing'::text);
  end if;
  return private.end_once(p_key, answer) #>> '{}';
end
$$;
