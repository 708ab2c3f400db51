-- The desk: a queue of all items that need a moderator's decision. This file defines the item types and the stored claims and
-- decisions. Items are defined in desk_items.sql, and decisions in the files after it. The page /desk and the operator's commands
-- use the same functions.

create type private.waiting_item as (
  type text, id text, park_id bigint, since timestamptz, urgent boolean, overdue boolean, author uuid, author_shown boolean);
comment on type private.waiting_item is
  'An item that waits for a moderator. Its type makes it urgent; it is overdue after 24 hours, in which app stores and laws expect a '
  'response. author is needed for notifications and sanctions; moderators may read it if author_shown is true.';

create table private.desk_types (
  type text primary key,
  items text not null,
  urgent boolean not null,
  shows_record boolean not null,
  notified_as text not null,
  notifies_author text not null check (notifies_author in ('always', 'when rejected', 'never')),
  reasons public.decision_reason[] not null,
  decide text not null,
  undo text,
  about text,
  reports text
);
comment on table private.desk_types is 'One row per item type, with everything that the desk needs to handle it; no personal data.';
comment on column private.desk_types.items is 'The view of waiting items: id, park_id, since, author, author_shown, context.';
comment on column private.desk_types.shows_record is 'True if moderators see the outcomes of the author''s earlier contributions.';
comment on column private.desk_types.notified_as is 'The name of the type in notifications; their messages are decided.<notified_as>.';
comment on column private.desk_types.reasons is 'The reasons to choose from; a rejection needs one of them.';
comment on column private.desk_types.decide is
  'An SQL expression with $1, the ID, and $2, whether it is approved. Approving publishes a contribution or keeps what was reported; '
  'rejecting does the opposite. It returns false, and changes nothing, if there is nothing left to decide.';
comment on column private.desk_types.undo is
  'An SQL statement with the same parameters that moves files. It runs after the rows of a decision are restored.';
comment on column private.desk_types.about is
  'An SQL expression with $1, the ID: the contributor, or the user whom a report is about. It also works for items that are not waiting.';
comment on column private.desk_types.reports is
  'A query with $1, the IDs: the ID and the reporter of each open report. Null for types that cannot be reported.';
alter table private.desk_types enable row level security;
insert into private.desk_types
  (type, items, urgent, shows_record, notified_as, notifies_author, reasons, decide, undo, about, reports)
