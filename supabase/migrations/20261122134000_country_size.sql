-- What took long at a country's size: the desk's queue and its search for people, the search of everybody, meetings, friends of friends.

create or replace view private.desk_items as
select w.*, w.since < now() - interval '24 hours' as overdue from (
  select 'park'::text as kind, p.id::text as id, p.id as park_id, p.created_at as since, false as urgent,
    (select s.user_id from private.park_submitters s where s.park_id = p.id) as author, false as author_shown,
    jsonb_build_object(
      'park', private.park_summary(p.id, private.my_language()),
      'after', jsonb_strip_nulls(private.pick(to_jsonb(p), 'size', 'materials', 'shade', 'has_facilities', 'facts', 'source', 'licence')),
      'nearby', private.parks_nearby(p.id, private.my_language())) as context,
    '{duplicate,not_a_park,wrong_place,not_true,unclear,inappropriate,spam}'::public.decision_reason[] as reasons
  from public.parks p where p.status = 'pending'
  union all
  select case when s.claim = 'double' then 'merge' else 'correction' end, s.id::text, s.park_id, s.created_at, false, s.user_id, false,
    jsonb_build_object(
      'park', private.park_summary(s.park_id, private.my_language()),
      'other', private.park_summary(s.double_of, private.my_language()),
      'then', s.before,
      'before', private.park_fields(s.park_id),
      'after', private.suggested_fields(s) - 'double_of'),
    '{not_true,wrong_park,unclear,inappropriate,spam}'
  from public.park_suggestions s where s.status = 'pending'
  union all
  -- The row of a photo has its day only; its file has the moment from which the clock runs.
  select 'photo', f.path, f.park_id, coalesce(o.created_at, f.created_at), false,
    (select u.user_id from private.photo_uploaders u where u.path = f.path), false,
    jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('bucket', o.bucket_id, 'path', f.path),
      'of_hazard', f.of_hazard),
    '{wrong_park,poor_photo,people_in_photo,inappropriate,spam}'
  from public.park_photos f join storage.objects o on o.bucket_id in ('pending-photos', 'parks') and o.name = f.path
  where f.status = 'pending'
    -- One that was approved leaves the queue while its file is moved.
    and not exists (select from private.jobs j where j.kind = 'move-photo' and j.key = f.path and j.failed_at is null)
  union all
  select 'review', r.id::text, r.park_id, x.since, false, r.author, not r.anonymous and r.author is not null,
    jsonb_build_object(
      'park', private.park_summary(r.park_id, private.my_language()),
      'review', jsonb_build_object('title', r.title, 'content', r.content, 'rank', r.rank, 'anonymous', r.anonymous,
        'day', (r.created_at at time zone 'Asia/Jerusalem')::date, 'hidden', r.hidden_at is not null),
      'person', (select jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id))
        from public.users u where u.id = r.author and not r.anonymous),
      'reports', (
        select jsonb_agg(jsonb_build_object('reason', y.reason, 'count', y.many) order by y.many desc)
        from (select v.reason, count(*) as many from private.review_reports v where v.review_id = r.id and v.resolved_at is null group by v.reason) y)),
    '{spam,inappropriate,misinformation,fake,personal_information,harassment}'
  from public.reviews r join (
    select v.review_id, min(v.created_at) as since from private.review_reports v where v.resolved_at is null group by v.review_id
  ) x on x.review_id = r.id
  union all
  select 'photo_report', f.path, f.park_id, x.since, true, (select u.user_id from private.photo_uploaders u where u.path = f.path), false,
    jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('bucket', 'parks', 'path', f.path),
      'reports', (
        select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at)
        from private.photo_reports v where v.path = f.path and v.resolved_at is null)),
    '{people_in_photo,wrong_park,poor_photo,inappropriate,spam}'
  from public.park_photos f join (
    select v.path, min(v.created_at) as since from private.photo_reports v where v.resolved_at is null group by v.path
  ) x on x.path = f.path
  union all
  -- A hazard shows at once; a moderator looks at each that nobody has looked at.
  select 'hazard', r.id::text, r.park_id, r.reported_at, true, r.reporter, false,
    jsonb_build_object('park', private.park_summary(r.park_id, private.my_language()), 'after', jsonb_build_object(
      'hazard', r.hazard, 'verified', r.verified_at is not null,
      'confirmations', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm'),
      'denials', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'over'))),
    '{not_true,misinformation,fake,inappropriate,spam}'
  from private.live_reports r
  where r.hazard is not null and r.hidden_at is null and r.ended_at is null and r.expires_at > now() and not exists (
    select from private.desk_decisions d where d.kind = 'hazard' and d.item_id = r.id::text and d.undone_at is null)
  union all
  select 'person', u.id::text, null, x.since, true, u.id, true,
    jsonb_build_object('person', jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id)), 'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1, 'note', v.note) order by v.created_at)
      from private.user_reports v where v.user_id = u.id and v.resolved_at is null)),
    '{harassment,fake,spam,inappropriate,personal_information}'
  from public.users u join (
    select v.user_id, min(v.created_at) as since from private.user_reports v where v.resolved_at is null group by v.user_id
  ) x on x.user_id = u.id
) w;

