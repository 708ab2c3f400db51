-- Undoing a merger gives back no hours that another merger took along, and lists no park whose address leads to another one.

-- desk.sql
create or replace function private.move_back(p_move private.desk_moves) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_move.relation = 'private.busy_hours' then
    -- Only what is still there: of a park that was merged once more the next park has them.
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
  return true;
end
$$;
comment on function public.desk_undo is 'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or older than 30 days.';
