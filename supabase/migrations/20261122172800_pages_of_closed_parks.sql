-- A closed park has a page: its name, where it was, and its reviews.

-- former_parks.sql

drop policy "everybody learns what became of a park" on public.former_parks;
revoke select on public.former_parks from anon, authenticated;

create function public.former_park(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('reason', f.reason, 'merged_into', f.merged_into,
    -- What turned out to be no dog park may be anybody's door, and be named in any way.
    'park', case when f.reason = 'closed' then jsonb_build_object('lat', p.lat, 'long', p.long, 'names', (
      select jsonb_object_agg(t.language, t.name) from public.park_translations t where t.park_id = p.id)) end)
  from public.former_parks f join public.parks p on p.id = f.park_id
  where f.park_id = p_park_id
$$;
comment on function public.former_park is 'What became of a park: {reason, merged_into, park}, where park is {lat, long, names} of one that closed, names by language; null for a park that was never listed, or is.';

grant execute on function public.former_park(bigint) to anon, authenticated;

-- reviews.sql

-- In the order of their random ids: unordered rows come in the order in which they were written, and the place of an
-- anonymous review between two others with a time would tell its time.
create or replace view public.park_reviews with (security_barrier) as
  select r.id, r.park_id, r.title, r.content, r.rank, r.anonymous,
    case when shown.author then u.id end as author_id,
    case when shown.author then u.name end as author_name,
    shown.mine,
    -- The day only: a minute tells who just left the park.
    case when shown.mine then r.created_at else date_trunc('day', r.created_at, 'Asia/Jerusalem') end as created_at,
    case when shown.mine then r.updated_at else date_trunc('day', r.updated_at, 'Asia/Jerusalem') end as updated_at,
    case when shown.author and (select private.uid()) is not null then u.picture end as author_picture
  from public.reviews r
  join public.parks p on p.id = r.park_id and (p.status = 'approved' or exists (
    select from public.former_parks f where f.park_id = p.id and f.reason = 'closed'))
  left join public.users u on u.id = r.author
  cross join lateral (
    select coalesce(u.id = (select private.uid()), false) as mine,
      not r.anonymous and (
        u.id is not distinct from (select private.uid())
        or ((not u.hidden or u.id in (select private.known_ids())) and u.id not in (select private.blocked_ids())
          -- A person who is blocked and logs out must not read the name either, and anonymous callers are all alike.
          and ((select private.uid()) is not null or not exists (select from public.blocks b where b.blocker = u.id)))
      ) as author
  ) shown
  where r.hidden_at is null
    -- Reviews without an author stay whoever is blocked: one that disappeared after a block would name its author.
    and (r.anonymous or u.hidden or u.id not in (select private.listed_block_ids()))
  order by r.id;