create or replace function public.desk_queue(p_kinds text[] default null)
returns table (kind text, id text, park_id bigint, park_name text, since timestamptz, urgent boolean, overdue boolean, claimed text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    select i.kind, i.id, i.park_id, private.park_name(i.park_id, language), i.since, i.urgent,
      i.overdue, case when c.moderator = me then 'mine' when c.moderator is not null then 'other' end
    from private.desk_items i
    left join private.desk_claims c on c.kind = i.kind and c.id = i.id and c.expires_at > now()
    where p_kinds is null or i.kind = any (p_kinds)
    order by i.since, i.kind, i.id limit 500;
end
$$;

create or replace function private.tell_desk() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  member public.user_roles;
  waiting record;
  told integer := 0;
begin
  -- Once for all of them: thousands of items may wait, and dozens of people be told of them.
  select count(*) as items, max(i.since) as newest, max(i.since) filter (where i.urgent) as newest_urgent,
    floor(extract(epoch from now() - min(i.since)) / 3600)::integer as hours
  into waiting from private.desk_items i;
  for member in select * from public.user_roles r where not private.is_limited(r.user_id) for update skip locked loop
    if (waiting.newest_urgent > member.told_at and member.told_at < now() - interval '15 minutes')
      or (waiting.newest > member.told_at and member.told_at < now() - interval '6 hours') then
      update public.user_roles r set told_at = now() where r.user_id = member.user_id;
      delete from public.notifications n where n.receiver_id = member.user_id and n.type = 'deskWaiting' and n.seen_at is null;
      perform private.notify('deskWaiting', null, member.user_id, jsonb_build_object('waiting', waiting.items, 'hours', waiting.hours));
      perform private.add_job('desk-mail', 'waiting ' || member.user_id, jsonb_build_object('user_id', member.user_id), member.user_id, interval '1 day');
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;

create or replace function public.desk_people(p_search text)
returns table (id uuid, name text, joined date, role public.role, reports integer, limited boolean)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_search, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  found_ids uuid[];
begin
  perform private.require_role();
  perform private.audit('search_people');
  -- Each by its own index; together with "or" none of them would be used.
  found_ids := array(
    select a.id from auth.users a where a.id = private.to_uuid(p_search)
    union all
    select a.id from auth.users a where lower(a.email) = lower(btrim(p_search)));
  if typed <> '' then
    found_ids := found_ids || array(
      select u.id from public.users u where lower(u.name) like pattern || '%' order by lower(u.name) using ~<~, u.id limit 30);
    -- Only where those whose name begins with it are few.
    if cardinality(found_ids) < 30 then
      found_ids := found_ids || array(select u.id from public.users u where lower(u.name) like '%' || pattern || '%' limit 30);
    end if;
  end if;
  return query
    select u.id, u.name, (u.created_at at time zone 'Asia/Jerusalem')::date, r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id),
      exists (select from private.measures m where m.user_id = u.id and m.shown and m.measure <> 'warn' and m.lifted_at is null and coalesce(m.until, 'infinity') > now())
    from public.users u left join public.user_roles r on r.user_id = u.id
    where u.id = any (found_ids)
    order by lower(u.name) = typed desc, starts_with(lower(u.name), typed) desc, lower(u.name), u.id limit 30;
end
$$;

