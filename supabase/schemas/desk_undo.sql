-- Undoing a decision within 30 days: rows are restored unless they changed since.

create function private.undo_time() returns interval language sql immutable set search_path = '' as $$ select interval '30 days' $$;
comment on function private.undo_time is 'How long a decision of the desk can be undone.';

create function private.withdraw_decision_notifications(p_decision private.desk_decisions) returns void
language sql volatile security definer set search_path = '' as $$
  -- The notifications have the timestamp of the decision, because both were created in one transaction. If it created several equal
  -- ones, only one is deleted.
  delete from public.notifications n using (
    select distinct on (told.receiver_id) told.id from public.notifications told
    where told.type = 'deskDecision' and told.created_at = p_decision.decided_at
      and told.data ->> 'type' in (
        select unnest(array[k.notified_as, 'reported_' || k.notified_as]) from private.desk_types k where k.type = p_decision.type)
      and (told.data ->> 'park_id')::bigint is not distinct from p_decision.park_id
      and told.receiver_id in (
        select r.reporter from private.open_reports(p_decision.type, array[p_decision.item_id]) r
        union select i.author from private.waiting_items(array[p_decision.type], array[p_decision.item_id]) i
        -- A photo is not an item until its file has been moved back, so its uploader is read separately.
        union select u.user_id from private.photo_uploaders u where p_decision.type = 'photo' and u.path = p_decision.item_id)
    order by told.receiver_id, told.id
  ) one where n.id = one.id;
  delete from public.notifications n
  where p_decision.type = 'town_hazard' and n.type = 'deskDecision' and n.created_at = p_decision.decided_at
    and n.data ->> 'report_id' = p_decision.item_id
$$;
comment on function private.withdraw_decision_notifications is
  'Deletes the notifications about an undone decision. Mails that were already sent cannot be withdrawn. Runs after the rows are '
  'restored.';

