-- Items that wait at the desk: for each item type a view with the details for moderators, and the rules for who may decide. A new
-- type needs a view here and its row in private.desk_types (desk.sql).

create function private.barred_authors(p_member uuid) returns table (type text, author uuid)
language sql stable security definer set search_path = '' as $$
  -- If the desk has only one member, that member also decides about their own contributions, and the log names the member.
  select k.type, p_member from private.desk_types k
  where (k.reports is not null and p_member is not null) or exists (
    select from public.user_roles r where r.user_id <> p_member and r.role > 'town')
  union all
  select 'user', r.user_id from public.user_roles r
  where r.user_id <> p_member and r.role > 'town'
    and not exists (select from public.user_roles m where m.user_id = p_member and m.role = 'administrator')
$$;
comment on function private.barred_authors is
  'The authors whose items, by type, a member of the desk must leave to others: reports about the member or the member''s posts, their '
  'own contributions and, unless they are an administrator, reports about moderators. Operators (null) decide about everything.';

create function private.may_decide(p_type text, p_author uuid, p_member uuid default auth.uid()) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (select from private.barred_authors(p_member) b where b.type = p_type and b.author = p_author)
$$;
comment on function private.may_decide is
  'Returns true if a member of the desk, by default the caller, may decide about items of this author.';

create function private.contributor_record(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'approved', count(*) filter (where g.status = 'approved'), 'rejected', count(*) filter (where g.status = 'rejected'))
  from (
    select p.status from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = p_user_id
    union all select s.status from public.park_suggestions s where s.user_id = p_user_id
    union all select f.status from private.photo_uploaders u join public.park_photos f on f.path = u.path where u.user_id = p_user_id
  ) g
$$;
comment on function private.contributor_record is
  'The outcomes of all contributions of a user. Moderators see these instead of the contributor''s identity.';

create function private.park_summary(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', p.id, 'lat', p.lat, 'long', p.long, 'status', p.status, 'name', t.name, 'city', t.city, 'address',
    t.address)
  from public.parks p
  left join lateral private.named_park(p.id, p_language) t on true
  where p.id = p_park_id
$$;

create function private.parks_nearby(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.park_summary(n.id, p_language) || jsonb_build_object('metres', n.metres) order by n.metres), '[]')
  from (
    select o.id, round(private.metres_between(o.lat, o.long, p.lat, p.long)) as metres
    from public.parks p join public.parks o on o.id <> p.id and o.status = 'approved'
      and o.lat between p.lat - 0.005 and p.lat + 0.005 and o.long between p.long - 0.006 and p.long + 0.006
    where p.id = p_park_id order by 2 limit 5
  ) n
$$;
comment on function private.parks_nearby is
  'Up to five approved parks within about 500 metres, nearest first; the new park may be a duplicate of one of them.';

create function private.user_history(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(h.line order by h.at desc), '[]') from (
    select m.imposed_at as at, jsonb_build_object('sanction_id', m.id, 'decision', m.sanction, 'reason', m.reason, 'until', m.until,
      'at', m.imposed_at, 'revoked_at', m.revoked_at) as line
    from private.sanctions m where m.user_id = p_user_id and m.shown
    union all
    select d.decided_at, jsonb_build_object('type', d.type, 'decision', d.decision, 'reason', d.reason, 'at', d.decided_at, 'revoked_at',
      d.undone_at)
    from private.desk_decisions d
    where d.subject = p_user_id and d.decision in ('approve', 'reject') and private.may_decide('user', p_user_id)
  ) h
$$;
comment on function private.user_history is
  'The decisions about a user that moderators may know, newest first. Decisions about reports are excluded for members who may not know '
  'of these reports.';

create function private.suggestion_context(p_suggestion public.park_suggestions) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'park', private.park_summary(p_suggestion.park_id, private.my_language()),
    'other', private.park_summary(p_suggestion.duplicate_of, private.my_language()),
    'then', p_suggestion.before,
    'before', private.park_fields(p_suggestion.park_id),
    'after', private.suggested_fields(p_suggestion) - 'duplicate_of')
$$;

