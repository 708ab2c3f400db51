-- Users who care for a dog in addition to its owner. Keepers may do everything except remove carers, hand the dog over and delete
-- it. Walkers may take it to parks until a date. Both are added by a one-time link and confirmed by the owner.

create type public.dog_role as enum ('keeper', 'walker');

create table private.dog_carers (
  dog_id uuid not null references public.dogs (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade,
  role public.dog_role not null,
  ends_at timestamptz,
  takes_over boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (dog_id, user_id),
  check ((role = 'walker') = (ends_at is not null)),
  check (not takes_over or role = 'keeper')
);
comment on table private.dog_carers is 'Keepers and walkers of a dog; the owner is stored only in dogs.';
comment on column private.dog_carers.takes_over is
  'True if the keeper agreed to become the owner, either when the owner hands the dog over or when the owner''s account is '
  'deleted.';
alter table private.dog_carers enable row level security;

create table private.dog_invites (
  id uuid primary key default gen_random_uuid(),
  dog_id uuid not null references public.dogs (id) on delete cascade,
  role public.dog_role not null,
  ends_at timestamptz,
  secret_hash bytea not null unique,
  requested_by uuid references public.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  check ((role = 'walker') = (ends_at is not null))
);
comment on table private.dog_invites is
  'Links that add a keeper or walker to a dog, valid for 24 hours. Only the SHA-256 of the secret in the URL is stored.';
comment on column private.dog_invites.requested_by is
  'The user who opened the link first and requested access. No other user can use the link, and the owner confirms the request.';
alter table private.dog_invites enable row level security;

create index on private.dog_carers (user_id);
create index on private.dog_invites (dog_id);
create index on private.dog_invites (requested_by);

create function private.max_dog_carers() returns integer language sql immutable set search_path = '' as $$ select 10 $$;
comment on function private.max_dog_carers is 'Maximum number of users of a dog besides its owner, including unused links.';

create function private.kept_dog_ids(p_role public.dog_role default null) returns setof uuid
language sql stable security definer set search_path = '' rows 3 as $$
  select p.dog_id from private.dog_carers p
  where p.user_id = (select private.uid()) and (p.ends_at is null or p.ends_at > now()) and (p_role is null or p.role = p_role)
$$;
comment on function private.kept_dog_ids is 'The dogs of other users that the caller keeps or walks.';

create function private.require_own_dog(p_dog_id uuid) returns public.dogs
language plpgsql stable security definer set search_path = '' as $$
declare
  dog public.dogs;
begin
  select * into dog from public.dogs d where d.id = p_dog_id and d.owner = private.require_age() and d.deleted_at is null;
  if dog.id is null then
    perform private.fail('dog_not_found', 'You own no such dog.');
  end if;
  return dog;
end
$$;

create function private.leave_visits(p_dog_id uuid, p_user_id uuid default null, p_except uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.check_in_dogs x using public.check_ins c
    where x.dog_id = p_dog_id and c.id = x.check_in_id and c.ended_at is null and c.id is distinct from p_except
      and (p_user_id is null or c.user_id = p_user_id)
    returning c.id
  )
  update public.check_ins c set dog_count = c.dog_count - 1, changed_at = clock_timestamp() from gone where c.id = gone.id
$$;
comment on function private.leave_visits is 'Removes a dog from open visits, of one user or of all, except for one visit.';

create function private.hand_over(p_dog_id uuid, p_to uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  former uuid := (select d.owner from public.dogs d where d.id = p_dog_id);
begin
  perform pg_advisory_xact_lock(hashtextextended('dogs:' || p_to, 0));
  if (select count(*) from public.dogs d where d.owner = p_to and d.deleted_at is null) >= private.max_dogs() then
    perform private.fail('too_many', format('A profile has room for %s dogs.', private.max_dogs()));
  end if;
  -- Removes telephone numbers that finders sent before this user became a keeper.
  update private.lost_dog_sightings s set phone = null
  from private.lost_dogs l join private.dog_carers p on p.dog_id = l.dog_id and p.user_id = p_to
  where l.dog_id = p_dog_id and s.lost_id = l.id and s.created_at < p.created_at;
  update public.dogs d set owner = p_to where d.id = p_dog_id;
  delete from private.dog_carers p where p.dog_id = p_dog_id and (p.user_id = p_to or exists (
    select from public.blocks b where (b.blocker, b.blocked) in ((p_to, p.user_id), (p.user_id, p_to))));
  delete from private.dog_invites i where i.dog_id = p_dog_id;
  -- Files are moved by a job, because only the storage service can move them.
  perform private.add_job('move-photo', o.id::text, jsonb_build_object('path', o.name, 'dog_id', p_dog_id), null, '7 days')
  from storage.objects o
  where o.bucket_id = 'users' and o.name >= former || '/dogs/' || p_dog_id || '/' and o.name < former || '/dogs/' || p_dog_id || '0';
  perform private.notify_of_dog(p_dog_id, 'handedOver', null, p_to);
end
$$;
comment on function private.hand_over is 'Makes one of a dog''s keepers its owner. The dog''s photos are moved to the new owner''s folder.';

create function private.notify_of_dog(p_dog_id uuid, p_event text, p_sender uuid, p_receiver uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify('dogCarers', p_sender, p_receiver,
    jsonb_build_object('dog_id', d.id, 'owner_id', p_receiver, 'dog', d.name, 'event', p_event))
  from public.dogs d where d.id = p_dog_id
$$;

create function private.hand_over_all(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  heir record;
begin
  for heir in
    select distinct on (d.id) d.id as dog_id, p.user_id
    from public.dogs d join private.dog_carers p on p.dog_id = d.id and p.takes_over
    join auth.users a on a.id = p.user_id and (a.banned_until is null or a.banned_until <= now())
    where d.owner = p_user_id and d.deleted_at is null
      and (select count(*) from public.dogs o where o.owner = p.user_id and o.deleted_at is null) < private.max_dogs()
    order by d.id, p.created_at, p.user_id
  loop
    begin
      perform private.hand_over(heir.dog_id, heir.user_id);
    exception when raise_exception then
      -- Handing over fails if the keeper has the maximum number of dogs. The dog is then deleted with the account.
      null;
    end;
  end loop;
  perform private.leave_visits(d.id) from public.dogs d where d.owner = p_user_id;
end
$$;
comment on function private.hand_over_all is
  'Hands over each dog of a user who deletes the account to its oldest keeper who agreed to take it. All other dogs are deleted.';

grant execute on function private.kept_dog_ids(public.dog_role) to authenticated;

create function private.remove_dog_carers_on_block() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.dog_carers p using public.dogs d
  where d.id = p.dog_id and (d.owner, p.user_id) in ((new.blocker, new.blocked), (new.blocked, new.blocker));
  delete from private.dog_invites i using public.dogs d
  where d.id = i.dog_id and (d.owner, i.requested_by) in ((new.blocker, new.blocked), (new.blocked, new.blocker));
  return null;
end
$$;
create trigger remove_dog_carers_on_block after insert on public.blocks for each row execute function private.remove_dog_carers_on_block();

create function private.leave_dog() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- If the user has become the dog's owner, the dog stays in the user's visits.
  if not exists (select from public.dogs d where d.id = old.dog_id and d.owner = old.user_id) then
    perform private.leave_visits(old.dog_id, old.user_id);
  end if;
  return null;
end
$$;
create trigger leave_dog after delete on private.dog_carers for each row execute function private.leave_dog();

create policy "dogs are visible to their carers" on public.dogs for select to authenticated
  using (deleted_at is null and id in (select private.kept_dog_ids()));
create policy "keepers change dogs" on public.dogs for update to authenticated
  using (deleted_at is null and id in (select private.kept_dog_ids('keeper')))
  with check (id in (select private.kept_dog_ids('keeper')));

create function public.make_dog_invite(p_dog_id uuid, p_role public.dog_role, p_ends_at timestamptz default null) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  dog public.dogs := private.require_own_dog(p_dog_id);
  secret text := replace(gen_random_uuid()::text, '-', '');
begin
  if p_role is null or (p_role = 'walker') <> (p_ends_at is not null)
    or p_ends_at not between now() and now() + interval '1 year' then
    perform private.fail('invalid_input', 'A walker needs an end within a year; a keeper has no end.');
  end if;
  perform private.limit_action(dog.owner, 'make_dog_invite');
  perform from public.dogs d where d.id = dog.id for no key update;
  if (select count(*) from private.dog_carers p where p.dog_id = dog.id)
    + (select count(*) from private.dog_invites i where i.dog_id = dog.id and i.created_at > now() - interval '24 hours')
    >= private.max_dog_carers() then
    perform private.fail('too_many', format('A dog has at most %s carers.', private.max_dog_carers()));
  end if;
  insert into private.dog_invites (dog_id, role, ends_at, secret_hash)
  values (dog.id, p_role, p_ends_at, sha256(convert_to(secret, 'utf8')));
  return secret;
end
$$;
comment on function public.make_dog_invite is 'Creates a link and returns its secret, 32 hexadecimal digits, which cannot be read again.';

create function public.dog_invite(p_secret text, p_request boolean default false) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  invite private.dog_invites;
  dog public.dogs;
begin
  perform private.limit_rate('dog_invite', 60, '1 hour');
  if p_request then
    me := private.require_age();
  end if;
  select i.* into invite from private.dog_invites i
  where i.secret_hash = sha256(convert_to(p_secret, 'utf8')) and i.created_at > now() - interval '24 hours'
    and coalesce(i.ends_at > now(), true);
  select * into dog from public.dogs d where d.id = invite.dog_id and d.owner <> me and d.deleted_at is null;
  perform private.lock_pair(dog.owner);
  if dog.id is null or private.is_blocked_with(dog.owner)
    or exists (select from private.dog_carers p where p.dog_id = dog.id and p.user_id = me and p.role = 'keeper') then
    return null;
  end if;
  if p_request and invite.requested_by is null then
    update private.dog_invites i set requested_by = me where i.id = invite.id and i.requested_by is null returning i.* into invite;
    perform private.notify_of_dog(dog.id, 'asked', me, dog.owner) where invite.id is not null;
  end if;
  return (
    select jsonb_build_object('dog', dog.name, 'role', invite.role, 'ends_at', invite.ends_at, 'owner', u.name,
      'requested', invite.requested_by is not null)
    from public.users u where u.id = dog.owner and coalesce(invite.requested_by, me) = me and invite.id is not null);
end
$$;
comment on function public.dog_invite is
  'The offer of a link. With p_request the caller asks the owner to confirm: {dog, owner, role, ends_at, asked}. Null if the link has '
  'nothing to offer to the caller: it is unknown, expired, used by another user or for the caller''s own dog, or one of the users '
  'blocked the other.';

create function public.respond_to_dog_invite(p_invite_id uuid, p_accept boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  invite private.dog_invites;
begin
  select i.* into invite from private.dog_invites i join public.dogs d on d.id = i.dog_id and d.owner = me
  where i.id = p_invite_id;
  perform private.lock_pair(invite.requested_by);
  delete from private.dog_invites i where i.id = invite.id returning * into invite;
  if p_accept then
    if invite.requested_by is null then
      perform private.fail('invite_not_found', 'This invite is gone.');
    elsif (
      select count(*) from private.dog_carers p join public.dogs d on d.id = p.dog_id and d.deleted_at is null
      where p.user_id = invite.requested_by
    ) >= private.max_dogs() then
      perform private.fail('too_many', format('A user can care for at most %s dogs of others.', private.max_dogs()));
    end if;
    insert into private.dog_carers as p (dog_id, user_id, role, ends_at)
    values (invite.dog_id, invite.requested_by, invite.role, invite.ends_at)
    -- A walker who becomes a keeper must not read messages that were sent to the keepers earlier, so the time is updated.
    on conflict (dog_id, user_id) do update set role = excluded.role, ends_at = excluded.ends_at, created_at = excluded.created_at
    where p.role = 'walker';
    perform private.notify_of_dog(invite.dog_id, 'confirmed', me, invite.requested_by);
  end if;
end
$$;
comment on function public.respond_to_dog_invite is 'The owner confirms the request or withdraws the link, even if nobody has opened it.';

create function public.remove_dog_carer(p_dog_id uuid, p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.dog_carers p using public.dogs d
  where p.dog_id = p_dog_id and p.user_id = p_user_id and d.id = p.dog_id and private.require_user() in (p.user_id, d.owner)
$$;
comment on function public.remove_dog_carer is 'A user leaves a dog, or its owner removes them.';

create function public.offer_to_take_over(p_dog_id uuid, p_offer boolean) returns void
language sql volatile security definer set search_path = '' as $$
  update private.dog_carers p set takes_over = p_offer
  where p.dog_id = p_dog_id and p.user_id = private.require_user() and p.role = 'keeper'
$$;
comment on function public.offer_to_take_over is 'Sets whether the dog may be handed over to the calling keeper.';

create function public.hand_over_dog(p_dog_id uuid, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  dog public.dogs := private.require_own_dog(p_dog_id);
begin
  perform private.lock_pair(p_user_id);
  perform from private.dog_carers p where p.dog_id = dog.id and p.user_id = p_user_id and p.takes_over for update;
  if not found then
    perform private.fail('invalid_input', 'A dog can be handed over only to a keeper who offered to take it.');
  end if;
  perform private.hand_over(dog.id, p_user_id);
  insert into private.dog_carers (dog_id, user_id, role) values (dog.id, dog.owner, 'keeper');
end
$$;
comment on function public.hand_over_dog is 'Makes a keeper who offered to take the dog over its owner, and the caller a keeper.';

create function public.dog_carers(p_dog_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id),
  dog as (
    select d.id, d.owner, d.owner = me.id as mine, (
      select p.role from private.dog_carers p
      where p.dog_id = d.id and p.user_id = me.id and (p.ends_at is null or p.ends_at > now())) as role
    from me join public.dogs d on d.id = p_dog_id and d.deleted_at is null
  )
  select jsonb_build_object(
    'role', d.role, 'owner', jsonb_build_object('id', o.id, 'name', o.name, 'picture', o.picture),
    'carers', (
      select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'role', p.role,
        'ends_at', p.ends_at, 'takes_over', p.takes_over) order by p.role, p.created_at, u.id), '[]')
      from private.dog_carers p join public.users u on u.id = p.user_id
      where p.dog_id = d.id and (p.ends_at is null or p.ends_at > now())
        and (u.id = (select id from me) or d.mine or (d.role = 'keeper' and u.id not in (select private.blocked_ids())))),
    'invites', (
      select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'role', i.role, 'ends_at', i.ends_at,
        'requested_by', u.name, 'picture', u.picture) order by i.created_at, i.id), '[]')
      from private.dog_invites i left join public.users u on u.id = i.requested_by
      where i.dog_id = d.id and d.mine and i.created_at > now() - interval '24 hours'))
  from dog d join public.users o on o.id = d.owner
  where d.mine or d.role is not null
$$;
comment on function public.dog_carers is
  'The users of a dog: {role: the caller''s, null for the owner, owner: {id, name, picture}, carers: [{id, name, picture, role, ends_at, '
  'takes_over}], invites: [{id, role, ends_at, requested_by, picture}]}. A walker sees only the owner and themself, and only the owner '
  'sees invites; null for others.';

create function public.kept_dogs() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(d) - array['created_at', 'deleted_at']
    || jsonb_build_object('role', p.role, 'ends_at', p.ends_at)
    order by p.created_at, d.id), '[]')
  from private.kept_dog_ids() k (id) join public.dogs d on d.id = k.id and d.deleted_at is null
  join private.dog_carers p on p.dog_id = d.id and p.user_id = (select private.uid())