create or replace function public.my_meetings() returns table (
  park_id bigint, park_name text, meet_at timestamptz, host_id uuid, host_name text, invite_id uuid, status public.invite_status,
  guests jsonb, more_coming integer
)
language sql stable security definer set search_path = ''
as $$
  -- Asked once: these functions would otherwise run for each guest of each meeting.
  with me as materialized (
    select private.uid() as id, private.my_language() as language
  ), meetings as (
    select i.park_id, i.meet_at, i.sender_id as host_id,
      (array_agg(i.id) filter (where i.receiver_id = me.id))[1] as invite_id,
      (array_agg(i.status) filter (where i.receiver_id = me.id))[1] as status
    from me join public.park_invites i on i.sender_id = me.id or i.receiver_id = me.id
    where private.is_meeting_open(i.meet_at)
    group by i.park_id, i.meet_at, i.sender_id
    order by i.meet_at, i.park_id, i.sender_id
    limit 100
  )
  select m.park_id, private.park_name(m.park_id, me.language), m.meet_at, m.host_id, h.name, m.invite_id, m.status,
    coalesce(g.guests, '[]'), coalesce(g.more_coming, 0)::integer
  from me cross join meetings m
  join public.users h on h.id = m.host_id
  -- Who comes is presence to be: of people who are no friends of the caller, a guest learns only how many.
  left join lateral (
    select
      jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'status', i.status) order by i.status = 'accepted' desc, i.status, u.name, u.id)
        filter (where m.host_id = me.id or (i.status = 'accepted' and u.id in (select private.friend_ids()))) as guests,
      count(*) filter (where m.host_id <> me.id and i.status = 'accepted'
        and u.id not in (select private.friend_ids()) and u.id not in (select private.blocked_ids())) as more_coming
    from public.park_invites i join public.users u on u.id = i.receiver_id
    where i.sender_id = m.host_id and i.park_id = m.park_id and i.meet_at = m.meet_at and u.id <> me.id
  ) g on true
  order by m.meet_at, m.park_id, m.host_id
$$;

create or replace function public.friends_of(p_user_id uuid) returns table (user_id uuid, name text, picture text)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.name, u.picture
  from (
    select f.user_high as id from private.friendships f where f.user_low = p_user_id and f.status = 'accepted'
    union all
    select f.user_low from private.friendships f where f.user_high = p_user_id and f.status = 'accepted'
  ) theirs
  join public.users u on u.id = theirs.id
  where private.is_friend(p_user_id)
    and exists (select from public.users o where o.id = p_user_id and o.show_friends)
    and u.id <> (select private.uid())
    and (not u.hidden or u.id in (select private.known_ids()))
    and u.id not in (select private.blocked_ids())
  order by u.name, u.id
$$;

create or replace function private.find_people(p_input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_input, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  unwanted uuid[] := array_remove(array(select private.blocked_ids()) || private.uid(), null);
  signed_in boolean := private.uid() is not null;
  found_ids uuid[];
begin
  if coalesce(char_length(typed), 0) < 2 then
    return;
  end if;
  if auth.uid() is null then
    perform private.limit_address('search_people', 60, '10 minutes');
  else
    perform private.limit_rate('search_people', 600, '1 hour');
  end if;
  -- Anonymous callers do not find people who have blocked somebody: that one could just log out.
  -- Exact names and beginnings of names first, by index, which also knows their order (~<~): a common beginning has thousands.
  -- Only where these are few: similar names.
  found_ids := array(
    (select u.id from public.users u
    where lower(u.name) like pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) order by lower(u.name) using ~<~ limit 40)
    union
    (select u.id from public.users u
    where lower(u.name) like '% ' || pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) limit 40)
    union
    (select d.owner from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id))
    where d.deleted_at is null and lower(d.name) like pattern || '%' and d.owner <> all (unwanted) order by lower(d.name) using ~<~ limit 40)
  );
  if cardinality(found_ids) < 20 and char_length(typed) > 2 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.4', true);
    found_ids := found_ids || array(
      select near.id from (
        (select u.id, extensions.word_similarity(typed, lower(u.name)) as likeness
        from public.users u
        where typed operator(extensions.<%) lower(u.name) and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) limit 2000)
        union all
        (select d.owner, extensions.word_similarity(typed, lower(d.name))
        from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id))
        where d.deleted_at is null and typed operator(extensions.<%) lower(d.name) and d.owner <> all (unwanted) limit 2000)
      ) near
      order by near.likeness desc, near.id limit 40
    );
  end if;
  return query
    select u.id, u.name, private.dogs_of(u.id)
    from public.users u
    where u.id = any (found_ids)
    order by greatest(
      private.name_similarity(typed, lower(u.name)) + 0.01,
      (select max(private.name_similarity(typed, lower(d.name))) from public.dogs d where d.owner = u.id and d.deleted_at is null)
    ) desc, u.name, u.id
    limit 20;
end
$$;
