-- Parts of a decision: claims, requirements of the item types, notifications and the log.


create function private.claim_item(p_type text, p_id text, p_moderator uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Operators do not claim items. Returns false while a moderator has claimed the item, so that operators do not interfere.
  if p_moderator is null then
    return not exists (select from private.desk_claims c where c.type = p_type and c.id = p_id and c.expires_at > now());
  end if;
  update public.user_roles r set mails_unanswered = 0 where r.user_id = p_moderator and r.mails_unanswered > 0;
  insert into private.desk_claims as c (type, id, moderator, expires_at) values (p_type, p_id, p_moderator, now() + interval '10 minutes')
  on conflict (type, id) do update set moderator = excluded.moderator, expires_at = excluded.expires_at
  where c.moderator = excluded.moderator or c.expires_at <= now();
  return found;
end
$$;
comment on function private.claim_item is
  'Claims an item for this moderator for ten minutes; returns false if another moderator has it. The caller must have locked the item '
  '(private.lock_items).';

create function private.lock_items(p_type text, p_ids text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_type || ':' || o.id, 0))
  from (select distinct i.id from unnest(p_ids) i (id) order by i.id) o;
end
$$;
comment on function private.lock_items is
  'Locks items in a fixed order until the end of the transaction. Values that were read before the lock may be outdated.';

create function private.item_version(p_since timestamptz, p_context jsonb) returns text
language sql stable set search_path = '' as $$
  select md5(extract(epoch from p_since) || p_context::text)
$$;
comment on function private.item_version is
  'A hash of everything that the desk shows about an item, so that an item that has changed since is not approved unseen.';

create function private.item_of(p_type text, p_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  item_type private.desk_types := (select k from private.desk_types k where k.type = p_type);
  item jsonb;
begin
  if item_type.type is not null then
    execute $sql$
      select jsonb_build_object('type', $1.type, 'id', i.id, 'park_id', i.park_id, 'since', i.since, 'urgent', $1.urgent,
          'overdue', private.is_overdue(i.since), 'reasons', $1.reasons)
        || i.context || jsonb_build_object('version', private.item_version(i.since, i.context))
        || case when i.author is not null and not i.author_shown and $1.shows_record
          then jsonb_build_object('contributor', private.contributor_record(i.author)) else '{}' end
      from $sql$ || item_type.items || ' i where i.id = $2 and private.may_decide($1.type, i.author)' into item using item_type, p_id;
  end if;
  return item;
end
$$;


create function private.carry_out(p_type text, p_id text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  done boolean;
begin
  execute (select 'select ' || k.decide from private.desk_types k where k.type = p_type) into done using p_id, p_approve;
  return done;
end
$$;
comment on function private.carry_out is 'Executes the statement in desk_types.decide.';

create function private.notify_authors(p_type text, p_items private.waiting_item[], p_approve boolean, p_reason public.decision_reason)
  returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', i.author, jsonb_strip_nulls(jsonb_build_object('type', k.notified_as, 'park_id', i.park_id, 'approved', p_approve,
    'reason', p_reason))
  from unnest(p_items) i join private.desk_types k on k.type = p_type
  where i.author is not null and k.notifies_author <> 'never' and not (p_approve and k.notifies_author = 'when rejected')
$$;

create function private.open_reports(p_type text, p_ids text[]) returns table (id text, reporter uuid)
language plpgsql stable security definer set search_path = '' as $$
declare
  query text := (select k.reports from private.desk_types k where k.type = p_type);
begin
  if query is not null then
    return query execute query using p_ids;
  end if;
end
$$;
comment on function private.open_reports is 'The reporters of items of a type who have not been notified of a decision yet, once per item.';

create function private.notify_reporters(p_type text, p_reporters uuid[], p_park_ids bigint[], p_approve boolean) returns void
language sql volatile security definer set search_path = '' as $$
  -- The notification says what happened to a review or photo, because everybody can see that. It does not reveal what was done
  -- about a user.
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', r.reporter, jsonb_strip_nulls(jsonb_build_object(
    'type', 'reported_' || k.notified_as, 'park_id', r.park_id, 'approved', case when k.notifies_author <> 'never' then p_approve end))
  from unnest(p_reporters, p_park_ids) r (reporter, park_id) join private.desk_types k on k.type = p_type
$$;
comment on function private.notify_reporters is
  'Notifies the reporters of items that a moderator has reviewed them. Each item belongs to one park or to none.';

create function private.begin_decision(
  p_type text, p_id text, p_park_id bigint, p_subject uuid, p_decision text, p_reason public.decision_reason, p_actor uuid
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  decision_id uuid;
begin
  insert into private.desk_decisions (type, item_id, park_id, decision, reason, actor, subject)
  values (p_type, p_id, p_park_id, p_decision, p_reason, p_actor, p_subject)
  returning id into decision_id;
  -- From here on, changes are recorded as part of this decision.
  perform set_config('packpark.decision', decision_id::text, true);
  return decision_id;
end
$$;

create function private.audit_decisions(p_decisions uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.audit_each(d.decision, array_agg(private.item_name(d.type, d.item_id)),
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
  'Ends the decision that private.begin_decision started. Later changes are not recorded as part of it.';

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
  'Call this before a decision takes any other lock. Decisions about one item may run concurrently; a decision that changes rows of '
  'several items runs alone, which prevents deadlocks.';