values
  ('park', 'private.desk_parks', false, true, 'park', 'always',
    '{duplicate,not_a_park,wrong_place,not_true,unclear,inappropriate,spam}', 'private.decide_park($1::bigint, $2)', null,
    '(select s.user_id from private.park_submitters s where s.park_id = $1::bigint)', null),
  ('correction', 'private.desk_corrections', false, true, 'correction', 'always',
    '{not_true,wrong_park,unclear,inappropriate,spam}', 'private.decide_suggestion($1::uuid, $2)', null,
    '(select s.user_id from public.park_suggestions s where s.id = private.to_uuid($1))', null),
  ('merge', 'private.desk_merges', false, true, 'correction', 'always',
    '{not_true,wrong_park,unclear,inappropriate,spam}', 'private.decide_suggestion($1::uuid, $2)', null,
    '(select s.user_id from public.park_suggestions s where s.id = private.to_uuid($1))', null),
  ('photo', 'private.desk_photos', false, true, 'photo', 'always',
    '{wrong_park,poor_photo,people_in_photo,inappropriate,spam}', 'private.decide_photo($1, $2)',
    'select private.unpublish_photo($1) where $2', '(select u.user_id from private.photo_uploaders u where u.path = $1)', null),
  ('review', 'private.desk_reviews', false, false, 'review', 'when rejected',
    enum_range(null::public.report_reason)::text[]::public.decision_reason[] || 'harassment'::public.decision_reason,
    'private.decide_review($1::uuid, $2)', null,
    '(select r.author from public.reviews r where r.id = private.to_uuid($1))',
    'select x.review_id::text, x.reporter from private.review_reports x where x.review_id::text = any ($1) and x.resolved_at is null'),
  ('photo_report', 'private.desk_photo_reports', true, true, 'photo', 'when rejected',
    '{people_in_photo,wrong_park,poor_photo,inappropriate,spam}', 'private.decide_photo_report($1, $2)',
    $$select private.move_photo('{parks,pending-photos}', f.path, 'parks') from public.park_photos f
      where not $2 and f.path = $1 and f.status = 'approved'$$,
    '(select u.user_id from private.photo_uploaders u where u.path = $1)',
    'select x.path, x.reporter from private.photo_reports x where x.path = any ($1) and x.resolved_at is null'),
  ('hazard', 'private.desk_hazards', true, false, 'hazard', 'when rejected',
    '{not_true,misinformation,fake,inappropriate,spam}', 'private.decide_hazard($1::uuid, $2)',
    $$select private.move_photo('{parks,pending-photos}', f.path, 'parks')
      from private.hazard_photos h join public.park_photos f on f.path = h.path
      where not $2 and h.report_id::text = $1 and f.status = 'approved'$$,
    '(select r.reporter from private.live_reports r where r.id = private.to_uuid($1))', null),
  ('pack_time', 'private.desk_pack_times', false, false, 'pack_time', 'when rejected',
    '{not_true,wrong_park,inappropriate,spam}', 'private.decide_pack_time($1::uuid, $2)', null,
    '(select t.host_id from private.pack_times t where t.id = private.to_uuid($1))',
    $$select x.pack_time_id::text, x.reporter from private.pack_time_reports x
      where x.pack_time_id::text = any ($1) and x.resolved_at is null$$),
  ('lost_dog', 'private.desk_lost_dogs', true, false, 'lost_dog', 'always',
    '{not_true,inappropriate,spam}', 'private.decide_lost_dog($1::uuid, $2)',
    $$select private.move_photo('{lost-dogs,pending-photos}', p, 'lost-dogs')
      from coalesce(private.lost_photo('pending-photos', $1::uuid), private.lost_photo('lost-dogs', $1::uuid)) p
      where not $2 and p is not null$$,
    '(select l.reporter from private.lost_dogs l where l.id = private.to_uuid($1))',
    'select x.lost_id::text, x.reporter from private.lost_dog_reports x where x.lost_id::text = any ($1) and x.resolved_at is null'),
  ('user', 'private.desk_reported_users', true, false, 'user', 'never',
    '{harassment,fake,spam,inappropriate,personal_information}', 'private.decide_user($1::uuid, $2)', null, 'private.to_uuid($1)',
    'select distinct x.user_id::text, x.reporter from private.user_reports x where x.user_id::text = any ($1) and x.resolved_at is null');

create table private.desk_claims (
  type text not null,
  id text not null,
  moderator uuid not null references public.user_roles (user_id) on delete cascade,
  expires_at timestamptz not null,
  primary key (type, id)
);
comment on table private.desk_claims is 'The moderator who has opened an item; no two moderators have the same item open.';
alter table private.desk_claims enable row level security;

create table private.desk_decisions (
  id uuid primary key default gen_random_uuid(),
  type text not null,
  item_id text not null,
  park_id bigint references public.parks (id) on delete set null,
  decision text not null check (private.is_sanction(decision)
    or decision in ('approve', 'reject', 'post', 'withdraw', 'set', 'in_hand', 'done')),
  reason public.decision_reason,
  actor uuid references public.users (id) on delete set null,
  subject uuid references public.users (id) on delete set null,
  decided_at timestamptz not null default now(),
  undone_at timestamptz
);
comment on table private.desk_decisions is 'Decisions of the last year; moderators see them as history.';
comment on column private.desk_decisions.subject is
  'The user whom the decision was about, if moderators may know: never the author of an anonymous review, nor the contributor of a park, '
  'a correction or a photo.';
comment on column private.desk_decisions.actor is 'Null for an operator, or if the moderator''s account was deleted.';
comment on column private.desk_decisions.decision is
  'The last five values are decisions of towns (towns.sql); the others are decisions of moderators.';
alter table private.desk_decisions enable row level security;

create table private.desk_changes (
  id bigint generated always as identity primary key,
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  before jsonb,
  after jsonb,
  user_ids uuid[] not null
);
comment on table private.desk_changes is
  'The rows that a decision changed, before and after the change. They make it possible to undo the decision for 30 days.';
comment on column private.desk_changes.user_ids is 'The users to whom the rows refer. The copy is deleted with the account of any of them.';
alter table private.desk_changes enable row level security;

create table private.desk_moves (
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  from_park bigint not null references public.parks (id) on delete cascade,
  into_park bigint not null references public.parks (id) on delete cascade,
  moved jsonb not null,
  primary key (decision_id, relation)
);
comment on table private.desk_moves is
  'The rows that a merge moved from one park to another without any other change, so that it can be undone for 30 days. Storing hundreds '
  'of such rows in desk_changes would take a tenth of a second.';
