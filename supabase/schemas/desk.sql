-- The desk: one queue of everything that waits for a human. A kind of item is one view (what waits, and what is shown of it),
-- named in private.desk_items, private.find_waiting and private.waiting_items, and one branch of private.carry_out (what a decision
-- does). The page /desk and the operators' commands use the same functions.

-- Types ----------------------------------------------------------------------------------------------------------

create type private.waiting_item as (id text, park_id bigint, author uuid, author_shown boolean, reasons public.decision_reason[]);
comment on type private.waiting_item is 'What a decision needs to know of an item; reasons are the same for all items of a kind.';

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.desk_claims (
  kind text not null,
  id text not null,
  moderator uuid not null references public.user_roles (user_id) on delete cascade,
  expires_at timestamptz not null,
  primary key (kind, id)
);
comment on table private.desk_claims is 'Who looks at which item; two moderators never look at the same one.';
alter table private.desk_claims enable row level security;

create table private.desk_decisions (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  item_id text not null,
  park_id bigint references public.parks (id) on delete set null,
  decision text not null check (decision in ('approve', 'reject', 'warn', 'limit', 'suspend', 'ban')),
  reason public.decision_reason,
  actor uuid references public.users (id) on delete set null,
  subject uuid references public.users (id) on delete set null,
  decided_at timestamptz not null default now(),
  undone_at timestamptz
);
comment on table private.desk_decisions is 'What was decided, for a year; moderators see it as history.';
comment on column private.desk_decisions.subject is 'Whom it was about, where moderators may know: never the author of an anonymous review, nor who gave a park, a correction or a photo.';
comment on column private.desk_decisions.actor is 'Null for an operator, or where the moderator''s account is deleted.';
alter table private.desk_decisions enable row level security;

create table private.desk_changes (
  id bigint generated always as identity primary key,
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  before jsonb,
  after jsonb,
  people uuid[] not null
);
comment on table private.desk_changes is 'The rows that a decision changed, as they were and as they became, so that it can be undone for 30 days.';
comment on column private.desk_changes.people is 'Who stands in them: with the account of one of them the copy goes.';
alter table private.desk_changes enable row level security;

create table private.desk_moves (
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  from_park bigint not null references public.parks (id) on delete cascade,
  into_park bigint not null references public.parks (id) on delete cascade,
  moved jsonb not null,
  primary key (decision_id, relation)
);
comment on table private.desk_moves is 'What a merger moved from one park to another and changed in nothing else, so that it can be undone for 30 days: hundreds of rows would take a tenth of a second in desk_changes.';
comment on column private.desk_moves.moved is 'The ids of the rows; of favourites, whose they are. Of busy hours, which moved once, the rows themselves.';
alter table private.desk_moves enable row level security;

-- Indexes --------------------------------------------------------------------------------------------------------

create index on private.desk_claims (moderator);
create index on private.desk_decisions (kind, item_id);
create index on private.desk_decisions (park_id);
create index on private.desk_decisions (actor);
create index on private.desk_decisions (subject);
create index desk_decisions_by_time on private.desk_decisions (decided_at);
create index on private.desk_changes (decision_id);
create index desk_changes_people on private.desk_changes using gin (people);
create index on private.desk_moves (from_park);
create index on private.desk_moves (into_park);

-- Triggers: what a decision changes ------------------------------------------------------------------------------

create function private.record_desk_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  insert into private.desk_changes (decision_id, relation, before, after, people)
  values (current_setting('packpark.decision')::uuid, tg_relid::regclass::text, was, is_now, array(
    select u.id from public.users u where u.id = any (array(
      -- Most values are too short or too long to be an id: only the others are looked at.
      select private.to_uuid(f.value) from (select * from jsonb_each_text(was) union all select * from jsonb_each_text(is_now)) f
      where length(f.value) = 36))));
  return null;
end
$$;
comment on function private.record_desk_change is 'Keeps what private.carry_out changes; a table whose rows decisions change has this trigger.';

create trigger record_desk_change after insert or update or delete on public.parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_translations
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_suggestions
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.park_photos
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.review_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.user_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.photo_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.live_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.former_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
-- What else moves with a park that is merged: the rest of it is in desk_moves.
create trigger record_desk_change after insert or update or delete on public.favourite_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.park_ratings
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.hidden_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.replaced_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

create trigger record_desk_change after insert or update or delete on private.measures
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

create function private.forget_at_desk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.desk_changes c where c.people @> array[old.id];
  update private.desk_moves m set moved = m.moved - old.id::text where m.relation = 'public.favourite_parks' and m.moved ? old.id::text;
  delete from private.desk_decisions d where d.kind = 'person' and d.item_id = old.id::text;
  delete from private.desk_claims c where c.kind = 'person' and c.id = old.id::text;
  return old;
end
$$;
comment on function private.forget_at_desk is 'With an account go the copies for undoing that it stands in, and what was decided about the person.';
create trigger forget_at_desk before delete on public.users for each row execute function private.forget_at_desk();

-- The queue ------------------------------------------------------------------------------------------------------

create function private.giver_record(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'approved', count(*) filter (where g.status = 'approved'), 'rejected', count(*) filter (where g.status = 'rejected'))
  from (
    select p.status from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = p_user_id
    union all select s.status from public.park_suggestions s where s.user_id = p_user_id
    union all select f.status from private.photo_uploaders u join public.park_photos f on f.path = u.path where u.user_id = p_user_id
  ) g
$$;
comment on function private.giver_record is 'What became of all that somebody gave; moderators see this instead of who it was.';

create function private.park_summary(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', p.id, 'lat', p.lat, 'long', p.long, 'status', p.status, 'name', t.name, 'city', t.city, 'address', t.address)
  from public.parks p
  left join lateral private.named_park(p.id, p_language) t on true
  where p.id = p_park_id
$$;

create function private.parks_nearby(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(private.park_summary(n.id, p_language) || jsonb_build_object('metres', n.metres) order by n.metres), '[]')
  from (
    select o.id, round(111195 * sqrt((o.lat - p.lat) ^ 2 + ((o.long - p.long) * cosd(p.lat)) ^ 2)) as metres
    from public.parks p join public.parks o on o.id <> p.id and o.status = 'approved'
      and o.lat between p.lat - 0.005 and p.lat + 0.005 and o.long between p.long - 0.006 and p.long + 0.006
    where p.id = p_park_id order by 2 limit 5
  ) n
$$;
comment on function private.parks_nearby is 'The approved parks within about 500 metres, nearest first, at most five: a new one may be among them.';

create function private.person_history(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(h.line order by h.at desc), '[]') from (
    select m.taken_at as at, jsonb_build_object('measure_id', m.id, 'decision', m.measure, 'reason', m.reason, 'until', m.until,
      'at', m.taken_at, 'lifted_at', m.lifted_at) as line
    from private.measures m where m.user_id = p_user_id and m.shown
    union all
    select d.decided_at, jsonb_build_object('kind', d.kind, 'decision', d.decision, 'reason', d.reason, 'at', d.decided_at, 'lifted_at', d.undone_at)
    from private.desk_decisions d where d.subject = p_user_id and d.decision in ('approve', 'reject')
  ) h
$$;
comment on function private.person_history is 'What was decided about a person, newest first, of what moderators may know.';

create function private.suggestion_context(p_suggestion public.park_suggestions) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'park', private.park_summary(p_suggestion.park_id, private.my_language()),
    'other', private.park_summary(p_suggestion.double_of, private.my_language()),
    'then', p_suggestion.before,
    'before', private.park_fields(p_suggestion.park_id),
    'after', private.suggested_fields(p_suggestion) - 'double_of')
