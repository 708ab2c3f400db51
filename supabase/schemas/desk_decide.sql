-- Decisions about one or more items, and changes that moderators make to parks without a suggestion.

create function private.decide_items(
  p_type text, p_ids text[], p_approve boolean, p_reason public.decision_reason, p_member uuid, p_all boolean, p_version text default null
) returns uuid[]
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  barred uuid[] := array(select b.author from private.barred_authors(p_member) b where b.type = p_type);
  items private.waiting_item[];
  item private.waiting_item;
  decisions uuid[];
  -- Parallel arrays: reported items and their reporters.
  reported text[];
  reporters uuid[];
  left_out text[] := '{}';
begin
  -- This check comes first, so that members do not learn whether items about themselves are waiting.
  if barred <> '{}' and exists (select from unnest(p_ids) i (id) where private.reported_author(p_type, i.id) = any (barred)) then
    perform private.fail('not_allowed', 'Another moderator must decide this item.', '42501');
  end if;
  perform private.lock_items(p_type, p_ids);
  items := array(
    select i from private.waiting_items(array[p_type], p_ids) i
    where not exists (
      select from private.desk_claims c where c.type = p_type and c.id = i.id and c.expires_at > now() and c.moderator is distinct
        from p_member)
    order by i.id);
  if p_all and cardinality(items) < cardinality(p_ids) then
    if (select count(*) from private.waiting_items(array[p_type], p_ids)) = cardinality(p_ids) then
      perform private.fail('claimed_by_other', 'Another moderator looks at this.');
    end if;
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if items = '{}' then
    return '{}';
  end if;
  if p_approve is null or (not p_approve and not exists (
    select from private.desk_types k where k.type = p_type and p_reason = any (k.reasons))) then
    perform private.fail('reason_required', 'A refusal needs one of the reasons of this type.');
  end if;
  -- An author must not be able to prevent a rejection by changing the item again and again, so only approvals need the version.
  if p_all and p_approve and p_member is not null and private.item_of(p_type, p_ids[1]) ->> 'version' is distinct from p_version then
    perform private.fail('item_changed', 'This has changed since it was shown.');
  end if;
  decisions := array(select gen_random_uuid() from unnest(items));
  insert into private.desk_decisions (id, type, item_id, park_id, decision, reason, actor, subject)
  select i.decision, p_type, i.id, i.park_id, case when p_approve then 'approve' else 'reject' end, case when not p_approve
    then p_reason end,
    p_member, case when i.author_shown then i.author end
  from unnest(items, decisions) i (type, id, park_id, since, urgent, overdue, author, author_shown, decision);
  select coalesce(array_agg(r.id), '{}'), coalesce(array_agg(r.reporter), '{}') into reported, reporters
    from private.open_reports(p_type, p_ids) r;
  for place in 1 .. cardinality(items) loop
    item := items[place];
    -- From here on, changes are recorded as part of this decision.
    perform set_config('packpark.decision', decisions[place]::text, true);
    if not private.carry_out(p_type, item.id, p_approve) then
      left_out := left_out || item.id;
    end if;
  end loop;
  perform set_config('packpark.decision', '', true);
  if left_out <> '{}' then
    if p_all then
      perform private.fail('already_decided', 'This no longer waits for a decision.');
    end if;
    delete from private.desk_decisions d where d.id = any (decisions) and d.item_id = any (left_out);
    select array_agg(d.id), array_agg(i) into decisions, items
    from unnest(items) i join private.desk_decisions d on d.id = any (decisions) and d.item_id = i.id;
  end if;
  perform private.notify_reporters(p_type, array_agg(r.reporter), array_agg(i.park_id), p_approve)
  from unnest(reported, reporters) r (id, reporter) join unnest(items) i on i.id = r.id
  having count(*) > 0;
  perform private.notify_authors(p_type, items, p_approve, p_reason);
  delete from private.desk_claims c where c.type = p_type and c.id in (select i.id from unnest(items) i);
  return coalesce(decisions, '{}');
end
$$;
comment on function private.decide_items is
  'Applies one decision to items of a type, for a member of the desk or an operator (null), and returns the decisions, which are not in '
  'the audit log yet. Items that are not waiting or that another moderator has claimed are skipped; if p_all is true, the call fails '
  'instead, also if a member of the desk approves an item that has another version by now.';