comment on column private.desk_moves.moved is 'The IDs of the rows; for favourites, the IDs of their users.';
alter table private.desk_moves enable row level security;

create index on private.desk_claims (moderator);
create index on private.desk_decisions (type, item_id);
create index on private.desk_decisions (park_id);
create index on private.desk_decisions (actor);
create index on private.desk_decisions (subject);
create index desk_decisions_by_time on private.desk_decisions (decided_at);
create index on private.desk_changes (decision_id);
create index desk_changes_users on private.desk_changes using gin (user_ids);
create index on private.desk_moves (from_park);
create index on private.desk_moves (into_park);

-- Triggers that record the changes of a decision.

create function private.record_desk_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  insert into private.desk_changes (decision_id, relation, before, after, user_ids)
  values (current_setting('packpark.decision')::uuid, tg_relid::regclass::text, was, is_now, array(
    select u.id from public.users u where u.id = any (array(
      -- Only values with the length of a UUID are parsed, because most values have another length.
      select private.to_uuid(f.value) from (select * from jsonb_each_text(was) union all select * from jsonb_each_text(is_now)) f
      where length(f.value) = 36))));
  return null;
end
$$;
comment on function private.record_desk_change is
  'Records the changes that private.carry_out makes. Every table whose rows a decision may change has this trigger.';

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
create trigger record_desk_change after insert or update or delete on private.pack_times
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.pack_time_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.lost_dogs
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.lost_dog_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.live_reports
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on public.removed_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
-- Rows that move individually when parks are merged. All other moved rows are recorded in desk_moves.
create trigger record_desk_change after insert or update or delete on public.favourite_parks
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.park_ratings
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.hidden_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.replaced_reviews
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

-- Undoing marks a notice as withdrawn instead of deleting it, because clients are not notified of deletions.
create trigger record_desk_change after update on private.park_notices
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();
create trigger record_desk_change after insert or update or delete on private.sanctions
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

create function private.delete_from_desk() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.desk_changes c where c.user_ids @> array[old.id];
  update private.desk_moves m set moved = m.moved - old.id::text where m.relation = 'public.favourite_parks' and m.moved ? old.id::text;
  delete from private.desk_decisions d where d.type = 'user' and d.item_id = old.id::text;
  delete from private.desk_claims c where c.type = 'user' and c.id = old.id::text;
  return old;
end
$$;
comment on function private.delete_from_desk is
  'Deletes, with an account, the recorded changes that refer to it and the decisions about its user.';
create trigger delete_from_desk before delete on public.users for each row execute function private.delete_from_desk();

insert into private.retention (name, run_order, statement) values
  ('copies for undoing: 30 days', 60, $$delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id
    and d.decided_at < now() - private.undo_time()$$),
  ('moves of merges: 30 days', 60, $$delete from private.desk_moves m using private.desk_decisions d where d.id = m.decision_id
    and d.decided_at < now() - private.undo_time()$$),
  ('files of rejected photos: 30 days', 70, $$select private.move_photo('{parks,pending-photos}', f.path, null) from public.park_photos f
    where f.status = 'rejected' and not exists (
      select from private.desk_decisions d
      where d.decided_at > now() - private.undo_time() and ((d.type in ('photo', 'photo_report') and d.item_id = f.path)
        or (d.type = 'hazard' and d.item_id in (select h.report_id::text from private.hazard_photos h where h.path = f.path))))$$),
  ('decisions: one year', 80, $$delete from private.desk_decisions d where d.decided_at < now() - interval '1 year'$$),
  ('claims: until they expire', 50, $$delete from private.desk_claims c where c.expires_at < now()$$);

insert into private.exports (relation, part, statement) values
  ('private.desk_decisions', 'decisions',
    $$select d.decided_at, d.id::text, private.pick(to_jsonb(d), 'type', 'decision', 'reason', 'decided_at', 'undone_at')
    from private.desk_decisions d where d.subject = $1$$);

insert into private.exports (relation, left_out) values
  ('private.desk_claims', 'which item a moderator has open, for ten minutes'),
  ('private.desk_changes', 'rows as they were before a decision, for 30 days, of what the export has itself; they go with the account'),
  ('private.desk_moves',
    'ids of visits, meetings, reviews and favourites that moved with a park, for 30 days; the export has these itself');
