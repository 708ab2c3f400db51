-- What decisions are made of: claims, what each kind of item needs to be decided, who is told, and the log.

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
comment on function private.claim_item is
  'Makes an item this moderator''s for ten minutes; false where another one has it. Whoever claims or decides has locked the item '
  '(private.lock_items).';

create function private.lock_items(p_kind text, p_ids text[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || o.id, 0))
  from (select distinct i.id from unnest(p_ids) i (id) order by i.id) o;
end
$$;
comment on function private.lock_items is
  'Locks items in one order, until the transaction ends; what is read before does not count any more.';

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
comment on function private.find_waiting is
  'Items by their kind and ids, whoever may decide about them; no row for one that does not wait.';

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
comment on function private.carry_out is
  'Approve publishes what was given, or leaves what was reported; reject is the opposite. False where there is nothing to decide any '
  'more: then nothing is changed.';

create function private.tell_authors(p_kind text, p_items private.waiting_item[], p_approve boolean, p_reason public.decision_reason)
  returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- That somebody's review or account was looked at and left alone is no news for them.
  if p_kind = 'person' or (p_kind in ('review', 'photo_report', 'hazard') and p_approve) then
    return;
  end if;
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', i.author, jsonb_strip_nulls(jsonb_build_object('kind', p_kind, 'park_id', i.park_id, 'approved', p_approve,
    'reason', p_reason))
  from unnest(p_items) i where i.author is not null;
end
$$;

create function private.open_reports(p_kind text, p_ids text[]) returns table (id text, reporter uuid)
language plpgsql stable security definer set search_path = ''
as $$
begin
  case p_kind
    when 'review' then
      return query select x.review_id::text, x.reporter from private.review_reports x where x.review_id::text = any (p_ids)
        and x.resolved_at is null;
    when 'photo_report' then
      return query select x.path, x.reporter from private.photo_reports x where x.path = any (p_ids) and x.resolved_at is null;
    when 'person' then
      return query select distinct x.user_id::text, x.reporter from private.user_reports x where x.user_id::text = any (p_ids)
        and x.resolved_at is null;
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
comment on function private.enter_desk is
  'Before a decision locks anything else: decisions about an item go side by side, and what changes rows of several items goes alone, so '
  'that no two ever wait for each other.';