$$;
comment on function public.kept_dogs is 'Other users'' dogs that the caller keeps or walks, with the columns of dogs, role and ends_at.';

grant execute on function
  public.make_dog_invite(uuid, public.dog_role, timestamptz),
  public.dog_invite(text, boolean),
  public.respond_to_dog_invite(uuid, boolean),
  public.remove_dog_carer(uuid, uuid),
  public.offer_to_take_over(uuid, boolean),
  public.hand_over_dog(uuid, uuid),
  public.dog_carers(uuid),
  public.kept_dogs()
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('walkers: until their end', 50, $$delete from private.dog_carers p where p.ends_at < now()$$),
  ('invites to a dog: 24 hours', 50, $$delete from private.dog_invites i where i.created_at < now() - interval '24 hours'$$);

insert into private.exports (relation, part, statement) values
  ('private.dog_carers', 'dog_carers', $$select p.created_at, p.dog_id || ' ' || p.user_id, jsonb_build_object('dog', d.name,
      'name', case when d.owner = $1 then u.name else o.name end, 'of_my_dog', d.owner = $1, 'role', p.role, 'ends_at', p.ends_at,
      'takes_over', p.takes_over, 'since', p.created_at)
    from private.dog_carers p join public.dogs d on d.id = p.dog_id and d.deleted_at is null
    join public.users u on u.id = p.user_id join public.users o on o.id = d.owner
    where $1 in (p.user_id, d.owner)$$),
  ('private.dog_invites', 'dog_invites', $$select i.created_at, i.id::text, jsonb_build_object('dog', d.name, 'role', i.role,
      'ends_at', i.ends_at, 'made_by_me', d.owner = $1, 'requested', i.requested_by is not null, 'created_at', i.created_at)
    from private.dog_invites i join public.dogs d on d.id = i.dog_id where $1 in (i.requested_by, d.owner)$$);
