-- Rows that nobody orders come in the order in which they were written, and so do those that are equal in what they are
-- ordered by: an anonymous review between two with a time would have a time after all. So readers get them in the order of
-- their random ids, and order from there.

create or replace view public.park_reviews with (security_barrier) as
  select r.id, r.park_id, r.title, r.content, r.rank, r.anonymous,
    case when shown.author then u.id end as author_id,
    case when shown.author then u.name end as author_name,
    shown.mine,
    -- The minute of a review without an author would match it to somebody who just left the park.
    case when shown.author or shown.mine then r.created_at else date_trunc('day', r.created_at, 'Asia/Jerusalem') end as created_at,
    case when shown.author or shown.mine then r.updated_at else date_trunc('day', r.updated_at, 'Asia/Jerusalem') end as updated_at
  from public.reviews r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  join public.users u on u.id = r.author
  cross join lateral (
    select r.author is not distinct from (select auth.uid()) as mine,
      not r.anonymous and (
        not u.hidden or u.id is not distinct from (select auth.uid()) or u.id in (select private.known_ids())
      ) as author
  ) shown
  where r.hidden_at is null
    -- Those without an author stay whoever is blocked: one that disappeared after a block would name its author.
    and (r.anonymous or u.hidden or u.id not in (select private.blocked_ids()))
  order by r.id;