create function public.desk_decide(
  p_type text, p_id text, p_approve boolean, p_reason public.decision_reason default null, p_version text default null
) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  perform private.enter_desk(p_type = 'merge');
  decisions := private.decide_items(p_type, array[p_id], p_approve, p_reason, me, true, p_version);
  perform private.audit_decisions(decisions);
  return decisions[1];
end
$$;
comment on function public.desk_decide is
  'Decides about an item that the caller has claimed or nobody has, and returns the ID of the decision, which can be undone for 30 days. '
  'A rejection needs one of the item''s reasons; a moderator''s approval needs the version that desk_claim or desk_next returned.';

create function public.desk_decide_many(p_type text, p_ids text[], p_approve boolean, p_reason public.decision_reason default null)
  returns integer
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  if coalesce(cardinality(p_ids) > 500, true) then
    perform private.fail('invalid_input', 'At most 500 items at once.');
  end if;
  -- Decisions about several parks need not be serialised, because waiting parks share no rows, and moderators who decide about the
  -- same parks lock them in the same order.
  perform private.enter_desk(p_type is distinct from 'park');
  decisions := private.decide_items(p_type, p_ids, p_approve, p_reason, me, false);
  perform private.audit_decisions(decisions);
  return cardinality(decisions);
end
$$;
comment on function public.desk_decide_many is
  'Applies one decision to many items of a type, such as the parks of an import, and returns how many were decided.';

create function public.desk_change_park(p_park_id bigint, p_change text, p_into bigint default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  decision_id uuid;
  moved jsonb;
  done boolean := true;
begin
  if exists (
    select from unnest(array[p_park_id, p_into]) p (id) where not private.may_decide('park', private.reported_author('park', p.id::text))
  ) then
    perform private.fail('not_allowed', 'Another moderator must decide this item.', '42501');
  end if;
  perform private.enter_desk(p_alone => true);
  decision_id := private.begin_decision('park', p_park_id::text, p_park_id, null, case p_change when 'relist' then 'approve'
    else 'reject' end, null, me);
  case p_change
    when 'merge' then moved := private.merge_parks(p_park_id, p_into);
    when 'closed', 'notDogPark' then done := private.close_park(p_park_id, p_change::public.park_claim);
    when 'relist' then done := private.relist_park(p_park_id);
    else perform private.fail('invalid_input', 'A park is merged, closed, notDogPark or relisted.');
  end case;
  if not done then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  perform private.end_decision(decision_id);
  return jsonb_build_object('decision', decision_id) || coalesce(moved, '{}');
end
$$;
comment on function public.desk_change_park is
  'Merges a park into another (merge), takes it off the map (closed, notDogPark) or lists it again (relist), although nobody suggested '
  'it. Returns {decision} and, for a merge, the numbers of moved rows.';

create function public.desk_publish_own_card(p_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  decision_id uuid;
begin
  perform private.require_recent_login();
  perform private.enter_desk(p_alone => true);
  perform private.lock_items('lost_dog', array[p_id::text]);
  if not private.is_only_moderator(me) then
    perform private.fail('not_allowed', 'Another moderator must decide this item.', '42501');
  end if;
  decision_id := private.begin_decision('lost_dog', p_id::text, null, null, 'approve', null, me);
  -- The reports about the card stay open, because another moderator must decide them.
  update private.lost_dogs l set approved_at = now()
  where l.id = p_id and l.reporter = me and l.approved_at is null and private.is_lost(l);
  if not found then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.queue_lost_dog_notifications(p_id);
  perform private.add_job('desk-mail', 'own_card ' || decision_id, jsonb_build_object('user_id', me, 'about', 'own_card'), me,
    interval '7 days');
  perform private.audit('publish_own_card', private.item_name('lost_dog', p_id::text), jsonb_build_object('decision', decision_id));
  return decision_id;
end
$$;
comment on function public.desk_publish_own_card is
  'Publishes the caller''s own card of a lost dog after a recent login, if nobody else was a moderator in the last 30 days. The operator is '
  'notified by mail and can undo the decision that it returns.';

grant execute on function
  public.desk_decide(text, text, boolean, public.decision_reason, text),
  public.desk_decide_many(text, text[], boolean, public.decision_reason),
  public.desk_change_park(bigint, text, bigint),
  public.desk_publish_own_card(uuid)
to authenticated, service_role;
