-- The queue of the desk reads its oldest items, and one item by its id, by index; before, each call read all that waits.

-- contributions.sql
create table private.waiting_photos (
  path text primary key references public.park_photos (path) on update cascade on delete cascade,
  since timestamptz not null
);
comment on table private.waiting_photos is 'The pending photos of parks with the moment from which the clock of the desk runs: whoever may read park_photos reads the day only. Once decided the moment is forgotten.';
alter table private.waiting_photos enable row level security;
create index on private.waiting_photos (since);
create index park_suggestions_pending_doubles on public.park_suggestions (created_at) where status = 'pending' and claim = 'double';
create index park_suggestions_pending_id on public.park_suggestions ((id::text)) where status = 'pending';

create function private.queue_photo() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status = 'pending' then
    -- Without a file there is nothing to decide; with the file the row of park_photos goes, and this one.
    insert into private.waiting_photos (path, since)
    select new.path, min(o.created_at) from storage.objects o where o.bucket_id in ('pending-photos', 'parks') and o.name = new.path
    having count(*) > 0
    on conflict do nothing;
  else
    delete from private.waiting_photos w where w.path = new.path;
  end if;
  return null;
end
$$;
create trigger queue_photo after insert or update of status on public.park_photos
  for each row execute function private.queue_photo();

insert into private.waiting_photos (path, since)
select f.path, min(o.created_at)
from public.park_photos f join storage.objects o on o.bucket_id in ('pending-photos', 'parks') and o.name = f.path
where f.status = 'pending' group by f.path;

-- moderation.sql
create index photo_reports_open_path on private.photo_reports (path, created_at, reporter) where resolved_at is null;
create index review_reports_open_review on private.review_reports (review_id, created_at, reporter) where resolved_at is null;
create index review_reports_open_id on private.review_reports ((review_id::text)) where resolved_at is null;
create index user_reports_open_user on private.user_reports (user_id, created_at, id) where resolved_at is null;
create index user_reports_open_id on private.user_reports ((user_id::text)) where resolved_at is null;

-- parks.sql
create index parks_pending_id on public.parks ((id::text)) where status = 'pending';

-- desk.sql
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
      'day', (r.created_at at time zone 'Asia/Jerusalem')::date, 'hidden', r.hidden_at is not null),
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

create or replace view private.desk_items as
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

create function private.waiting_item(p_kind text, p_id text)
returns table (kind text, id text, park_id bigint, author uuid, author_shown boolean, reasons public.decision_reason[])
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  return query
    select i.kind, i.id, i.park_id, i.author, i.author_shown, i.reasons
    from private.desk_items i where i.kind = p_kind and i.id = p_id;
end
$$;
comment on function private.waiting_item is 'An item by its kind and id, whoever may decide about it; no row where it does not wait.';

create or replace function private.item_of(p_kind text, p_id text) returns jsonb
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

create or replace function private.waiting_items(p_member uuid, p_kinds text[], p_after timestamptz)
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
    -- Of each kind the oldest, in their order: the 500th of all ends it.
    select w.kind, w.id, w.park_id, w.since, w.urgent, w.since < now() - interval '24 hours' from (
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_parks i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit 500)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_corrections i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit 500)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_merges i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit 500)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_photos i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit 500)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_hazards i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after order by i.since, i.id limit 500)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_reviews i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after and coalesce(i.author <> all (barred_reviewers), true) order by i.since, i.id limit 500)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_photo_reports i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after and coalesce(i.author <> all (barred_photographers), true) order by i.since, i.id limit 500)
      union all
      (select i.kind, i.id, i.park_id, i.since, i.urgent from private.desk_persons i
        where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after and i.author <> all (barred_persons) order by i.since, i.id limit 500)
    ) w order by w.since, w.kind, w.id limit 500;
end
$$;

create or replace function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  decision_id uuid;
begin
  -- Asked first: whether something about them waits is not for them to learn.
  if not private.may_decide(p_kind, private.reported_author(p_kind, p_id)) then
    perform private.fail('not_allowed', 'Somebody else decides about this.', '42501');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || p_id, 0));
  select i.* into item from private.waiting_item(p_kind, p_id) i;
  if item.id is null then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  if p_approve is null or (not p_approve and not coalesce(p_reason = any (item.reasons), false)) then
    perform private.fail('reason_needed', 'Whoever is refused something gets one of the reasons of this kind.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    case when p_approve then 'approve' else 'reject' end, case when not p_approve then p_reason end, me);
  perform private.tell_reporters(p_kind, p_id, item.park_id, p_approve);
  if not private.carry_out(p_kind, p_id, p_approve) then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.tell_author(p_kind, item.park_id, item.author, p_approve, p_reason);
  delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  return decision_id;
end
$$;

create or replace function private.take_back_notices(p_decision private.desk_decisions) returns void
language sql volatile security definer set search_path = ''
as $$
  -- They were written in the transaction of the decision, so they have its moment. Of several alike in one go, one.
  delete from public.notifications n using (
    select distinct on (told.receiver_id) told.id from public.notifications told
    where told.type = 'deskDecision' and told.created_at = p_decision.decided_at
      and told.data ->> 'kind' in (p_decision.kind, 'reported_' || replace(p_decision.kind, '_report', ''))
      and (told.data ->> 'park_id')::bigint is not distinct from p_decision.park_id
      and told.receiver_id in (
        select private.open_reporters(p_decision.kind, p_decision.item_id)
        union select i.author from private.waiting_item(p_decision.kind, p_decision.item_id) i
        -- No item until its file is back.
        union select u.user_id from private.photo_uploaders u where p_decision.kind = 'photo' and u.path = p_decision.item_id)
    order by told.receiver_id, told.id
  ) one where n.id = one.id
$$;

create or replace function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  measure_id uuid;
  decision_id uuid;
begin
  select i.* into item from private.waiting_item(p_kind, p_id) i;
  if item.id is null and p_kind = 'person' then
    -- From the list of people, without a report.
    select 'person' as kind, u.id::text as id, null::bigint as park_id, u.id as author, true as author_shown into item
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
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    p_measure::text, p_reason, me);
  insert into private.measures (user_id, measure, reason, until, shown)
  values (item.author, p_measure, p_reason, p_until, item.author_shown) returning id into measure_id;
  if p_kind = 'person' then
    perform private.tell_reporters(p_kind, p_id, null, null);
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', p_measure, 'reason', p_reason, 'until', p_until)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id), item.author, interval '7 days');
  return decision_id;
end
$$;