create function private.restore_row(p_relation text, p_before jsonb, p_after jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
  -- Restores only columns that still have the value set by the decision.
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
comment on function private.restore_row is
  'Undoes one change of a row: an inserted row is deleted, a deleted one is inserted again, and an updated one gets back the columns '
  'that have not changed since.';

create function private.move_to_park(p_relation text, p_from bigint, p_into bigint, p_which text default 'true') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  decision text := current_setting('packpark.decision', true);
  moved jsonb;
begin
  -- Pauses the trigger record_desk_change, because the move is recorded as one row of desk_moves.
  perform set_config('packpark.decision', '', true);
  execute 'with moved as (update ' || p_relation::regclass || ' t set park_id = $2 where t.park_id = $1 and ' || p_which
    || ' returning t.' || private.key_of_moved(p_relation) || ' as key) select jsonb_agg(m.key) from moved m' into moved using p_from,
      p_into;
  perform set_config('packpark.decision', coalesce(decision, ''), true);
  -- If an operator runs this SQL directly, it is not part of a decision.
  if decision <> '' and moved is not null then
    insert into private.desk_moves (decision_id, relation, from_park, into_park, moved) values (decision::uuid, p_relation, p_from,
      p_into, moved);
  end if;
end
$$;
comment on function private.move_to_park is
  'Moves the rows of a park, or those that match a condition, to another park. Only for tables of which no other column changes.';

create function private.key_of_moved(p_relation text) returns text
language sql immutable set search_path = '' as $$
  select case p_relation when 'public.favourite_parks' then 'user_id' else 'id' end
$$;
comment on function private.key_of_moved is 'The column that identifies a moved row.';

create function private.move_back(p_move private.desk_moves) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  execute 'update ' || p_move.relation::regclass || ' t set park_id = $1 where t.park_id = $2 and t.'
    || private.key_of_moved(p_move.relation)
    || ' in (select m.key::uuid from jsonb_array_elements_text($3) m (key))' using p_move.from_park, p_move.into_park, p_move.moved;
end
$$;
comment on function private.move_back is 'Undoes one move of a merge. Rows that were moved or deleted later are skipped.';

create function private.undo_decision(p_decision_id uuid, p_moderator uuid) returns boolean
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  decision private.desk_decisions;
  change private.desk_changes;
  undo text;
begin
  perform private.enter_desk(exists (select from private.desk_moves m where m.decision_id = p_decision_id)
    or exists (select from private.desk_changes c where c.decision_id = p_decision_id and c.relation = 'public.removed_parks'));
  select * into decision from private.desk_decisions d
  where d.id = p_decision_id and d.undone_at is null and d.decided_at > now() - private.undo_time() for update;
  if decision.id is null then
    return false;
  end if;
  -- Rows are restored in reverse order, whereas another decision about the same item or park would lock them in the original order.
  -- Locking the item and the park first prevents deadlocks.
  perform private.lock_items(decision.type, array[decision.item_id]);
  perform from public.parks p where p.id = decision.park_id for no key update;
  -- Moderators may not undo decisions about their own contributions. If the contribution is anonymous, only its author can get this
  -- error, so it reveals nothing.
  if not private.may_decide(decision.type, private.reported_author(decision.type, decision.item_id)) or not private.may_decide(
    case when private.is_sanction(decision.decision) then 'user' else decision.type end, decision.subject) then
    perform private.fail('not_allowed', 'Another moderator must undo this decision.', '42501');
  end if;
  -- This setting makes the trigger check_review skip the restored rows, because they are not new reviews.
  perform set_config('packpark.undo', 'on', true);
  perform private.move_back(m) from private.desk_moves m where m.decision_id = decision.id;
  begin
    for change in select * from private.desk_changes c where c.decision_id = decision.id order by c.id desc loop
      perform private.restore_row(change.relation, change.before, change.after);
    end loop;
  exception when unique_violation then
    perform private.fail('reported_again', 'The same was reported again since.');
  end;
  if decision.decision = 'post' then
    update private.park_notices n set withdrawn_at = now() where n.id::text = decision.item_id;
  end if;
  -- If the park is listed again, its row in removed_parks is deleted, even if its URL has redirected to a third park in the
  -- meantime.
  delete from public.removed_parks f using public.parks p
  where f.park_id = decision.park_id and p.id = f.park_id and p.status = 'approved';
  perform set_config('packpark.undo', '', true);
  -- Moves the files back.
  undo := (select k.undo from private.desk_types k where k.type = decision.type and decision.decision in ('approve', 'reject'));
  if undo is not null then
    execute undo using decision.item_id, decision.decision = 'approve';
  end if;
  delete from private.desk_changes c where c.decision_id = decision.id;
  delete from private.desk_moves m where m.decision_id = decision.id;
  update private.desk_decisions d set undone_at = now() where d.id = decision.id;
  perform private.withdraw_decision_notifications(decision);
  if p_moderator is not null and exists (select from private.desk_types k where k.type = decision.type) then
    perform private.claim_item(decision.type, decision.item_id, p_moderator);
  end if;
  perform private.audit('undo', private.item_name(decision.type, decision.item_id), jsonb_build_object('decision', decision.id));
  return true;
end
$$;

create function public.desk_undo(p_decision_id uuid) returns boolean
language sql volatile security definer set search_path = '' as $$
  select private.undo_decision(p_decision_id, private.require_role())
$$;
comment on function public.desk_undo is
  'Restores the rows that a decision changed; rows that changed since stay as they are. Returns false if there is nothing to undo: '
  'unknown, already undone, or older than 30 days.';

create function public.desk_decisions(p_before timestamptz default 'infinity')
returns table (id uuid, type text, item_id text, park_id bigint, park_name text, decision text, reason public.decision_reason,
  mine boolean, decided_at timestamptz, undone_at timestamptz, can_be_undone boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
  barred uuid[] := array(select b.author from private.barred_authors(me) b where b.type = 'user');
begin
  return query
    select d.id, d.type, d.item_id, d.park_id, (select n.name from private.named_park(d.park_id, language) n), d.decision, d.reason,
      d.actor is not distinct from me, d.decided_at, d.undone_at,
      d.undone_at is null and d.decided_at > now() - private.undo_time()
    from private.desk_decisions d
    where d.decided_at < p_before and (d.subject is not null or not private.is_sanction(d.decision))
      and (d.actor is not distinct from me or not exists (
        select from private.desk_types k
        where k.type = d.type and k.reports is not null
          and private.reported_author(d.type, d.item_id) = any (case d.type when 'user' then barred else array[me] end)))
    order by d.decided_at desc, d.id limit 50;
end
$$;
comment on function public.desk_decisions is
  'Decisions, newest first, 50 at a time. Decisions about users who must stay unknown to moderators are excluded, and decisions about '
  'reports that the caller may not know of.';

grant execute on function
  public.desk_undo(uuid),
  public.desk_decisions(timestamptz)
to authenticated, service_role;
