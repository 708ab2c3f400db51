-- What took longer than 100 ms at a country's size: the desk asks once who may decide what, a merger is kept in three rows
-- instead of thousands, one's own check-in is found by its person, and a search looks at later words only where it must.

-- check_ins.sql
create or replace function public.my_check_in()
returns table (check_in_id uuid, park_id bigint, park_name text, started_at timestamptz, expires_at timestamptz, dog_count integer)
language sql stable security definer set search_path = ''
as $$
  select c.id, c.park_id, private.park_name(c.park_id, private.my_language()), c.started_at, c.expires_at, c.dog_count::integer
  from public.check_ins c
  where c.user_id = (select private.uid()) and c.ended_at is null and not c.planned and c.expires_at > now()
$$;
comment on function public.my_check_in is 'Where the caller is now: one row or none.';

-- parks.sql
-- Without rights and a search_path of its own it becomes part of the statement that asks it: for each of hundreds of parks.
create or replace function private.named_park(p_park_id bigint, p_language public.language) returns setof public.park_translations
language sql stable
as $$
  select t.* from public.park_translations t where t.park_id = p_park_id
  order by t.language = p_language desc, t.language = 'en' desc, t.language limit 1
$$;
comment on function private.named_park is 'A park''s name and address in a language, else in English, else in any.';

create or replace function private.park_name(p_park_id bigint, p_language public.language) returns text
language sql stable security definer set search_path = ''
as $$
  select t.name from private.named_park(p_park_id, p_language) t
$$;
comment on function private.park_name is 'A park''s name in a language, else in English, else in any.';

-- people.sql
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
    select u.id from public.users u
    where lower(u.name) like pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) order by lower(u.name) using ~<~ limit 40);
  -- The index of parts of names cannot tell later words from first ones: a common beginning has thousands of them to look at.
  if cardinality(found_ids) < 40 then
    found_ids := array(
      select unnest(found_ids)
      union
      (select u.id from public.users u
      where lower(u.name) like '% ' || pattern || '%' and not u.hidden and u.id <> all (unwanted)
        and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) limit 40));
  end if;
  found_ids := array(
    select unnest(found_ids)
    union
    (select d.owner from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id))
    where d.deleted_at is null and lower(d.name) like pattern || '%' and d.owner <> all (unwanted) order by lower(d.name) using ~<~ limit 40));
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
comment on function private.find_people is 'People by their own or their dogs'' names, best first, at most 20; never hidden or blocked ones, nor the caller. From two characters on; limited per user, and per address for anonymous callers.';

-- desk.sql
create table private.desk_moves (
  decision_id uuid not null references private.desk_decisions (id) on delete cascade,
  relation text not null,
  from_park bigint not null references public.parks (id) on delete cascade,
  into_park bigint not null references public.parks (id) on delete cascade,
  moved jsonb not null,
  primary key (decision_id, relation)
);
comment on table private.desk_moves is 'What a merger moved from one park to another and changed in nothing else, so that it can be undone for 30 days: thousands of rows would take half a second in desk_changes.';
comment on column private.desk_moves.moved is 'The ids of the rows; of busy hours, which lead to nobody, the rows themselves.';
alter table private.desk_moves enable row level security;
create index on private.desk_moves (from_park);
create index on private.desk_moves (into_park);

drop trigger record_desk_change on public.check_ins;
drop trigger record_desk_change on public.park_invites;
drop trigger record_desk_change on private.busy_hours;

create or replace function private.record_desk_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  insert into private.desk_changes (decision_id, relation, before, after, people)
  values (current_setting('packpark.decision')::uuid, tg_relid::regclass::text, was, is_now, array(
    select u.id from public.users u where u.id in (
      select private.to_uuid(f.value) from jsonb_each_text(coalesce(was, '{}') || coalesce(is_now, '{}')) f
      union select private.to_uuid(f.value) from jsonb_each_text(was) f)));
  return null;
end
$$;
comment on function private.record_desk_change is 'Keeps what private.carry_out changes; a table whose rows decisions change has this trigger.';

create or replace function private.park_summary(p_park_id bigint, p_language public.language) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', p.id, 'lat', p.lat, 'long', p.long, 'status', p.status, 'name', t.name, 'city', t.city, 'address', t.address)
  from public.parks p
  left join lateral private.named_park(p.id, p_language) t on true
  where p.id = p_park_id
$$;

-- Without a search_path of its own it becomes part of the statement that uses it: for each value of a row that changes.
create or replace function private.to_uuid(p_text text) returns uuid
language sql immutable
as $$
  select case when p_text ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_text::uuid end