$$;

-- Each view finds its oldest items, and one by its id, by an index that has only what waits: thousands may. The columns after
-- urgent are computed only where they are asked for.
create view private.desk_parks as
select 'park'::text as kind, p.id::text as id, p.id as park_id, p.created_at as since, false as urgent,
  (select s.user_id from private.park_submitters s where s.park_id = p.id) as author, false as author_shown,
  jsonb_build_object(
    'park', private.park_summary(p.id, private.my_language()),
    'after', jsonb_strip_nulls(private.pick(to_jsonb(p), 'size', 'materials', 'shade', 'has_facilities', 'facts', 'source', 'licence')),
    'nearby', private.parks_nearby(p.id, private.my_language())) as context,
  '{duplicate,not_a_park,wrong_place,not_true,unclear,inappropriate,spam}'::public.decision_reason[] as reasons
from public.parks p where p.status = 'pending';

create view private.desk_corrections as
select 'correction'::text as kind, s.id::text as id, s.park_id, s.created_at as since, false as urgent, s.user_id as author, false as author_shown,
  private.suggestion_context(s) as context, '{not_true,wrong_park,unclear,inappropriate,spam}'::public.decision_reason[] as reasons
from public.park_suggestions s where s.status = 'pending' and s.claim is distinct from 'double';

create view private.desk_merges as
select 'merge'::text as kind, s.id::text as id, s.park_id, s.created_at as since, false as urgent, s.user_id as author, false as author_shown,
  private.suggestion_context(s) as context, '{not_true,wrong_park,unclear,inappropriate,spam}'::public.decision_reason[] as reasons
from public.park_suggestions s where s.status = 'pending' and s.claim = 'double';

create view private.desk_photos as
select 'photo'::text as kind, w.path as id, f.park_id, w.since, false as urgent,
  (select u.user_id from private.photo_uploaders u where u.path = w.path) as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('path', f.path, 'bucket', (
      select min(o.bucket_id) from storage.objects o where o.bucket_id in ('pending-photos', 'parks') and o.name = f.path)),
    'of_hazard', f.of_hazard) as context,
  '{wrong_park,poor_photo,people_in_photo,inappropriate,spam}'::public.decision_reason[] as reasons
from private.waiting_photos w join public.park_photos f on f.path = w.path
-- One that was approved leaves the queue while its file is moved.
where not exists (select from private.jobs j where j.kind = 'move-photo' and j.key = w.path and j.failed_at is null);

-- What was reported waits since the first of its open reports.
create view private.desk_reviews as
select 'review'::text as kind, x.review_id::text as id, r.park_id, x.created_at as since, false as urgent, r.author,
  not r.anonymous and r.author is not null as author_shown,
  jsonb_build_object(
    'park', private.park_summary(r.park_id, private.my_language()),
    'review', jsonb_build_object('title', r.title, 'content', r.content, 'rank', r.rank, 'anonymous', r.anonymous,
      'day', private.park_day(r.created_at), 'hidden', r.hidden_at is not null),
    'person', (select jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id))
      from public.users u where u.id = r.author and not r.anonymous),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', y.reason, 'count', y.many) order by y.many desc)
      from (select v.reason, count(*) as many from private.review_reports v where v.review_id = r.id and v.resolved_at is null group by v.reason) y)) as context,
  '{spam,inappropriate,misinformation,fake,personal_information,harassment}'::public.decision_reason[] as reasons
from private.review_reports x join public.reviews r on r.id = x.review_id
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.review_reports e
  where e.review_id = x.review_id and e.resolved_at is null order by e.created_at, e.reporter limit 1);

create view private.desk_photo_reports as
select 'photo_report'::text as kind, x.path as id, f.park_id, x.created_at as since, true as urgent,
  (select u.user_id from private.photo_uploaders u where u.path = x.path) as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(f.park_id, private.my_language()), 'photo', jsonb_build_object('bucket', 'parks', 'path', f.path),
    'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1) order by v.created_at)
      from private.photo_reports v where v.path = f.path and v.resolved_at is null)) as context,
  '{people_in_photo,wrong_park,poor_photo,inappropriate,spam}'::public.decision_reason[] as reasons
from private.photo_reports x join public.park_photos f on f.path = x.path
where x.resolved_at is null and x.reporter = (
  select e.reporter from private.photo_reports e
  where e.path = x.path and e.resolved_at is null order by e.created_at, e.reporter limit 1);

-- A hazard shows at once; a moderator looks at each that nobody has looked at.
create view private.desk_hazards as
select 'hazard'::text as kind, r.id::text as id, r.park_id, r.reported_at as since, true as urgent, r.reporter as author, false as author_shown,
  jsonb_build_object('park', private.park_summary(r.park_id, private.my_language()), 'after', jsonb_build_object(
    'hazard', r.hazard, 'verified', r.verified_at is not null,
    'confirmations', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'confirm'),
    'denials', (select count(*) from private.live_report_votes v where v.report_id = r.id and v.vote = 'over'))) as context,
  '{not_true,misinformation,fake,inappropriate,spam}'::public.decision_reason[] as reasons
from private.live_reports r
where r.hazard is not null and r.hidden_at is null and r.ended_at is null and r.expires_at > now() and not exists (
  select from private.desk_decisions d where d.kind = 'hazard' and d.item_id = r.id::text and d.undone_at is null);

create view private.desk_persons as
select 'person'::text as kind, x.user_id::text as id, null::bigint as park_id, x.created_at as since, true as urgent,
  x.user_id as author, true as author_shown,
  (select jsonb_build_object('person', jsonb_build_object('id', u.id, 'name', u.name, 'history', private.person_history(u.id)), 'reports', (
      select jsonb_agg(jsonb_build_object('reason', v.reason, 'count', 1, 'note', v.note) order by v.created_at)
      from private.user_reports v where v.user_id = u.id and v.resolved_at is null))
    from public.users u where u.id = x.user_id) as context,
  '{harassment,fake,spam,inappropriate,personal_information}'::public.decision_reason[] as reasons
from private.user_reports x
where x.resolved_at is null and x.id = (
  select e.id from private.user_reports e
  where e.user_id = x.user_id and e.resolved_at is null order by e.created_at, e.id limit 1);

