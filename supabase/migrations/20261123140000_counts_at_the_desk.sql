-- The desk shows how much waits, and lists what waits of one kind where it is asked for: decision 158.

create function public.desk_counts()
returns table (kind text, waiting integer, others integer)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
begin
  return query
    select w.kind, count(*)::integer, (count(*) filter (where c.moderator is not null and c.moderator is distinct from me))::integer
    from unnest('{park,correction,merge,photo,review,photo_report,hazard,person}'::text[]) k (kind)
    cross join lateral private.waiting_items(me, array[k.kind], '-infinity', 100) w
    left join private.desk_claims c on c.kind = w.kind and c.id = w.id and c.expires_at > now()
    group by w.kind order by min(w.since), w.kind;
end
$$;
comment on function public.desk_counts is 'How much of each kind waits that the caller may decide, counted to 100, the kind of the oldest first; others: how much of that is open at other moderators.';

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
      select * from private.waiting_items(me, p_kinds, '-infinity', 100)
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
comment on function public.desk_queue is 'What waits and the caller may decide, oldest first, at most 100; overdue after 24 hours; claimed: mine, other or null.';

grant execute on function public.desk_counts() to authenticated, service_role;
