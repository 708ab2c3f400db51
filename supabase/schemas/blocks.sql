-- Blocks: neither of the two users sees the other anywhere.

create table public.blocks (
  blocker uuid not null default auth.uid() references public.users (id) on delete cascade,
  blocked uuid not null references public.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  listed boolean not null default true,
  name text,
  primary key (blocker, blocked),
  check (blocker <> blocked)
);
comment on table public.blocks is
  'Neither of the two users sees the other anywhere. Only the blocker can see that there is a block.';
comment on column public.blocks.listed is
  'True if the blocker could see the other user or had been contacted by them at that time. Other blocks have the same effect, '
  'but the blocker sees them only when nothing else hides the other user; see private.listed_blocks.';
comment on column public.blocks.name is
  'The name of the blocked user at the time of the block, if the block is listed. Later names are not shown to the blocker.';
alter table public.blocks enable row level security;

grant select, delete on public.blocks to authenticated;

create index on public.blocks (blocked);

create function private.blocked_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 5 as $$
  with me as materialized (select private.uid() as id)
  select b.blocked from me join public.blocks b on b.blocker = me.id
  union all
  select b.blocker from me join public.blocks b on b.blocked = me.id
$$;
comment on function private.blocked_ids is 'All users who blocked the caller or whom the caller blocked.';

create function private.is_blocked_with(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  with me as materialized (select private.uid() as id)
  select exists (select from public.blocks b where b.blocker = me.id and b.blocked = p_user_id)
      or exists (select from public.blocks b where b.blocker = p_user_id and b.blocked = me.id)
  from me
$$;

create function private.is_blocked_between(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.blocks b
    where (b.blocker = p_one and b.blocked = p_other) or (b.blocker = p_other and b.blocked = p_one))
$$;

-- Users who hide, have blocked the caller or are deleted must be indistinguishable, so blocks of such users are not listed.
create function private.listed_blocks(p_user_id uuid) returns setof public.blocks
language sql stable security definer set search_path = '' rows 5 as $$
  select b.* from public.blocks b join public.users u on u.id = b.blocked
  where b.blocker = p_user_id and (b.listed or (not u.hidden and not exists (
    select from public.blocks o where o.blocker = b.blocked and o.blocked = b.blocker)))
$$;
comment on function private.listed_blocks is 'The blocks that this user made and may see.';

create function private.listed_block_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 5 as $$
  select b.blocked from private.listed_blocks(private.uid()) b
$$;
comment on function private.listed_block_ids is 'The users whom the caller blocked and may see in the list.';

grant execute on function private.blocked_ids(), private.listed_block_ids() to anon, authenticated;

create policy "users see their own blocks" on public.blocks for select to authenticated
  using (blocker = (select auth.uid()) and blocked in (select private.listed_block_ids()));
create policy "users revoke their own blocks" on public.blocks for delete to authenticated
  using (blocker = (select auth.uid()) and blocked in (select private.listed_block_ids()));
create policy "nothing before the second factor" on public.blocks as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.block_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  -- The block is also stored if the other user hides or has blocked the caller. It then takes effect when this changes.
  insert into public.blocks as b (blocker, blocked, listed, name)
  select me, u.id, s.listed, case when s.listed then u.name end
  from public.users u cross join lateral (select private.may_see(u.id) or private.has_contacted_caller(u.id) as listed) s
  where u.id = p_user_id and u.id <> me
  on conflict (blocker, blocked) do update set listed = b.listed or excluded.listed, name = coalesce(b.name, excluded.name);
end
$$;

create function public.unblock_user(p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.blocks b where b.blocker = private.require_user() and b.blocked = p_user_id
$$;

create function public.my_blocks() returns table (user_id uuid, name text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select u.id, coalesce(b.name, u.name), b.created_at
  from private.listed_blocks(private.uid()) b join public.users u on u.id = b.blocked
  order by b.created_at desc
$$;

grant execute on function public.block_user(uuid), public.unblock_user(uuid), public.my_blocks() to authenticated;

insert into private.exports (relation, part, statement) values
  ('public.blocks', 'blocked', $$select b.created_at, o.id::text,
      jsonb_build_object('name', coalesce(b.name, o.name), 'since', b.created_at)
    from private.listed_blocks($1) b join public.users o on o.id = b.blocked$$);
