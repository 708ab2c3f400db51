-- What decisions are made of: claims, what each kind of item needs to be decided, who is told, and the log.

-- Functions: claims ----------------------------------------------------------------------------------------------

create function private.claim_item(p_kind text, p_id text, p_moderator uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
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
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || o.id, 0))
  from (select distinct i.id from unnest(p_ids) i (id) order by i.id) o;
end
$$;
comment on function private.lock_items is
  'Locks items in one order, until the transaction ends; what is read before does not count any more.';

create function private.item_of(p_kind text, p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  kind private.desk_kinds := (select k from private.desk_kinds k where k.kind = p_kind);
  item jsonb;
begin
  if kind.kind is not null then
    execute $sql$
      select jsonb_build_object('kind', $1.kind, 'id', i.id, 'park_id', i.park_id, 'since', i.since, 'urgent', $1.urgent,
          'overdue', private.is_overdue(i.since), 'reasons', $1.reasons)
        || i.context
        || case when i.author is not null and not i.author_shown and $1.shows_record
          then jsonb_build_object('contributor', private.contributor_record(i.author)) else '{}' end
      from $sql$ || kind.items || ' i where i.id = $2 and private.may_decide($1.kind, i.author)' into item using kind, p_id;
  end if;
  return item;
end
$$;

-- Functions: deciding --------------------------------------------------------------------------------------------

create function private.carry_out(p_kind text, p_id text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  done boolean;
begin
  execute (select 'select ' || k.decide from private.desk_kinds k where k.kind = p_kind) into done using p_id, p_approve;
  return done;
end
$$;
comment on function private.carry_out is 'Does what desk_kinds.decide says.';

create function private.notify_authors(p_kind text, p_items private.waiting_item[], p_approve boolean, p_reason public.decision_reason)
  returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', i.author, jsonb_strip_nulls(jsonb_build_object('kind', k.notified_as, 'park_id', i.park_id, 'approved', p_approve,
    'reason', p_reason))
  from unnest(p_items) i join private.desk_kinds k on k.kind = p_kind
  where i.author is not null and k.notifies_author <> 'never' and not (p_approve and k.notifies_author = 'when rejected')
$$;

create function private.open_reports(p_kind text, p_ids text[]) returns table (id text, reporter uuid)
language plpgsql stable security definer set search_path = '' as $$
declare
  query text := (select k.reports from private.desk_kinds k where k.kind = p_kind);
begin
  if query is not null then
    return query execute query using p_ids;
  end if;
end
$$;
comment on function private.open_reports is 'Who reported items of a kind and waits for an answer, each once for an item.';

create function private.notify_reporters(p_kind text, p_reporters uuid[], p_park_ids bigint[], p_approve boolean) returns void
language sql volatile security definer set search_path = '' as $$
  -- Whether a review or a photo is still there, everybody sees; what was done about a person is not told.
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', r.reporter, jsonb_strip_nulls(jsonb_build_object(
    'kind', 'reported_' || k.notified_as, 'park_id', r.park_id, 'approved', case when k.notifies_author <> 'never' then p_approve end))
  from unnest(p_reporters, p_park_ids) r (reporter, park_id) join private.desk_kinds k on k.kind = p_kind
$$;
comment on function private.notify_reporters is 'Tells who reported items, each of a park or of none, that somebody looked at them.';

create function private.begin_decision(
  p_kind text, p_id text, p_park_id bigint, p_subject uuid, p_decision text, p_reason public.decision_reason, p_actor uuid
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
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
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.audit_each(d.decision, array_agg(private.item_name(d.kind, d.item_id)),
    array_agg(jsonb_strip_nulls(jsonb_build_object('decision', d.id, 'reason', d.reason))))
  from private.desk_decisions d where d.id = any (p_decisions) group by d.decision;
end
$$;

create function private.end_decision(p_decision uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('packpark.decision', '', true);
  perform private.audit_decisions(array[p_decision]);
  return p_decision;
end
$$;
comment on function private.end_decision is
  'What changes from here on is no part of a decision (private.begin_decision), which the log has now.';

create function private.enter_desk(p_alone boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
