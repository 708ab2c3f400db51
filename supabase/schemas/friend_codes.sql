-- Friend codes: a one-time link, shown as a QR code when two users meet, with which one sends the other a friend request.

create table private.friend_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  dog_id uuid not null references public.dogs (id) on delete cascade,
  photo text check (char_length(photo) <= 100000 and photo ~ '^data:image/(webp|jpeg|png|avif);base64,[A-Za-z0-9+/]+={0,2}$'),
  secret_hash bytea not null unique,
  device_hash bytea,
  created_at timestamptz not null default now()
);
comment on table private.friend_codes is
  'Links that send a friend request to a user. Only the SHA-256 of the secret in the URL is stored. The row is deleted when the link is '
  'used.';
comment on column private.friend_codes.user_id is 'The creator, who gets the request: the owner, a keeper or a walker of the dog.';
comment on column private.friend_codes.photo is
  'A small copy of the dog''s photo, because the URL of the original contains the ID of the dog''s owner. The copy is deleted with the '
  'row.';
comment on column private.friend_codes.device_hash is
  'The SHA-256 of a random key of the device for which the code is reserved. The link then works only on that '
  'device, and for 24 hours instead of ten minutes, because the device''s user may have to sign up.';
alter table private.friend_codes enable row level security;

create index on private.friend_codes (user_id);
create index on private.friend_codes (dog_id);

create function private.friend_code(p_secret text, p_device text) returns private.friend_codes
language sql stable security definer set search_path = '' as $$
  select c.* from private.friend_codes c
  join public.dogs d on d.id = c.dog_id and d.deleted_at is null
  join auth.users a on a.id = c.user_id and (a.banned_until is null or a.banned_until <= now())
  where c.secret_hash = sha256(convert_to(p_secret, 'utf8')) and p_device ~ '^[0-9a-f]{32}$'
    and case when c.device_hash is null then c.created_at > now() - interval '10 minutes'
      else c.device_hash = sha256(convert_to(p_device, 'utf8')) and c.created_at > now() - interval '24 hours' end
    and c.user_id is distinct from private.uid() and not private.is_blocked_with(c.user_id) and private.is_old_enough(c.user_id)
    and (d.owner = c.user_id or exists (
      select from private.dog_carers p
      where p.dog_id = d.id and p.user_id = c.user_id and (p.ends_at is null or p.ends_at > now())))
$$;
comment on function private.friend_code is
  'The code that this device may use; null if it is unknown, expired, withdrawn, used or reserved for another device, is the caller''s own, '
  'or one of the users blocked the other.';

create function public.make_friend_code(p_dog_id uuid, p_photo text default null) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  secret text := replace(gen_random_uuid()::text, '-', '');
begin
  if not exists (
    select from public.dogs d
    where d.id = p_dog_id and d.deleted_at is null and (d.owner = me or d.id in (select private.kept_dog_ids()))
  ) then
    perform private.fail('dog_not_found', 'There is no such dog.');
  end if;
  perform private.limit_action(me, 'make_friend_code');
  delete from private.friend_codes c where c.user_id = me and c.device_hash is null;
  insert into private.friend_codes (user_id, dog_id, photo, secret_hash)
  values (me, p_dog_id, p_photo, sha256(convert_to(secret, 'utf8')));
  return secret;
end
$$;
comment on function public.make_friend_code is
  'Creates a code for the caller and returns its secret, 32 hexadecimal digits, which cannot be read again. p_photo is a data URL. An '
  'earlier code that no device has reserved ends.';

create function public.end_friend_codes() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.friend_codes c where c.user_id = private.require_user()
$$;
comment on function public.end_friend_codes is 'Withdraws all codes of the caller, also those that are reserved for a device.';

create function public.scan_friend_code(p_secret text, p_device text, p_keep boolean default false) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_ip_address('friend_code', 120, '1 hour');
  if p_keep then
    update private.friend_codes c set device_hash = sha256(convert_to(p_device, 'utf8'))
    from private.friend_code(p_secret, p_device) f where c.id = f.id and c.device_hash is null;
  end if;
  return (
    select jsonb_build_object('dog', d.name, 'photo', c.photo, 'name', case when private.uid() is not null then u.name end)
    from private.friend_code(p_secret, p_device) c
    join public.dogs d on d.id = c.dog_id join public.users u on u.id = c.user_id);
end
$$;
comment on function public.scan_friend_code is
  'The card of a code: {dog, photo, name: of its creator, null before the login}. p_keep reserves the code for this device. The page sends it '
  'only after a click, because link scanners also run scripts. Null for any code that this device cannot use. p_device is a random key of the '
  'device, 32 hexadecimal digits.';

create function public.use_friend_code(p_secret text, p_device text, p_key uuid default null) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'use_friend_code');
  code private.friend_codes;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  perform private.limit_ip_address('friend_code', 120, '1 hour');
  select * into code from private.friend_code(p_secret, p_device);
  perform private.lock_pair(code.user_id);
  -- The code is checked again, because the users may have blocked each other while this call waited for the lock.
  delete from private.friend_codes c using private.friend_code(p_secret, p_device) f
  where c.id = f.id returning c.* into code;
  if found then
    result := to_jsonb(private.request_friendship(code.user_id, true));
  end if;
  return private.store_idempotent_result(p_key, result) #>> '{}';
end
$$;
comment on function public.use_friend_code is
  'Sends the request to the creator of a code and ends the code: outgoing, or friends if they are by now. Null for any code that this '
  'device cannot use.';

grant execute on function public.scan_friend_code(text, text, boolean) to anon, authenticated;
grant execute on function
  public.make_friend_code(uuid, text),
  public.end_friend_codes(),
  public.use_friend_code(text, text, uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('friend codes: ten minutes, or 24 hours once reserved', 50, $$delete from private.friend_codes c
    where c.created_at < now() - case when c.device_hash is null then interval '10 minutes' else interval '24 hours' end$$);

insert into private.exports (relation, part, statement) values
  ('private.friend_codes', 'friend_codes', $$select c.created_at, c.id::text, jsonb_build_object('dog', d.name,
      'opened', c.device_hash is not null, 'created_at', c.created_at)
    from private.friend_codes c join public.dogs d on d.id = c.dog_id where c.user_id = $1$$);
