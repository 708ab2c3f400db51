-- Favourite parks: each user's own list, which friends see if the user allows it.

create table public.favourite_parks (
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  created_at timestamptz not null default now(),
  good_from smallint,
  good_to smallint,
  primary key (user_id, park_id),
  -- The app never rates an hour of the night as good.
  check ((good_from is null) = (good_to is null) and good_from >= 5 and good_from < good_to and good_to <= 23)
);
comment on table public.favourite_parks is 'Favourite parks; friends read them through favourites_of if the user allows it.';
comment on column public.favourite_parks.good_from is
  'The user is notified if the park is good to go to between this hour and good_to, in the parks'' local time; null if never.';
alter table public.favourite_parks enable row level security;

grant select, delete on public.favourite_parks to authenticated;
grant insert (user_id, park_id), update (good_from, good_to) on public.favourite_parks to authenticated;

create index on public.favourite_parks (park_id);
create index favourite_parks_good_from on public.favourite_parks (good_from) where good_from is not null;

-- Triggers run before policies. The limit applies only to the caller's own favourites, because the policy rejects others, and
-- undoing a decision of the desk must restore every row.
create function private.limit_favourites() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is distinct from auth.uid() then
    return new;
  end if;
  -- The lock is needed because concurrent inserts would not count each other.
  perform pg_advisory_xact_lock(hashtextextended('favourites:' || new.user_id, 0));
  if (select count(*) from public.favourite_parks f where f.user_id = new.user_id and f.park_id <> new.park_id) >= 300 then
    perform private.fail('too_many', 'There is room for 300 favourites.');
  end if;
  return new;
end
$$;
comment on function private.limit_favourites is 'Allows at most 300 favourites of a user.';
create trigger limit_favourites before insert on public.favourite_parks
  for each row execute function private.limit_favourites();

create policy "users see their own favourites" on public.favourite_parks for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users add their own favourites" on public.favourite_parks for insert to authenticated
  with check (user_id = (select auth.uid()) and exists (select from public.parks p where p.id = park_id));
create policy "users change their own favourites" on public.favourite_parks for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "users remove their own favourites" on public.favourite_parks for delete to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.favourite_parks as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.favourites_of(p_user_id uuid) returns setof bigint
language sql stable security definer set search_path = '' rows 20 as $$
  select f.park_id
  from public.favourite_parks f
  join public.parks p on p.id = f.park_id and p.status = 'approved'
  where f.user_id = p_user_id and private.is_friend(p_user_id)
    and exists (select from public.users o where o.id = p_user_id and o.show_favourites)
  order by f.created_at desc, f.park_id
$$;
comment on function public.favourites_of is 'The favourite parks of a friend who shows them, newest first; otherwise none.';

grant execute on function public.favourites_of(uuid) to authenticated;

insert into private.exports (relation, part, statement) values
  ('public.favourite_parks', 'favourite_parks',
    $$select f.created_at, f.park_id::text, jsonb_build_object('park', private.park_name(f.park_id, $2), 'since', f.created_at,
      'good_from', f.good_from, 'good_to', f.good_to)
    from public.favourite_parks f where f.user_id = $1$$);
