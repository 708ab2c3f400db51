-- Decisions about single items go side by side: what they add to the audit log, they add last. And the next item is found without
-- reading hundreds.

drop function private.waiting_items(uuid, text[], timestamptz);
create or replace function private.audit(p_act text, p_item text default null, p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry private.audit_log;
begin
  -- One after the other, so that each hash has the one before it.
  perform pg_advisory_xact_lock(hashtextextended('audit_log', 0));
  entry.id := nextval(pg_get_serial_sequence('private.audit_log', 'id'));
  entry.at := clock_timestamp();
  entry.actor := private.audit_handle(auth.uid());
  entry.act := p_act;
  entry.item := p_item;
  entry.details := coalesce(p_details, '{}');
  entry.hash := private.audit_hash(coalesce((select l.hash from private.audit_log l order by l.id desc limit 1), ''), entry);
  insert into private.audit_log overriding system value select entry.*;
end
$$;
comment on function private.audit is 'Adds what the caller does to the audit log, in the transaction that does it: as the last thing there, because whoever else adds something waits from here on until it commits, and must never wait for what this transaction still wants to lock.';

create or replace function private.begin_decision(
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

create or replace function private.audit_decision(p_decision_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.audit(d.decision, private.item_name(d.kind, d.item_id), jsonb_strip_nulls(jsonb_build_object('decision', d.id, 'reason', d.reason)))
  from private.desk_decisions d where d.id = p_decision_id;
end
$$;

create or replace function private.enter_desk(p_alone boolean) returns void
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

-- Planned once for a connection, too.
create or replace function private.waiting_items(p_member uuid, p_kinds text[], p_after timestamptz, p_limit integer)
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
      select * from private.waiting_items(me, p_kinds, '-infinity', 500)
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
comment on function public.desk_queue is 'What waits and the caller may decide, oldest first, at most 500; overdue after 24 hours; claimed: mine, other or null.';

create or replace function public.desk_next(p_kinds text[] default null, p_after timestamptz default '-infinity') returns jsonb
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

create or replace function private.decide_item(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason, p_member uuid) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
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
  if not private.claim_item(p_kind, p_id, p_member) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  if p_approve is null or (not p_approve and not coalesce(p_reason = any (item.reasons), false)) then
    perform private.fail('reason_needed', 'Whoever is refused something gets one of the reasons of this kind.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    case when p_approve then 'approve' else 'reject' end, case when not p_approve then p_reason end, p_member);
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
comment on function private.decide_item is 'Decides about an item that waits, for a member of the desk or an operator (null): the decision, which is not in the audit log yet.';

create or replace function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  decision_id uuid;
begin
  perform private.enter_desk(p_kind = 'merge');
  decision_id := private.decide_item(p_kind, p_id, p_approve, p_reason, me);
  perform private.audit_decision(decision_id);
  return decision_id;
end
$$;
comment on function public.desk_decide is 'Decides about an item that the caller has, or nobody; answers the decision''s id, by which it can be undone for 30 days. A refusal needs one of the item''s reasons.';

create or replace function public.desk_decide_many(p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason default null) returns integer
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  one text;
  decided uuid[] := '{}';
begin
  if cardinality(p_ids) > 500 then
    perform private.fail('invalid_input', 'At most 500 items at once.');
  end if;
  -- Parks that wait share no row; two who decide about the same ones lock them in one order.
  perform private.enter_desk(p_kind is distinct from 'park');
  for one in select id from unnest(p_ids) id order by id loop
    begin
      decided := decided || private.decide_item(p_kind, one, p_approve, p_reason, me);
    exception when raise_exception then
      -- Decided meanwhile, or another moderator's: the others go on.
      if sqlerrm not in ('already_decided', 'claimed_by_other') then
        raise;
      end if;
    end;
  end loop;
  perform private.audit_decision(id) from unnest(decided) id;
  return cardinality(decided);
end
$$;
comment on function public.desk_decide_many is 'The same decision about many items of a kind, such as the parks of an import; how many it could be made about.';

create or replace function public.desk_change_park(p_park_id bigint, p_change text, p_into bigint default null) returns jsonb
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
  perform private.audit_decision(decision_id);
  return jsonb_build_object('decision', decision_id) || coalesce(moved, '{}');
end
$$;
comment on function public.desk_change_park is 'Merges a park into another (merge), takes it off the map (closed, notDogPark) or puts it there again (relist), without anybody having suggested it: {decision} and, of a merge, how much moved.';

create or replace function public.desk_undo(p_decision_id uuid) returns boolean
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
  perform pg_advisory_xact_lock(hashtextextended('desk:' || decision.kind || ':' || decision.item_id, 0));
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

create or replace function public.desk_decisions(p_before timestamptz default 'infinity')
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

create or replace function public.desk_people(p_search text)
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
    select u.id, u.name, (u.created_at at time zone 'Asia/Jerusalem')::date, r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id and x.user_id <> all (barred)),
      exists (select from private.measures_in_force(u.id) m where m.shown)
    from public.users u left join public.user_roles r on r.user_id = u.id
    where u.id = any (found_ids)
    order by lower(u.name) = typed desc, starts_with(lower(u.name), typed) desc, lower(u.name), u.id limit 30;
  perform private.audit('search_people');
end
$$;
comment on function public.desk_people is 'People by a part of the name, the whole email, or the id; hidden ones, too. That somebody searched is in the audit log.';

create or replace function public.desk_person(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  person jsonb;
begin
  perform private.require_role();
  person := (
    select jsonb_build_object('id', u.id, 'name', u.name, 'joined', (u.created_at at time zone 'Asia/Jerusalem')::date, 'role', r.role,
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

create or replace function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  item record;
  measure_id uuid;
  decision_id uuid;
begin
  perform private.enter_desk(false);
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
  perform private.audit_decision(decision_id);
  return decision_id;
end
$$;
comment on function public.desk_take_measure is 'Acts on a person: the one of this id (kind person), or whoever is behind an item, known or not. Answers the decision''s id; undoing it lifts the measure.';

create or replace function public.desk_lift_measure(p_measure_id uuid) returns boolean
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

create or replace function public.desk_lift_all_measures(p_user_id uuid) returns integer
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

create or replace function public.desk_set_role(p_user_id uuid, p_role public.role) returns boolean
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