-- Each view finds its oldest items, and an item by its ID, with an index that contains only waiting rows, because there may be
-- thousands of rows. The columns after urgent are computed only if they are selected.
create view private.desk_parks as
select p.id::text as id, p.id as park_id, p.created_at as since,
  s.user_id as author, false as author_shown,
  jsonb_build_object(
    'park', private.park_summary(p.id, private.my_language()),
    'after', jsonb_strip_nulls(private.pick(to_jsonb(p), 'size', 'materials', 'shade', 'has_facilities', 'facts', 'source', 'licence')),
    'nearby', private.parks_nearby(p.id, private.my_language())) as context
from public.parks p left join private.park_submitters s on s.park_id = p.id where p.status = 'pending';

create view private.desk_corrections as
select s.id::text as id, s.park_id, s.created_at as since, s.user_id as author,
  false as author_shown,
  private.suggestion_context(s) as context
from public.park_suggestions s where s.status = 'pending' and s.claim is distinct from 'duplicate';

create view private.desk_merges as
select s.id::text as id, s.park_id, s.created_at as since, s.user_id as author,
  false as author_shown,
  private.suggestion_context(s) as context
from public.park_suggestions s where s.status = 'pending' and s.claim = 'duplicate';

create view private.desk_photos as
select w.path as id, f.park_id, w.since,
  u.user_id as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('path', f.path, 'bucket', (
      select min(o.bucket_id) from storage.objects o where o.bucket_id in ('pending-photos', 'parks') and o.name = f.path)),
    'of_hazard', f.of_hazard) as context
from private.waiting_photos w join public.park_photos f on f.path = w.path left join private.photo_uploaders u on u.path = w.path
-- An approved photo is not waiting while its file is being moved.
where not exists (
  select from storage.objects o join private.jobs j on j.type = 'move-photo' and j.key = o.id::text and j.failed_at is null
  where o.bucket_id in ('pending-photos', 'parks') and o.name = w.path);

-- A reported review waits since the first of its open reports.
create view private.desk_reviews as
select x.review_id::text as id, r.park_id, x.created_at as since, r.author,
  not r.anonymous and r.author is not null as author_shown,
  jsonb_build_object(
    'park', private.park_summary(r.park_id, private.my_language()),
    'review', jsonb_build_object('title', r.title, 'content', r.content, 'rank', r.rank, 'anonymous', r.anonymous,
      'day', private.park_day(r.created_at), 'hidden', r.hidden_at is not null)
      || coalesce(r.public_version - 'updated_at', '{}'),
    'user', (select jsonb_build_object('id', u.id, 'name', u.name, 'history', private.user_history(u.id))
      from public.users u where u.id = r.author and not r.anonymous),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', y.reason, 'count', y.many) order by y.many desc)
      from (select v.reason, count(*) as many from private.review_reports v where v.review_id = r.id
        and v.resolved_at is null group by v.reason) y)) as context
from private.review_reports x join public.reviews r on r.id = x.review_id
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.review_reports e
  where e.review_id = x.review_id and e.resolved_at is null order by e.created_at, e.reporter limit 1);

create view private.desk_photo_reports as
select x.path as id, f.park_id, x.created_at as since,
  u.user_id as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('bucket', 'parks',
    'path', f.path),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at)
      from private.photo_reports v where v.path = f.path and v.resolved_at is null)) as context
from private.photo_reports x join public.park_photos f on f.path = x.path left join private.photo_uploaders u on u.path = x.path
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.photo_reports e
  where e.path = x.path and e.resolved_at is null order by e.created_at, e.reporter limit 1);

-- Hazards are shown before a moderator reviews them, so every hazard without a review is waiting.
create view private.desk_hazards as
select r.id::text as id, r.park_id, r.reported_at as since, r.reporter as author,
  false as author_shown,
  jsonb_build_object('park', private.park_summary(r.park_id, private.my_language()), 'after', jsonb_build_object(
    'hazard', r.hazard, 'verified', r.verified_at is not null,
    'confirmations', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm'),
    'denials', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'over'))) as context
from private.live_reports r
where r.hazard is not null and r.hidden_at is null and r.ended_at is null and r.expires_at > now() and not exists (
  select from private.desk_decisions d where d.type = 'hazard' and d.item_id = r.id::text and d.undone_at is null);

create view private.desk_pack_times as
select x.pack_time_id::text as id, t.park_id, x.created_at as since, t.host_id as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(t.park_id, private.my_language()),
    'after', jsonb_build_object('weekday', t.weekday, 'starts', to_char(t.starts, 'HH24:MI')),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at)
      from private.pack_time_reports v where v.pack_time_id = t.id and v.resolved_at is null)) as context
