-- Blocks: neither of the two sees the other anywhere.

-- Tables ---------------------------------------------------------------------------------------------------------

create table public.blocks (
  blocker uuid not null default auth.uid() references public.users (id) on delete cascade,
  blocked uuid not null references public.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker, blocked),
  check (blocker <> blocked)
);
comment on table public.blocks is 'Neither of the two sees the other anywhere; only the blocker knows why.';
alter table public.blocks enable row level security;

-- Grants ---------------------------------------------------------------------------------------------------------

grant select, delete on public.blocks to authenticated;

-- Indexes --------------------------------------------------------------------------------------------------------

create index on public.blocks (blocked);

-- Functions ------------------------------------------------------------------------------------------------------

create function private.blocked_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 5
as $$
  select b.blocked from public.blocks b where b.blocker = private.uid()
  union all
  select b.blocker from public.blocks b where b.blocked = private.uid()
$$;
comment on function private.blocked_ids is 'Everybody with a block between them and the caller, whoever made it.';

create function private.is_blocked_with(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.blocks b where b.blocker = private.uid() and b.blocked = p_user_id)
      or exists (select from public.blocks b where b.blocker = p_user_id and b.blocked = private.uid())
$$;

grant execute on function private.blocked_ids() to anon, authenticated;

-- Policies -------------------------------------------------------------------------------------------------------

create policy "users see their own blocks" on public.blocks for select to authenticated
  using (blocker = (select auth.uid()));
create policy "users lift their own blocks" on public.blocks for delete to authenticated
  using (blocker = (select auth.uid()));
create policy "nothing before the second factor" on public.blocks as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.block_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  -- Only somebody the caller sees or heard from: otherwise my_blocks would reveal hidden users' names.
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_contacted_caller(p_user_id)) then
    insert into public.blocks (blocker, blocked) values (me, p_user_id) on conflict do nothing;
  end if;
end
$$;

create function public.unblock_user(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.blocks b where b.blocker = private.require_user() and b.blocked = p_user_id
$$;

create function public.my_blocks() returns table (user_id uuid, name text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.name, b.created_at
  from public.blocks b join public.users u on u.id = b.blocked
  where b.blocker = private.uid()
  order by b.created_at desc
$$;

grant execute on function public.block_user(uuid), public.unblock_user(uuid), public.my_blocks() to authenticated;