$$;

create or replace function private.barred_authors(p_member uuid) returns table (kind text, author uuid)
language sql stable security definer set search_path = ''
as $$
  select k.kind, p_member from unnest(array['person', 'review', 'photo_report']) k (kind) where p_member is not null
  union all
  select 'person', r.user_id from public.user_roles r
  where r.user_id <> p_member and not exists (select from public.user_roles m where m.user_id = p_member and m.role = 'administrator')
$$;
comment on function private.barred_authors is 'Whose items of which kinds a member of the desk leaves to others: nobody decides about a report of themself or of what they posted, and only administrators do about moderators. Operators (null) may.';

create or replace function private.may_decide(p_kind text, p_author uuid, p_member uuid default auth.uid()) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (select from private.barred_authors(p_member) b where b.kind = p_kind and b.author = p_author)
$$;
comment on function private.may_decide is 'Whether a member of the desk, the caller unless another is named, decides about something of this author.';

create or replace function private.waiting_items(p_member uuid, p_kinds text[], p_after timestamptz)
returns table (kind text, id text, park_id bigint, since timestamptz, urgent boolean, overdue boolean)
language plpgsql stable security definer set search_path = ''
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
    select i.kind, i.id, i.park_id, i.since, i.urgent, i.overdue
    from private.desk_items i
    where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after
      and case i.kind
        when 'person' then i.author <> all (barred_persons)
        when 'review' then coalesce(i.author <> all (barred_reviewers), true)
        when 'photo_report' then coalesce(i.author <> all (barred_photographers), true)
        else true
      end
    order by i.since, i.kind, i.id limit 500;
end
$$;
comment on function private.waiting_items is 'What waits since after a moment and a member of the desk may decide, oldest first, at most 500.';