from private.pack_time_reports x join private.pack_times t on t.id = x.pack_time_id
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.pack_time_reports e
  where e.pack_time_id = x.pack_time_id and e.resolved_at is null order by e.created_at, e.reporter limit 1);

-- Each card is reviewed once, and again if it is reported or moved far away.
create view private.desk_lost_dogs as
select l.id::text as id, null::bigint as park_id, coalesce(x.since, l.queued_at) as since, l.reporter as author, false as author_shown,
  jsonb_build_object('after', jsonb_build_object('dog', l.name),
    'photo', case when p.path is not null then jsonb_build_object('bucket', 'lost-dogs', 'path', p.path) end,
    'reports', x.reports) as context
from private.lost_dogs l cross join private.lost_photo('lost-dogs', l.id) p (path)
left join lateral (
  select min(v.created_at) as since,
    jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at) as reports
  from private.lost_dog_reports v where v.lost_id = l.id and v.resolved_at is null
) x on true
where l.hidden_at is null and (x.since is not null or (l.approved_at is null and l.until > now()));

create view private.desk_reported_users as
select x.user_id::text as id, null::bigint as park_id, x.created_at as since,
  x.user_id as author, true as author_shown,
  (select jsonb_build_object('user', jsonb_build_object('id', u.id, 'name', u.name, 'history', private.user_history(u.id)), 'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1, 'note', v.note) order by v.created_at)
      from private.user_reports v where v.user_id = u.id and v.resolved_at is null))
    from public.users u where u.id = x.user_id) as context
from private.user_reports x
where x.resolved_at is null and x.id = (
  select e.id from private.user_reports e
  where e.user_id = x.user_id and e.resolved_at is null order by e.created_at, e.id limit 1);

-- Builds a statement with only the requested types and with literals, so that each view uses its own index.
create function private.waiting_items(
  p_types text[] default null, p_ids text[] default null, p_member uuid default null, p_after timestamptz default '-infinity',
  p_limit integer default null, p_author uuid default null
) returns setof private.waiting_item
language plpgsql stable security definer set search_path = '' as $$
declare
  statement text := (
    select string_agg(format('(select %L::text, i.id, i.park_id, i.since, %L::boolean, private.is_overdue(i.since), i.author,
        i.author_shown from %s i where i.since > $1', k.type, k.urgent, k.items)
      || case when p_ids is not null then ' and i.id = any ($2)' else '' end
      || case when p_author is not null then ' and i.author = $4' else '' end
      || case when barred.authors is not null then format(' and coalesce(i.author <> all (%L::uuid[]), true)', barred.authors) else '' end
      || ' order by i.since, i.id limit $3)', ' union all ')
    from private.desk_types k
    left join lateral (
      select array_agg(b.author) as authors from private.barred_authors(p_member) b where b.type = k.type
    ) barred on p_member is not null
    where p_types is null or k.type = any (p_types));
begin
  if statement is not null then
    return query execute 'select * from (' || statement || ') w order by 4, 1, 2 limit $3' using p_after, p_ids, p_limit, p_author;
  end if;
end
$$;
comment on function private.waiting_items is
  'Waiting items: of these types, with these IDs, since after a time, by this author, and only those that a member of the desk may decide; '
  'null means all. Oldest first, at most p_limit.';

-- Setting search_path would prevent PostgreSQL from inlining the function into statements that call it for each row.
create function private.is_overdue(p_since timestamptz) returns boolean
language sql stable as $$
  select p_since < now() - interval '24 hours'
$$;

create function private.item_name(p_type text, p_id text) returns text
language sql volatile security definer set search_path = '' as $$
  select p_type || ':' || case when p_type = 'user' then coalesce(private.audit_handle(private.to_uuid(p_id))::text, 'unknown')
    else p_id end
$$;
comment on function private.item_name is 'The name of an item in the audit log. A user is named by a handle.';

create function private.reported_author(p_type text, p_id text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  query text := (select 'select ' || k.about from private.desk_types k where k.type = p_type);
  author uuid;
begin
  if query is not null then
    execute query into author using p_id;
  end if;
  return author;
end
$$;
comment on function private.reported_author is
  'The contributor of an item, or the user whom a report is about. It also works for items that are not waiting.';
