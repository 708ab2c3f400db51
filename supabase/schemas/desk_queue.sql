-- The queue of moderators: counts, lists, the next item, and claims.


create function public.desk_counts()
returns table (type text, waiting integer, others integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
begin
  return query
    select w.type, count(*)::integer, (count(*) filter (where c.moderator is not null and c.moderator is distinct from me))::integer
    from private.desk_types k
    cross join lateral private.waiting_items(p_types => array[k.type], p_member => me, p_limit => 100) w
    left join private.desk_claims c on c.type = w.type and c.id = w.id and c.expires_at > now()
    group by w.type order by min(w.since), w.type;
end
$$;
comment on function public.desk_counts is
  'The number of pending items of each type that the caller may decide, at most 100, starting with the type of the oldest. others: how '
  'many of them other moderators have claimed.';

create function public.desk_queue(p_types text[] default null)
returns table (type text, id text, park_id bigint, park_name text, since timestamptz, urgent boolean, overdue boolean, claimed text)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    with items as materialized (
      select * from private.waiting_items(p_types, p_member => me, p_limit => 100)
    ), names as materialized (
      -- The name of each park is looked up once, even if it has many items.
      select p.park_id, n.name from (select distinct w.park_id from items w) p cross join lateral private.named_park(p.park_id, language) n
    )
    select i.type, i.id, i.park_id, n.name, i.since, i.urgent,
      i.overdue, case when c.moderator = me then 'mine' when c.moderator is not null then 'other' end
    from items i
    left join names n on n.park_id = i.park_id
    left join private.desk_claims c on c.type = i.type and c.id = i.id and c.expires_at > now()
    order by i.since, i.type, i.id;
end
$$;
comment on function public.desk_queue is
  'Items that the caller may decide, oldest first, at most 100. overdue: after 24 hours. claimed: mine, other or null.';

create function public.desk_claim(p_type text, p_id text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  item jsonb;
begin
  perform private.lock_items(p_type, array[p_id]);
  item := private.item_of(p_type, p_id);
  if item is null then
    return null;
  end if;
  if not private.claim_item(p_type, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  return item;
end
$$;
comment on function public.desk_claim is
  'Claims an item for the caller for ten minutes and returns its details; null if it is no longer pending.';

create function public.desk_next(p_types text[] default null, p_after timestamptz default '-infinity') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  item record;
  most integer;
begin
  -- The 50 oldest items are tried first, because nearly always one of them is not claimed.
  foreach most in array array[50, 500] loop
    for item in
      select i.type, i.id from private.waiting_items(p_types, null, me, p_after, most) i
      where not exists (select from private.desk_claims c where c.type = i.type and c.id = i.id and c.moderator <> me
        and c.expires_at > now())
      order by i.since, i.type, i.id
    loop
      -- A moderator who calls this at the same time gets the next item instead of waiting.
      if pg_try_advisory_xact_lock(hashtextextended('desk:' || item.type || ':' || item.id, 0))
        and private.claim_item(item.type, item.id, me) then
        return private.item_of(item.type, item.id);
      end if;
    end loop;
  end loop;
  return null;
end
$$;
comment on function public.desk_next is
  'Claims the oldest item that no other moderator has claimed and that became pending after p_after, and returns its details.';

create function public.desk_own_items() returns table (type text, id text, may_publish boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
begin
  -- Reports are excluded, because they would reveal to members that they were reported.
  return query
    select i.type, i.id, i.type = 'lost_dog' and private.is_only_moderator(me)
    from private.waiting_items(
      array(select k.type from private.desk_types k where k.reports is null or k.type = 'lost_dog'), p_author => me) i
    where not private.may_decide(i.type, me, me) and (i.type <> 'lost_dog' or exists (
      select from private.lost_dogs l where l.id::text = i.id and l.approved_at is null and l.until > now()))
    order by i.type, i.id;
end
$$;
comment on function public.desk_own_items is
  'Items that the caller contributed, so another member of the desk must decide them. may_publish: the caller may call '
  'desk_publish_own_card.';

create function public.desk_release(p_type text, p_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
begin
  delete from private.desk_claims c where c.type = p_type and c.id = p_id and c.moderator = me;
end
$$;

grant execute on function
  public.desk_counts(),
  public.desk_queue(text[]),
  public.desk_claim(text, text),
  public.desk_next(text[], timestamptz),
  public.desk_own_items(),
  public.desk_release(text, text)
to authenticated, service_role;