create view private.desk_items as
select w.*, w.since < now() - interval '24 hours' as overdue from (
  select * from private.desk_parks
  union all select * from private.desk_corrections
  union all select * from private.desk_merges
  union all select * from private.desk_photos
  union all select * from private.desk_reviews
  union all select * from private.desk_photo_reports
  union all select * from private.desk_hazards
  union all select * from private.desk_persons
) w;
comment on view private.desk_items is 'Everything that waits for a moderator; overdue after the 24 hours in which stores and laws ask for an answer. author is for notifications and measures; moderators read it where author_shown says so.';

-- Without a search_path of its own it becomes part of the statement that uses it: for each value of a row that changes.
create function private.to_uuid(p_text text) returns uuid
language sql immutable
as $$
  select case when p_text ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_text::uuid end
$$;

create function private.item_name(p_kind text, p_id text) returns text
language sql volatile security definer set search_path = ''
as $$
  select p_kind || ':' || case when p_kind = 'person' then coalesce(private.audit_handle(private.to_uuid(p_id))::text, 'unknown') else p_id end
$$;
comment on function private.item_name is 'How the audit log names an item: a person by the handle.';

create function private.barred_authors(p_member uuid) returns table (kind text, author uuid)
language sql stable security definer set search_path = ''
as $$
  select k.kind, p_member from unnest(array['person', 'review', 'photo_report']) k (kind) where p_member is not null
  union all
  select 'person', r.user_id from public.user_roles r
  where r.user_id <> p_member and not exists (select from public.user_roles m where m.user_id = p_member and m.role = 'administrator')
$$;
comment on function private.barred_authors is 'Whose items of which kinds a member of the desk leaves to others: nobody decides about a report of themself or of what they posted, and only administrators do about moderators. Operators (null) may.';

create function private.may_decide(p_kind text, p_author uuid, p_member uuid default auth.uid()) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (select from private.barred_authors(p_member) b where b.kind = p_kind and b.author = p_author)
$$;
comment on function private.may_decide is 'Whether a member of the desk, the caller unless another is named, decides about something of this author.';

create function private.reported_author(p_kind text, p_id text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select case p_kind
    when 'person' then private.to_uuid(p_id)
    when 'review' then (select r.author from public.reviews r where r.id = private.to_uuid(p_id))
    when 'photo_report' then (select u.user_id from private.photo_uploaders u where u.path = p_id)
  end
$$;
comment on function private.reported_author is 'Whom a report of this is about, whether there is one or not; null of other kinds.';

-- Functions: claims ----------------------------------------------------------------------------------------------

create function private.claim_item(p_kind text, p_id text, p_moderator uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- An operator works alone, and sees that somebody else is at it by being refused.
  if p_moderator is null then
    return not exists (select from private.desk_claims c where c.kind = p_kind and c.id = p_id and c.expires_at > now());
  end if;
  insert into private.desk_claims as c (kind, id, moderator, expires_at) values (p_kind, p_id, p_moderator, now() + interval '10 minutes')
  on conflict (kind, id) do update set moderator = excluded.moderator, expires_at = excluded.expires_at
  where c.moderator = excluded.moderator or c.expires_at <= now();
  return found;
end
$$;
comment on function private.claim_item is 'Makes an item this moderator''s for ten minutes; false where another one has it. Whoever claims or decides has locked the item (private.lock_items).';

create function private.lock_items(p_kind text, p_ids text[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || o.id, 0))
  from (select distinct i.id from unnest(p_ids) i (id) order by i.id) o;
end
$$;
comment on function private.lock_items is 'Locks items in one order, until the transaction ends; what is read before does not count any more.';

-- Planned once for a connection, as is the next one: to plan for all kinds takes longer than to read one item. And each kind by
-- itself: a statement about all eight is made ready for all eight.
create function private.find_waiting(p_kind text, p_ids text[]) returns setof private.waiting_item
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  case p_kind
    when 'park' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_parks i where i.id = any (p_ids);
    when 'correction' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_corrections i where i.id = any (p_ids);
    when 'merge' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_merges i where i.id = any (p_ids);
    when 'photo' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_photos i where i.id = any (p_ids);
    when 'review' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_reviews i where i.id = any (p_ids);
    when 'photo_report' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_photo_reports i where i.id = any (p_ids);
    when 'hazard' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_hazards i where i.id = any (p_ids);
    when 'person' then
      return query select i.id, i.park_id, i.author, i.author_shown, i.reasons from private.desk_persons i where i.id = any (p_ids);
    else
      return;
  end case;
end
$$;
comment on function private.find_waiting is 'Items by their kind and ids, whoever may decide about them; no row for one that does not wait.';

create function private.item_of(p_kind text, p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  return (
    select jsonb_build_object('kind', i.kind, 'id', i.id, 'park_id', i.park_id, 'since', i.since, 'urgent', i.urgent,
        'overdue', i.overdue, 'reasons', i.reasons)
      || i.context
      || case when i.author is not null and not i.author_shown and i.kind in ('park', 'correction', 'merge', 'photo', 'photo_report')
        then jsonb_build_object('giver', private.giver_record(i.author)) else '{}' end
    from private.desk_items i where i.kind = p_kind and i.id = p_id and private.may_decide(i.kind, i.author));
end
$$;

-- Functions: deciding --------------------------------------------------------------------------------------------

create function private.carry_out(p_kind text, p_id text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return case p_kind
    when 'park' then private.decide_park(p_id::bigint, p_approve)
    when 'correction' then private.decide_suggestion(p_id::uuid, p_approve)
    when 'merge' then private.decide_suggestion(p_id::uuid, p_approve)
    when 'photo' then private.decide_photo(p_id, p_approve)
    when 'photo_report' then private.decide_photo_report(p_id, p_approve)
    when 'hazard' then p_approve or private.hide_hazard(p_id::uuid)
    when 'review' then private.decide_review(p_id::uuid, p_approve)
    when 'person' then private.decide_person(p_id::uuid, p_approve)
  end;
end
$$;
comment on function private.carry_out is 'Approve publishes what was given, or leaves what was reported; reject is the opposite. False where there is nothing to decide any more: then nothing is changed.';

create function private.tell_authors(p_kind text, p_items private.waiting_item[], p_approve boolean, p_reason public.decision_reason) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- That somebody's review or account was looked at and left alone is no news for them.
  if p_kind = 'person' or (p_kind in ('review', 'photo_report', 'hazard') and p_approve) then
    return;
  end if;
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', i.author, jsonb_strip_nulls(jsonb_build_object('kind', p_kind, 'park_id', i.park_id, 'approved', p_approve, 'reason', p_reason))
  from unnest(p_items) i where i.author is not null;
end
$$;

create function private.open_reports(p_kind text, p_ids text[]) returns table (id text, reporter uuid)
language plpgsql stable security definer set search_path = ''
as $$
begin
  case p_kind
    when 'review' then
      return query select x.review_id::text, x.reporter from private.review_reports x where x.review_id::text = any (p_ids) and x.resolved_at is null;
    when 'photo_report' then
      return query select x.path, x.reporter from private.photo_reports x where x.path = any (p_ids) and x.resolved_at is null;
    when 'person' then
      return query select distinct x.user_id::text, x.reporter from private.user_reports x where x.user_id::text = any (p_ids) and x.resolved_at is null;
    else
      return;
  end case;
end
$$;
comment on function private.open_reports is 'Who reported items of a kind and waits for an answer, each once for an item.';

create function private.tell_reporters(p_kind text, p_reporters uuid[], p_park_ids bigint[], p_approve boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_reporters = '{}' then
    return;
  end if;
  -- Whether a review or a photo is still there, everybody sees; what was done about a person is nobody else's business.
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', r.reporter, jsonb_strip_nulls(jsonb_build_object(
    'kind', case p_kind when 'photo_report' then 'reported_photo' else 'reported_' || p_kind end,
    'park_id', r.park_id, 'approved', case when p_kind <> 'person' then p_approve end))
  from unnest(p_reporters, p_park_ids) r (reporter, park_id);
end
$$;
comment on function private.tell_reporters is 'Tells who reported items, each of a park or of none, that somebody looked at them.';

create function private.begin_decision(
  p_kind text, p_id text, p_park_id bigint, p_subject uuid, p_decision text, p_reason public.decision_reason, p_actor uuid
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  decision_id uuid;
begin
  insert into private.desk_decisions (kind, item_id, park_id, decision, reason, actor, subject)
  values (p_kind, p_id, p_park_id, p_decision, p_reason, p_actor, p_subject)
  returning id into decision_id;
  -- What changes from here on is recorded under this decision.
  perform set_config('packpark.decision', decision_id::text, true);
  return decision_id;
end
$$;

create function private.audit_decisions(p_decisions uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.audit_each(d.decision, array_agg(private.item_name(d.kind, d.item_id)),
    array_agg(jsonb_strip_nulls(jsonb_build_object('decision', d.id, 'reason', d.reason))))
  from private.desk_decisions d where d.id = any (p_decisions) group by d.decision;
end
$$;

create function private.enter_desk(p_alone boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_alone then
    perform pg_advisory_xact_lock(hashtextextended('desk', 0));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended('desk', 0));
  end if;
end
$$;
comment on function private.enter_desk is 'Before a decision locks anything else: decisions about an item go side by side, and what changes rows of several items goes alone, so that no two ever wait for each other.';

-- RPCs: the queue ------------------------------------------------------------------------------------------------

-- Planned once for a connection, too.
create function private.waiting_items(p_member uuid, p_kinds text[], p_after timestamptz, p_limit integer)
returns table (kind text, id text, park_id bigint, since timestamptz, urgent boolean, overdue boolean)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  barred_persons uuid[];
  barred_reviewers uuid[];
  barred_photographers uuid[];
begin
  -- Once, not for each of thousands of items; and nobody is asked for of the many parks and photos that wait.
  select coalesce(array_agg(b.author) filter (where b.kind = 'person'), '{}'), coalesce(array_agg(b.author) filter (where b.kind = 'review'), '{}'),
    coalesce(array_agg(b.author) filter (where b.kind = 'photo_report'), '{}')
  into barred_persons, barred_reviewers, barred_photographers
  from private.barred_authors(p_member) b;
  return query
    -- Of each kind the oldest, in their order: the last one of all that are asked for ends it.
    select w.kind, w.id, w.park_id, w.since, w.urgent, w.since < now() - interval '24 hours' from (
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_parks i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit p_limit)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_corrections i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit p_limit)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_merges i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit p_limit)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_photos i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit p_limit)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_hazards i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit p_limit)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_reviews i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after and coalesce(i.author <> all (barred_reviewers), true) order by i.since, i.id limit p_limit)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_photo_reports i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after and coalesce(i.author <> all (barred_photographers), true) order by i.since, i.id limit p_limit)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_persons i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after and i.author <> all (barred_persons) order by i.since, i.id limit p_limit)
    ) w order by w.since, w.kind, w.id limit p_limit;
