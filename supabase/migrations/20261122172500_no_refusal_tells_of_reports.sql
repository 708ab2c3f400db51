-- Whoever may not decide about something is refused alike, whether it was reported or not.

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
  select i.kind, i.id, i.park_id, i.author, i.author_shown, i.reasons into item
  from private.desk_items i where i.kind = p_kind and i.id = p_id;
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
comment on function public.desk_decide is 'Decides about an item that the caller has, or nobody; answers the decision''s id, by which it can be undone for 30 days. A refusal needs one of the item''s reasons.';

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
  update private.desk_decisions d set undone_at = now() where d.id = decision.id;
  perform private.take_back_notices(decision);
  if me is not null then
    perform private.claim_item(decision.kind, decision.item_id, me);
  end if;
  return true;
end
$$;
comment on function public.desk_undo is 'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or older than 30 days.';