create or replace function public.desk_queue(p_kinds text[] default null)
returns table (kind text, id text, park_id bigint, park_name text, since timestamptz, urgent boolean, overdue boolean, claimed text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    select i.kind, i.id, i.park_id, n.name, i.since, i.urgent,
      i.overdue, case when c.moderator = me then 'mine' when c.moderator is not null then 'other' end
    from private.waiting_items(me, p_kinds, '-infinity') i
    left join lateral private.named_park(i.park_id, language) n on true
    left join private.desk_claims c on c.kind = i.kind and c.id = i.id and c.expires_at > now()
    order by i.since, i.kind, i.id;
end
$$;
comment on function public.desk_queue is 'What waits and the caller may decide, oldest first, at most 500; overdue after 24 hours; claimed: mine, other or null.';

create or replace function public.desk_next(p_kinds text[] default null, p_after timestamptz default '-infinity') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
begin
  for item in
    select i.kind, i.id from private.waiting_items(me, p_kinds, p_after) i order by i.since, i.kind, i.id
  loop
    -- Whoever asks at the same moment goes on to the next one instead of waiting.
    if pg_try_advisory_xact_lock(hashtextextended('desk:' || item.kind || ':' || item.id, 0))
      and private.claim_item(item.kind, item.id, me) then
      return private.item_of(item.kind, item.id);
    end if;
  end loop;
  return null;
end
$$;
comment on function public.desk_next is 'Claims and opens the oldest item that no other moderator has, among those that wait since after p_after.';

create or replace function private.move_to_park(p_relation text, p_from bigint, p_into bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  moved jsonb;
begin
  if p_relation = 'private.busy_hours' then
    with gone as (
      delete from private.busy_hours b where b.park_id = p_from returning b.day, b.hour, b.dogs
    ), added as (
      insert into private.busy_hours as b (park_id, day, hour, dogs)
      select p_into, g.day, g.hour, g.dogs from gone g order by g.day, g.hour
      on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs
    )
    select jsonb_agg(to_jsonb(g)) into moved from gone g;
  else
    execute 'with moved as (update ' || p_relation::regclass || ' t set park_id = $2 where t.park_id = $1 returning t.id)
      select jsonb_agg(m.id) from moved m' into moved using p_from, p_into;
  end if;
  -- Operators' own SQL is no decision.
  if current_setting('packpark.decision', true) <> '' and moved is not null then
    insert into private.desk_moves (decision_id, relation, from_park, into_park, moved)
    values (current_setting('packpark.decision')::uuid, p_relation, p_from, p_into, moved);
  end if;
end
$$;
comment on function private.move_to_park is 'Moves a park''s visits, meetings or busy hours to another; hours of both are one sum.';

create or replace function private.move_back(p_move private.desk_moves) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_move.relation = 'private.busy_hours' then
    update private.busy_hours b set dogs = b.dogs - h.dogs
    from jsonb_to_recordset(p_move.moved) h (day date, hour smallint, dogs numeric)
    where b.park_id = p_move.into_park and b.day = h.day and b.hour = h.hour;
    delete from private.busy_hours b using jsonb_to_recordset(p_move.moved) h (day date, hour smallint)
    where b.park_id = p_move.into_park and b.day = h.day and b.hour = h.hour and b.dogs <= 0;
    insert into private.busy_hours as b (park_id, day, hour, dogs)
    select p_move.from_park, h.day, h.hour, h.dogs from jsonb_to_recordset(p_move.moved) h (day date, hour smallint, dogs numeric)
    on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs;
  else
    execute 'update ' || p_move.relation::regclass || ' t set park_id = $1 where t.park_id = $2
      and t.id in (select m.id::uuid from jsonb_array_elements_text($3) m (id))' using p_move.from_park, p_move.into_park, p_move.moved;
  end if;
end
$$;
comment on function private.move_back is 'Undoes one move of a merger: what was moved since, or is gone, stays so, and so do dogs that were counted since.';

create or replace function public.desk_undo(p_decision_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  decision private.desk_decisions;
  change private.desk_changes;
  claims text := current_setting('request.jwt.claims', true);
  is_own boolean;
begin
  select * into decision from private.desk_decisions d
  where d.id = p_decision_id and d.undone_at is null and d.decided_at > now() - interval '30 days' for update;
  if decision.id is null then
    return false;
  end if;
  -- Of an author whom moderators may not know, only that one learns here that it is not for them.
  is_own := me = private.reported_author(decision.kind, decision.item_id);
  if is_own or not private.may_decide(
    case when decision.decision in ('approve', 'reject') then decision.kind else 'person' end, decision.subject) then
    perform private.fail('not_allowed', 'Somebody else undoes this.', '42501');
  end if;
  perform private.audit('undo', private.item_name(decision.kind, decision.item_id), jsonb_build_object('decision', decision.id));
  -- Triggers trust what comes without a caller: what is put back is nobody's new post.
  perform set_config('request.jwt.claims', '', true);
  perform private.move_back(m) from private.desk_moves m where m.decision_id = decision.id;
  for change in select * from private.desk_changes c where c.decision_id = decision.id order by c.id desc loop
    perform private.restore_row(change.relation, change.before, change.after);
  end loop;
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
  return true;
end
$$;
comment on function public.desk_undo is 'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or older than 30 days.';

create or replace function private.desk_mail(p_user_id uuid, p_measure_id uuid, p_contact text, p_decided_since timestamptz default null)
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

create or replace function public.desk_audit_log(p_before bigint default null)
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

-- former_parks.sql
create or replace function private.merge_parks(p_from bigint, p_into bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  moved jsonb;
begin
  -- Both in one order, so that two mergers do not wait for each other.
  perform from public.parks p where p.id in (p_from, p_into) order by p.id for update;
  if p_from is not distinct from p_into or not exists (select from public.parks p where p.id = p_from)
    or not exists (select from public.parks p where p.id = p_into and p.status = 'approved') then
    perform private.fail('park_not_found', 'Name two parks, of which the second is listed.');
  end if;
  moved := jsonb_build_object(
    'reviews', (select count(*) from public.reviews r where r.park_id = p_from),
    'visits', (select count(*) from public.check_ins c where c.park_id = p_from),
    'favourites', (select count(*) from public.favourite_parks f where f.park_id = p_from),
    'replaced_reviews', private.merge_reviews(p_from, p_into));
  perform private.move_to_park('public.check_ins', p_from, p_into);
  perform private.move_to_park('private.busy_hours', p_from, p_into);
  -- Moved, not written anew: undone, a favourite that somebody removed meanwhile does not come back.
  update public.favourite_parks f set park_id = p_into where f.park_id = p_from and not exists (
    select from public.favourite_parks o where o.park_id = p_into and o.user_id = f.user_id);
  delete from public.favourite_parks f where f.park_id = p_from;
  -- What is reported of both is one report.
  update private.live_reports r set ended_at = least(now(), r.expires_at)
  where r.park_id = p_from and r.ended_at is null and exists (
    select from private.live_reports o
    where o.park_id = p_into and o.ended_at is null and (o.condition = r.condition or o.hazard = r.hazard));
  update private.live_reports r set park_id = p_into where r.park_id = p_from;
  delete from public.park_invites i where i.park_id = p_from and exists (
    select from public.park_invites o
    where o.park_id = p_into and o.sender_id = i.sender_id and o.receiver_id = i.receiver_id and o.meet_at = i.meet_at);
  perform private.move_to_park('public.park_invites', p_from, p_into);
  update public.parks p set
    size = coalesce(p.size, o.size), materials = case when p.materials = '{}' then o.materials else p.materials end,
    shade = coalesce(p.shade, o.shade), has_facilities = coalesce(p.has_facilities, o.has_facilities),
    facts = o.facts || p.facts,
    fact_sources = p.fact_sources || coalesce((
      select jsonb_object_agg(f.key, coalesce(o.fact_sources -> f.key, jsonb_build_array(o.source, o.source_date)))
      from (
        select key from jsonb_object_keys(o.facts) key where not p.facts ? key
        union all
        select taken.field from (values
          ('size', p.size is null and o.size is not null), ('materials', p.materials = '{}' and o.materials <> '{}'),
          ('shade', p.shade is null and o.shade is not null), ('has_facilities', p.has_facilities is null and o.has_facilities is not null)
        ) taken (field, is_taken) where taken.is_taken
      ) f (key)), '{}'),
    primary_photo = coalesce(p.primary_photo, o.primary_photo)
  from public.parks o where p.id = p_into and o.id = p_from;
  -- Photos keep their paths, which begin with the old park's id.
  update public.park_photos f set park_id = p_into where f.park_id = p_from;
  insert into public.park_translations (park_id, language, name, city, address)
  select p_into, t.language, t.name, t.city, t.address from public.park_translations t where t.park_id = p_from
  on conflict do nothing;
  delete from private.fact_answers a where a.park_id = p_from and exists (
    select from private.fact_answers o where o.park_id = p_into and o.fact = a.fact and o.user_id = a.user_id);
  update private.fact_answers a set park_id = p_into where a.park_id = p_from;
  -- A copy: where the merger is undone, the first park is published again without them.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select p_into, u.field, u.user_id from private.unlicensed_contributions u where u.park_id = p_from;
  delete from public.park_suggestions s where s.double_of = p_into and s.park_id = p_from and s.status = 'pending';
  update public.park_suggestions s set park_id = p_into
  where s.park_id = p_from and s.status = 'pending' and s.claim is null;
  update public.park_suggestions s set double_of = p_into where s.double_of = p_from and s.park_id <> p_into;
  delete from public.park_suggestions s where s.double_of = p_from;
  update public.parks p set status = 'rejected', primary_photo = null where p.id = p_from;
  update public.former_parks f set merged_into = p_into where f.merged_into = p_from;
  insert into public.former_parks (park_id, reason, merged_into) values (p_from, 'double', p_into)
  on conflict (park_id) do update set reason = 'double', merged_into = p_into, since = excluded.since;
  return moved;
end
$$;
comment on function private.merge_parks is 'Makes one park of two: the second keeps its own facts and gets what it lacks, and the reviews, visits, favourites, meetings, reports and photos of the first, whose address leads to it from then on. How many of each: {reviews, visits, favourites, replaced_reviews}.';

-- retention.sql
create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Before the others are ended, so that the index of open visits finds them.
  delete from public.check_ins c where c.planned and c.ended_at is null and c.expires_at < now();
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from private.fact_answers a where a.answered_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from private.cancelled_meetings c where not private.is_meeting_open(c.meet_at);
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Of what was decided: the copies for undoing, the files of rejected photos, and then the decision itself.
  delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id and d.decided_at < now() - interval '30 days';
  delete from private.desk_moves m using private.desk_decisions d where d.id = m.decision_id and d.decided_at < now() - interval '30 days';
  perform private.move_photo(f.path, null) from public.park_photos f
  where f.status = 'rejected' and not exists (
    select from private.desk_decisions d
    where d.decided_at > now() - interval '30 days' and ((d.kind in ('photo', 'photo_report') and d.item_id = f.path)
      or (d.kind = 'hazard' and d.item_id in (select h.report_id::text from private.hazard_photos h where h.path = f.path))));
  delete from private.desk_decisions d where d.decided_at < now() - interval '1 year';
  delete from private.desk_claims c where c.expires_at < now();
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  -- No device repeats what it sent a thousand commands ago; a program that sends keys without end fills no disk.
  delete from private.idempotency_keys k using (
    select n.user_id, n.key, row_number() over (partition by n.user_id order by n.created_at desc, n.key) as place from private.idempotency_keys n
    where n.user_id in (select m.user_id from private.idempotency_keys m group by m.user_id having count(*) > 1000)
  ) ranked
  where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000;
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
comment on function private.reduce_history is 'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';