end
$$;
comment on function private.waiting_items is 'What waits since after a moment and a member of the desk may decide, oldest first, at most so many.';

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

create function public.desk_queue(p_kinds text[] default null)
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

create function public.desk_claim(p_kind text, p_id text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item jsonb;
begin
  perform private.lock_items(p_kind, array[p_id]);
  item := private.item_of(p_kind, p_id);
  if item is null then
    return null;
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  return item;
end
$$;
comment on function public.desk_claim is 'Opens an item for the caller, for ten minutes at a time; null where it no longer waits.';

create function public.desk_next(p_kinds text[] default null, p_after timestamptz default '-infinity') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  most integer;
begin
  -- Nearly always one of the first is free.
  foreach most in array array[50, 500] loop
    for item in
      select i.kind, i.id from private.waiting_items(me, p_kinds, p_after, most) i
      where not exists (select from private.desk_claims c where c.kind = i.kind and c.id = i.id and c.moderator <> me and c.expires_at > now())
      order by i.since, i.kind, i.id
    loop
      -- Whoever asks at the same moment goes on to the next one instead of waiting.
      if pg_try_advisory_xact_lock(hashtextextended('desk:' || item.kind || ':' || item.id, 0))
        and private.claim_item(item.kind, item.id, me) then
        return private.item_of(item.kind, item.id);
      end if;
    end loop;
  end loop;
  return null;
end
$$;
comment on function public.desk_next is 'Claims and opens the oldest item that no other moderator has, among those that wait since after p_after.';

create function public.desk_release(p_kind text, p_id text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
begin
  delete from private.desk_claims c where c.kind = p_kind and c.id = p_id and c.moderator = me;
end
$$;

create function private.decide_items(
  p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason, p_member uuid, p_all boolean
) returns uuid[]
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  barred uuid[] := array(select b.author from private.barred_authors(p_member) b where b.kind = p_kind);
  items private.waiting_item[];
  item private.waiting_item;
  decisions uuid[];
  -- Side by side: who reported which items.
  reported text[];
  reporters uuid[];
  left_out text[] := '{}';
begin
  -- Asked first: whether something about them waits is not for them to learn.
  if barred <> '{}' and exists (select from unnest(p_ids) i (id) where private.reported_author(p_kind, i.id) = any (barred)) then
    perform private.fail('not_allowed', 'Somebody else decides about this.', '42501');
  end if;
  perform private.lock_items(p_kind, p_ids);
  items := array(
    select i from private.find_waiting(p_kind, p_ids) i
    where not exists (
      select from private.desk_claims c where c.kind = p_kind and c.id = i.id and c.expires_at > now() and c.moderator is distinct from p_member)
    order by i.id);
  if p_all and cardinality(items) < cardinality(p_ids) then
    if (select count(*) from private.find_waiting(p_kind, p_ids)) = cardinality(p_ids) then
      perform private.fail('claimed_by_other', 'Another moderator looks at this.');
    end if;
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if items = '{}' then
    return '{}';
  end if;
  if p_approve is null or (not p_approve and not coalesce(p_reason = any ((items[1]).reasons), false)) then
    perform private.fail('reason_needed', 'Whoever is refused something gets one of the reasons of this kind.');
  end if;
  decisions := array(select gen_random_uuid() from unnest(items));
  insert into private.desk_decisions (id, kind, item_id, park_id, decision, reason, actor, subject)
  select i.decision, p_kind, i.id, i.park_id, case when p_approve then 'approve' else 'reject' end, case when not p_approve then p_reason end,
    p_member, case when i.author_shown then i.author end
  from unnest(items, decisions) i (id, park_id, author, author_shown, reasons, decision);
  select coalesce(array_agg(r.id), '{}'), coalesce(array_agg(r.reporter), '{}') into reported, reporters from private.open_reports(p_kind, p_ids) r;
  for place in 1 .. cardinality(items) loop
    item := items[place];
    -- What changes from here on is recorded under this decision.
    perform set_config('packpark.decision', decisions[place]::text, true);
    if not private.carry_out(p_kind, item.id, p_approve) then
      left_out := left_out || item.id;
    end if;
  end loop;
  perform set_config('packpark.decision', '', true);
  if left_out <> '{}' then
    if p_all then
      perform private.fail('already_decided', 'This no longer waits for a decision.');
    end if;
    delete from private.desk_decisions d where d.id = any (decisions) and d.item_id = any (left_out);
    select array_agg(i.decision), array_agg((i.id, i.park_id, i.author, i.author_shown, i.reasons)::private.waiting_item)
    into decisions, items
    from unnest(items, decisions) i (id, park_id, author, author_shown, reasons, decision) where i.id <> all (left_out);
  end if;
  perform private.tell_reporters(p_kind, array_agg(r.reporter), array_agg(i.park_id), p_approve)
  from unnest(reported, reporters) r (id, reporter) join unnest(items) i on i.id = r.id
  having count(*) > 0;
  perform private.tell_authors(p_kind, items, p_approve, p_reason);
  delete from private.desk_claims c where c.kind = p_kind and c.id in (select i.id from unnest(items) i);
  return coalesce(decisions, '{}');
end
$$;
comment on function private.decide_items is 'The same decision about items of a kind, for a member of the desk or an operator (null): the decisions, which are not in the audit log yet. What does not wait, or another moderator has, is left out; where all are asked for (p_all), it is refused.';

create function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  perform private.enter_desk(p_kind = 'merge');
  decisions := private.decide_items(p_kind, array[p_id], p_approve, p_reason, me, true);
  perform private.audit_decisions(decisions);
  return decisions[1];
end
$$;
comment on function public.desk_decide is 'Decides about an item that the caller has, or nobody; answers the decision''s id, by which it can be undone for 30 days. A refusal needs one of the item''s reasons.';

create function public.desk_decide_many(p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason default null) returns integer
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  if cardinality(p_ids) > 500 then
    perform private.fail('invalid_input', 'At most 500 items at once.');
  end if;
  -- Parks that wait share no row; two who decide about the same ones lock them in one order.
  perform private.enter_desk(p_kind is distinct from 'park');
  decisions := private.decide_items(p_kind, p_ids, p_approve, p_reason, me, false);
  perform private.audit_decisions(decisions);
  return cardinality(decisions);
end
$$;
comment on function public.desk_decide_many is 'The same decision about many items of a kind, such as the parks of an import; how many it could be made about.';

create function public.desk_change_park(p_park_id bigint, p_change text, p_into bigint default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  decision_id uuid;
  moved jsonb;
  done boolean := true;
begin
  perform private.enter_desk(true);
  decision_id := private.begin_decision('park', p_park_id::text, p_park_id, null, case p_change when 'relist' then 'approve' else 'reject' end, null, me);
  case p_change
    when 'merge' then moved := private.merge_parks(p_park_id, p_into);
    when 'closed', 'notDogPark' then done := private.close_park(p_park_id, p_change::public.park_claim);
    when 'relist' then done := private.relist_park(p_park_id);
    else perform private.fail('invalid_input', 'A park is merged, closed, notDogPark or relisted.');
  end case;
  if not done then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.audit_decisions(array[decision_id]);
  return jsonb_build_object('decision', decision_id) || coalesce(moved, '{}');
end
$$;
comment on function public.desk_change_park is 'Merges a park into another (merge), takes it off the map (closed, notDogPark) or puts it there again (relist), without anybody having suggested it: {decision} and, of a merge, how much moved.';

create function public.desk_undo(p_decision_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  decision private.desk_decisions;
  change private.desk_changes;
  claims text := current_setting('request.jwt.claims', true);
  is_own boolean;
begin
  perform private.enter_desk(exists (select from private.desk_moves m where m.decision_id = p_decision_id)
    or exists (select from private.desk_changes c where c.decision_id = p_decision_id and c.relation = 'public.former_parks'));
  select * into decision from private.desk_decisions d
  where d.id = p_decision_id and d.undone_at is null and d.decided_at > now() - interval '30 days' for update;
  if decision.id is null then
    return false;
  end if;
  -- Rows are put back from the last one to the first: whoever decides about the same item or its park locks them the other way round.
  perform private.lock_items(decision.kind, array[decision.item_id]);
  perform from public.parks p where p.id = decision.park_id for no key update;
  -- Of an author whom moderators may not know, only that one learns here that it is not for them.
  is_own := me = private.reported_author(decision.kind, decision.item_id);
  if is_own or not private.may_decide(
    case when decision.decision in ('approve', 'reject') then decision.kind else 'person' end, decision.subject) then
    perform private.fail('not_allowed', 'Somebody else undoes this.', '42501');
  end if;
  -- Triggers trust what comes without a caller: what is put back is nobody's new post.
  perform set_config('request.jwt.claims', '', true);
  perform private.move_back(m) from private.desk_moves m where m.decision_id = decision.id;
  for change in select * from private.desk_changes c where c.decision_id = decision.id order by c.id desc loop
    perform private.restore_row(change.relation, change.before, change.after);
  end loop;
  -- What is listed again is no former park, also where its address led on to a third one by then.
  delete from public.former_parks f using public.parks p
  where f.park_id = decision.park_id and p.id = f.park_id and p.status = 'approved';
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  -- The files follow.
  if decision.kind = 'photo' and decision.decision = 'approve' then
    perform private.unpublish_photo(decision.item_id);
  elsif decision.kind = 'photo_report' and decision.decision = 'reject' then
    perform private.move_photo(decision.item_id, 'parks');
  elsif decision.kind = 'hazard' and decision.decision = 'reject' then
    perform private.move_photo(f.path, 'parks') from private.hazard_photos h join public.park_photos f on f.path = h.path
    where h.report_id::text = decision.item_id and f.status = 'approved';
  end if;
  delete from private.desk_changes c where c.decision_id = decision.id;
  delete from private.desk_moves m where m.decision_id = decision.id;
  update private.desk_decisions d set undone_at = now() where d.id = decision.id;
  perform private.take_back_notices(decision);
  if me is not null then
    perform private.claim_item(decision.kind, decision.item_id, me);
  end if;
  perform private.audit('undo', private.item_name(decision.kind, decision.item_id), jsonb_build_object('decision', decision.id));
  return true;
end
$$;
comment on function public.desk_undo is 'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or older than 30 days.';

create function public.desk_decisions(p_before timestamptz default 'infinity')
returns table (id uuid, kind text, item_id text, park_id bigint, park_name text, decision text, reason public.decision_reason, mine boolean, decided_at timestamptz, undone_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    select d.id, d.kind, d.item_id, d.park_id, (select n.name from private.named_park(d.park_id, language) n), d.decision, d.reason,
      d.actor is not distinct from me, d.decided_at, d.undone_at
    from private.desk_decisions d
    where d.decided_at < p_before and (d.subject is not null or d.decision in ('approve', 'reject'))
    order by d.decided_at desc, d.id limit 50;
end
$$;
comment on function public.desk_decisions is 'What was decided, newest first, 50 at a time; not what was done about people whom moderators may not know.';

-- Functions: undoing ---------------------------------------------------------------------------------------------

create function private.take_back_notices(p_decision private.desk_decisions) returns void
language sql volatile security definer set search_path = ''
as $$
  -- They were written in the transaction of the decision, so they have its moment. Of several alike in one go, one.
  delete from public.notifications n using (
    select distinct on (told.receiver_id) told.id from public.notifications told
    where told.type = 'deskDecision' and told.created_at = p_decision.decided_at
      and told.data ->> 'kind' in (p_decision.kind, 'reported_' || replace(p_decision.kind, '_report', ''))
      and (told.data ->> 'park_id')::bigint is not distinct from p_decision.park_id
      and told.receiver_id in (
        select r.reporter from private.open_reports(p_decision.kind, array[p_decision.item_id]) r
        union select i.author from private.find_waiting(p_decision.kind, array[p_decision.item_id]) i
        -- No item until its file is back.
        union select u.user_id from private.photo_uploaders u where p_decision.kind = 'photo' and u.path = p_decision.item_id)
    order by told.receiver_id, told.id
  ) one where n.id = one.id
$$;
comment on function private.take_back_notices is 'What was undone is not told any more, unless its mail is out; run after the rows are restored.';

create function private.restore_row(p_relation text, p_before jsonb, p_after jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  relation regclass := p_relation::regclass;
  fields text;
  keys text;
  present jsonb;
begin
  select string_agg(quote_ident(a.attname), ', ') filter (where a.attgenerated = ''),
    string_agg(quote_ident(a.attname), ', ') filter (where a.attnum = any (i.indkey))
  into fields, keys
  from pg_catalog.pg_attribute a join pg_catalog.pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  if p_after is null then
    execute 'insert into ' || relation || ' (' || fields || ') overriding system value select ' || fields
      || ' from jsonb_populate_record(null::' || relation || ', $1) on conflict do nothing' using p_before;
    return;
  end if;
  execute 'select to_jsonb(t) from ' || relation || ' t where (' || keys || ') = (select ' || keys
    || ' from jsonb_populate_record(null::' || relation || ', $1)) for update' into present using p_after;
  if p_before is null then
    if present = p_after then
      execute 'delete from ' || relation || ' where (' || keys || ') = (select ' || keys
        || ' from jsonb_populate_record(null::' || relation || ', $1))' using p_after;
    end if;
    return;
  end if;
  -- Only what still is as the decision left it.
  select string_agg(quote_ident(a.attname), ', ') into fields
  from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and p_before -> a.attname::text is distinct from p_after -> a.attname::text and present -> a.attname::text = p_after -> a.attname::text;
  if fields is not null then
    execute 'update ' || relation || ' set (' || fields || ') = (select ' || fields
      || ' from jsonb_populate_record(null::' || relation || ', $1)) where (' || keys || ') = (select ' || keys
      || ' from jsonb_populate_record(null::' || relation || ', $2))' using p_before, p_after;
  end if;
end
$$;
comment on function private.restore_row is 'Undoes one change of a row: an inserted row goes, a deleted one comes back, and of an updated one each column goes back that was not changed since.';

create function private.move_to_park(p_relation text, p_from bigint, p_into bigint, p_which text default 'true') returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  decision text := current_setting('packpark.decision', true);
  moved jsonb;
begin
  -- The move is kept, so that the rows need not be.
  perform set_config('packpark.decision', '', true);
  execute 'with moved as (update ' || p_relation::regclass || ' t set park_id = $2 where t.park_id = $1 and ' || p_which
    || ' returning t.' || private.key_of_moved(p_relation) || ' as key) select jsonb_agg(m.key) from moved m' into moved using p_from, p_into;
  perform set_config('packpark.decision', coalesce(decision, ''), true);
  -- Operators' own SQL is no decision.
  if decision <> '' and moved is not null then
    insert into private.desk_moves (decision_id, relation, from_park, into_park, moved) values (decision::uuid, p_relation, p_from, p_into, moved);
  end if;
end
$$;
comment on function private.move_to_park is 'Moves the rows of a park, or those of which a condition holds, to another park: of a table of which nothing else changes.';

create function private.key_of_moved(p_relation text) returns text
language sql immutable set search_path = ''
as $$
  select case p_relation when 'public.favourite_parks' then 'user_id' else 'id' end
$$;
comment on function private.key_of_moved is 'By what a row that moved is known again.';

create function private.move_back(p_move private.desk_moves) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_move.relation = 'private.busy_hours' then
    -- Mergers once moved them, too, and are undone for 30 days. Only what is still there: of a park that was merged once more the next park has them.
    with back as (
      update private.busy_hours b set dogs = b.dogs - h.dogs
      from jsonb_to_recordset(p_move.moved) h (day date, hour smallint, dogs numeric)
      where b.park_id = p_move.into_park and b.day = h.day and b.hour = h.hour and b.dogs >= h.dogs
      returning h.day, h.hour, h.dogs
    )
    insert into private.busy_hours as b (park_id, day, hour, dogs)
    select p_move.from_park, h.day, h.hour, h.dogs from back h
    on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs;
    delete from private.busy_hours b using jsonb_to_recordset(p_move.moved) h (day date, hour smallint)
    where b.park_id = p_move.into_park and b.day = h.day and b.hour = h.hour and b.dogs = 0;
  else
    execute 'update ' || p_move.relation::regclass || ' t set park_id = $1 where t.park_id = $2 and t.' || private.key_of_moved(p_move.relation)
      || ' in (select m.key::uuid from jsonb_array_elements_text($3) m (key))' using p_move.from_park, p_move.into_park, p_move.moved;
  end if;
end
$$;
comment on function private.move_back is 'Undoes one move of a merger: what was moved since, or is gone, stays so, and so do dogs that were counted since.';

-- Functions: being told ------------------------------------------------------------------------------------------

create function private.tell_desk() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  member record;
  told integer := 0;
begin
  for member in
    -- Read once for all of them: thousands of items may wait, and dozens of people be told of them.
    with items as materialized (
      select i.kind, i.author, i.since, i.urgent, i.kind in ('person', 'review', 'photo_report')
        and exists (select from public.user_roles r where r.user_id = i.author) as of_member
      from private.desk_items i
    )
    select r.user_id, r.told_at, waiting.* from public.user_roles r
    cross join lateral (
      select count(*) as items, max(i.since) as newest, max(i.since) filter (where i.urgent) as newest_urgent,
        floor(extract(epoch from now() - min(i.since)) / 3600)::integer as hours
      from items i
      -- A number that counts what is not in their queue would tell them that they were reported.
      where not i.of_member or private.may_decide(i.kind, i.author, r.user_id)
    ) waiting
    -- Where everybody was told just now nothing is read at all: reports may come in bursts.
    where r.told_at < now() - interval '15 minutes' and not private.is_limited(r.user_id) for update of r skip locked
  loop
    if member.newest_urgent > member.told_at
      or (member.newest > member.told_at and member.told_at < now() - interval '6 hours') then
      update public.user_roles r set told_at = now() where r.user_id = member.user_id;
      delete from public.notifications n where n.receiver_id = member.user_id and n.type = 'deskWaiting' and n.seen_at is null;
      perform private.notify('deskWaiting', null, member.user_id, jsonb_build_object('waiting', member.items, 'hours', member.hours));
      perform private.add_job('desk-mail', 'waiting ' || member.user_id, jsonb_build_object('user_id', member.user_id), member.user_id, interval '1 day');
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;
comment on function private.tell_desk is 'Tells each moderator what came since they were told last, of what they may decide: of urgent things after 15 minutes at the earliest, of others after 6 hours. Run every 15 minutes, and when something urgent comes.';

create function private.ask_to_tell_desk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.add_job('tell-desk', '');
  return null;
end
$$;
create trigger ask_to_tell_desk after insert on private.user_reports for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.photo_reports for each statement execute function private.ask_to_tell_desk();
create trigger ask_to_tell_desk after insert on private.live_reports
  for each row when (new.hazard is not null) execute function private.ask_to_tell_desk();

create function private.desk_mail(p_user_id uuid, p_measure_id uuid, p_contact text, p_decided_since timestamptz default null)
returns table (email text, language public.language, subject text, lines text[], path text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Sent later than it was asked for: it says what is true by then.
  if p_decided_since is not null then
    return query
      select a.email::text, u.language, case when count(*) = 1 then min(t.title) else private.texts(u.language) ->> 'decided.several' end,
        array_agg(case when d.many = 1 then t.message else t.title || '. ' || t.message end order by d.created_at, d.id)
          || (private.texts(u.language) ->> 'decided.switch_off'), '/notifications'
      from public.users u join auth.users a on a.id = u.id
      cross join lateral (
        select n.id, n.created_at, n.data, count(*) over () as many from public.notifications n
        where n.receiver_id = u.id and n.type = 'deskDecision' and n.is_ready and n.created_at >= p_decided_since
      ) d
      cross join lateral private.desk_text('deskDecision', u.language, d.data) t
      where u.id = p_user_id and a.email is not null
      group by a.email, u.language;
  elsif p_measure_id is null then
    return query
      select a.email::text, u.language, t.title, array[t.message], '/desk'
      from public.user_roles r join public.users u on u.id = r.user_id join auth.users a on a.id = u.id
      cross join lateral (
        select jsonb_build_object('waiting', count(*), 'hours', floor(extract(epoch from now() - min(i.since)) / 3600)::integer) as data, count(*) as items
        from private.desk_items i
        where not exists (select from private.barred_authors(r.user_id) b where b.kind = i.kind and b.author = i.author)
      ) w
      cross join lateral private.desk_text('deskWaiting', u.language, w.data) t
      where r.user_id = p_user_id and w.items > 0 and not private.is_limited(u.id) and a.email is not null;
  else
    return query
      select a.email::text, u.language, t.title,
        array[t.message] || case when p_contact is not null then format(private.texts(u.language) ->> 'measure.appeal', p_contact) end, null::text
      from private.measures m join public.users u on u.id = m.user_id join auth.users a on a.id = u.id
      cross join lateral private.desk_text('measure', u.language, to_jsonb(m)) t
      where m.id = p_measure_id and m.user_id = p_user_id and m.lifted_at is null and a.email is not null;
  end if;
end
$$;
comment on function private.desk_mail is 'A mail of the desk: what waits, a measure with where to appeal, or what was decided since a moment; no row where there is nothing to say any more. path leads to the page that it is about.';

-- RPCs: people ---------------------------------------------------------------------------------------------------

create function private.require_power_over(p_person uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.may_decide('person', p_person) then
    perform private.fail('not_allowed', 'Only an administrator acts on a moderator, and nobody on themself.', '42501');
  end if;
end
$$;

create function public.desk_people(p_search text)
returns table (id uuid, name text, joined date, role public.role, reports integer, limited boolean)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_search, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  found_ids uuid[];
  -- Once, not for each of those who are found.
  barred uuid[] := array(select b.author from private.barred_authors(private.uid()) b where b.kind = 'person');
begin
  perform private.require_role();
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
    select u.id, u.name, private.park_day(u.created_at), r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id and x.user_id <> all (barred)),
      exists (select from private.measures_in_force(u.id) m where m.shown)
    from public.users u left join public.user_roles r on r.user_id = u.id
    where u.id = any (found_ids)
    order by lower(u.name) = typed desc, starts_with(lower(u.name), typed) desc, lower(u.name), u.id limit 30;
  perform private.audit('search_people');
end
$$;
comment on function public.desk_people is 'People by a part of the name, the whole email, or the id; hidden ones, too. That somebody searched is in the audit log.';

create function public.desk_person(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person jsonb;
begin
  perform private.require_role();
  person := (
    select jsonb_build_object('id', u.id, 'name', u.name, 'joined', private.park_day(u.created_at), 'role', r.role,
      'dogs', (select count(*) from public.dogs d where d.owner = u.id and d.deleted_at is null),
      'reports', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at desc), '[]')
        from private.user_reports x where x.user_id = u.id and private.may_decide('person', u.id)),
      'history', private.person_history(u.id),
      'may_act', private.may_decide('person', u.id))
    from public.users u left join public.user_roles r on r.user_id = u.id where u.id = p_user_id);
  perform private.audit('view_person', private.item_name('person', p_user_id::text));
  return person;
end
$$;

create function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  item private.waiting_item;
  measure_id uuid;
  decision_id uuid;
begin
  perform private.enter_desk(false);
  -- As all who decide do first: whoever undoes a measure has the person's row before the claim.
  perform private.lock_items(p_kind, array[p_id]);
  select i.* into item from private.find_waiting(p_kind, array[p_id]) i;
  if item.id is null and p_kind = 'person' then
    -- From the list of people, without a report.
    select u.id::text, null, u.id, true into item.id, item.park_id, item.author, item.author_shown
    from public.users u where u.id = private.to_uuid(p_id);
  end if;
  if item.author is null then
    perform private.fail('nobody_there', 'There is nobody behind this, or no longer.');
  end if;
  -- A refusal would tell that a moderator wrote an anonymous review.
  if item.author_shown then
    perform private.require_power_over(item.author);
  end if;
  if p_measure is null or p_reason is null or p_until <= now() or (p_measure = 'suspend' and p_until is null)
    or (p_measure in ('warn', 'ban') and p_until is not null) then
    perform private.fail('invalid_input', 'A measure has a reason; a suspension ends at a moment to come, a warning and a ban at none.');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  decision_id := private.begin_decision(p_kind, item.id, item.park_id, case when item.author_shown then item.author end,
    p_measure::text, p_reason, me);
  insert into private.measures (user_id, measure, reason, until, shown)
  values (item.author, p_measure, p_reason, p_until, item.author_shown) returning id into measure_id;
  if p_kind = 'person' then
    perform private.tell_reporters(p_kind, array_agg(r.reporter), array_agg(null::bigint), null)
    from private.open_reports(p_kind, array[item.id]) r having count(*) > 0;
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', p_measure, 'reason', p_reason, 'until', p_until)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id), item.author, interval '7 days');
  perform private.audit_decisions(array[decision_id]);
  return decision_id;
end
$$;
comment on function public.desk_take_measure is 'Acts on a person: the one of this id (kind person), or whoever is behind an item, known or not. Answers the decision''s id; undoing it lifts the measure.';

create function public.desk_lift_measure(p_measure_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person uuid;
begin
  perform private.require_role();
  select m.user_id into person from private.measures m where m.id = p_measure_id and m.shown and m.lifted_at is null for update;
  if person is null then
    return false;
  end if;
  perform private.require_power_over(person);
  update private.measures m set lifted_at = now() where m.id = p_measure_id;
  perform private.audit('lift', private.item_name('person', person::text), jsonb_build_object('measure', p_measure_id));
  return true;
end
$$;

create function public.desk_lift_all_measures(p_user_id uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lifted integer;
begin
  update private.measures m set lifted_at = now() where m.user_id = p_user_id and m.lifted_at is null and m.measure <> 'warn';
  get diagnostics lifted = row_count;
  update auth.users a set banned_until = null where a.id = p_user_id and a.banned_until > now();
  lifted := lifted + case when found then 1 else 0 end;
  perform private.audit('lift', private.item_name('person', p_user_id::text));
  return lifted;
end
$$;
comment on function public.desk_lift_all_measures is 'For operators: ends every limit, suspension and ban of a person, those too that no moderator sees.';

-- RPCs: roles ----------------------------------------------------------------------------------------------------

create function public.desk_set_role(p_user_id uuid, p_role public.role) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role('administrator');
begin
  if me = p_user_id then
    perform private.fail('not_allowed', 'Nobody changes their own role.', '42501');
  end if;
  if not exists (select from public.users u where u.id = p_user_id) then
    return false;
  end if;
  if p_role is null then
    delete from public.user_roles r where r.user_id = p_user_id;
  else
    insert into public.user_roles (user_id, role) values (p_user_id, p_role)
    on conflict (user_id) do update set role = excluded.role, granted_at = now();
  end if;
  perform private.audit('set_role', private.item_name('person', p_user_id::text), jsonb_build_object('role', p_role));
  return true;
end
$$;
comment on function public.desk_set_role is 'Makes somebody moderator or administrator; null takes the role away.';

create function public.desk_members()
returns table (id uuid, name text, role public.role, granted_at timestamptz, second_factor boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_role('administrator');
  return query
    select u.id, u.name, r.role, r.granted_at,
      exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
    from public.user_roles r join public.users u on u.id = r.user_id order by r.role desc, u.name, u.id;
end
$$;
comment on function public.desk_members is 'Who has a role, and whether they have the second factor without which it opens nothing.';

create function public.my_role() returns public.role
language sql stable security definer set search_path = ''
as $$
  select private.my_role()
$$;
comment on function public.my_role is 'The caller''s role, as long as it opens the desk.';

create function public.desk_audit_log(p_before bigint default null)
returns table (id bigint, at timestamptz, actor text, act text, item text, details jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_role('administrator');
  return query
    select l.id, l.at, (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where h.handle = l.actor),
      l.act, l.item, l.details
    -- One condition, so that the index finds the place: with 'or' an older page reads all that is newer.
    from private.audit_log l where l.id < coalesce(p_before, 9223372036854775807) order by l.id desc limit 100;
end
$$;
comment on function public.desk_audit_log is 'The audit log, newest first, 100 at a time; an actor without a name is an operator, or an account that is deleted.';

create function public.desk_numbers() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  since timestamptz := now() - interval '30 days';
begin
  perform private.require_role('administrator');
  return jsonb_build_object(
    'people', (select count(*) from public.users), 'new_people', (select count(*) from public.users u where u.created_at > since),
    'parks', (select count(*) from public.parks p where p.status = 'approved'), 'new_parks', (select count(*) from public.parks p where p.created_at > since),
    'visits', (select count(*) from public.check_ins c where c.started_at > since and not c.planned),
    'reviews', (select count(*) from public.reviews r where r.created_at > since),
    'live_reports', (select count(*) from private.live_reports l where l.reported_at > since),
    'reports', (select count(*) from private.review_reports x where x.created_at > since) + (select count(*) from private.user_reports x where x.created_at > since)
      + (select count(*) from private.photo_reports x where x.created_at > since),
    'decisions', (select count(*) from private.desk_decisions d where d.decided_at > since));
end
$$;
comment on function public.desk_numbers is 'Counts of the last 30 days, and of all people and parks; nothing about anybody.';

grant execute on function
  public.my_role(),
  public.desk_counts(),
  public.desk_queue(text[]),
  public.desk_claim(text, text),
  public.desk_next(text[], timestamptz),
  public.desk_release(text, text),
  public.desk_decide(text, text, boolean, public.decision_reason),
  public.desk_decide_many(text, text[], boolean, public.decision_reason),
  public.desk_change_park(bigint, text, bigint),
  public.desk_undo(uuid),
  public.desk_decisions(timestamptz),
  public.desk_people(text),
  public.desk_person(uuid),
  public.desk_take_measure(text, text, public.measure, public.decision_reason, timestamptz),
  public.desk_lift_measure(uuid),
  public.desk_set_role(uuid, public.role),
  public.desk_members(),
  public.desk_audit_log(bigint),
  public.desk_numbers()
to authenticated, service_role;

grant execute on function public.desk_lift_all_measures(uuid) to service_role;
