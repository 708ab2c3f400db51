-- The queue of the desk looks up the name of a park once, however many photos of it wait.

-- desk.sql
create or replace function public.desk_queue(p_kinds text[] default null)
returns table (kind text, id text, park_id bigint, park_name text, since timestamptz, urgent boolean, overdue boolean, claimed text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    with items as materialized (
      select * from private.waiting_items(me, p_kinds, '-infinity')
    ), names as materialized (
      -- Of many items of a park its name is looked up once.
      select p.park_id, n.name from (select distinct w.park_id from items w) p cross join lateral private.named_park(p.park_id, language) n
    )
    select i.kind, i.id, i.park_id, n.name, i.since, i.urgent,
      i.overdue, case when c.moderator = me then 'mine' when c.moderator is not null then 'other' end
    from items i
    left join names n on n.park_id = i.park_id
    left join private.desk_claims c on c.kind = i.kind and c.id = i.id and c.expires_at > now()
    order by i.since, i.kind, i.id;
end
$$;
