-- Decides about many items at once, in as many statements as about one: decision 159.

-- jobs.sql
drop function private.add_job(text, text, jsonb, uuid, interval, timestamptz);

create function private.add_job(
  p_kind text, p_key text default null, p_payload jsonb default '{}', p_user_id uuid default null, p_lifetime interval default '2 days',
  p_due_at timestamptz default now(), p_joins boolean default false
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.jobs as j (kind, key, payload, user_id, due_at, expires_at)
  values (p_kind, p_key, p_payload, p_user_id, p_due_at, p_due_at + p_lifetime)
  on conflict (kind, key) do update set
    payload = case when p_joins and j.failed_at is null then j.payload else excluded.payload end, user_id = excluded.user_id,
    -- What ends its runners again and again is not made harmless by being asked for once more; an operator retries it.
    failed_at = case when j.every is not null then j.failed_at end,
    -- One that waits after a failure has failed until its next attempt says otherwise: whether mails are late must not flap.
    error = case when j.every is not null or j.failed_at is null then j.error end,
    lost_leases = case when j.every is not null then j.lost_leases else 0 end,
    expires_at = case when j.every is null then excluded.expires_at end,
    again = j.lease is not null,
    due_at = case when j.lease is not null then j.due_at
      when p_joins and j.failed_at is null then least(j.due_at, excluded.due_at) else excluded.due_at end,
    attempts = case when j.lease is null then 0 else j.attempts end;
  perform pg_notify('jobs', p_kind);
end
$$;
comment on function private.add_job is 'Asks for a job in the caller''s transaction; its lifetime begins when it is due. One that comes again (every) is asked for at once by its kind and the key ''''. One that joins (p_joins) another that waits, or runs, leaves that its payload, and does not put it off.';

-- notifications.sql

create or replace function private.publish_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  receiver record;
  texts record;
begin
  -- One statement, as each notification has this: and a decision about many parks has many.
  select u.language, p.* into receiver
  from public.users u left join public.notifications_preferences p on p.user_id = u.id where u.id = new.receiver_id;
  if receiver.muted or not coalesce(case new.type
      when 'friendRequest' then receiver.friend_request
      when 'friendApproval' then receiver.friend_approval
      when 'hazard' then receiver.hazard
      when 'deskDecision' then receiver.desk_decision
      when 'measure' then true
      when 'deskWaiting' then true
      else receiver.park_invite
    end, true) then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  if new.type in ('deskDecision', 'measure', 'deskWaiting') then
    texts := private.desk_text(new.type, receiver.language, new.data);
  else
    select t.* into texts from private.notification_texts(
      new.type, receiver.language, (select u.name from public.users u where u.id = new.sender_id),
      private.park_name((new.data ->> 'park_id')::bigint, receiver.language),
      (new.data ->> 'meet_at')::timestamptz, (new.data ->> 'accepted')::boolean, new.data ->> 'hazard') t;
  end if;
  update public.notifications n
  set title = texts.title, app_message = texts.message, push_message = texts.message, is_ready = true
  where n.id = new.id;
  if found then
    perform private.add_job('send-push', new.id || ' ' || d.device_id,
      jsonb_build_object('notification_id', new.id, 'device_id', d.device_id), new.receiver_id)
    from public.device_tokens d where d.user_id = new.receiver_id;
    if new.type = 'deskDecision' then
      -- One mail for what is decided within a quarter of an hour.
      perform private.add_job('desk-mail', 'decided ' || new.receiver_id,
        jsonb_build_object('user_id', new.receiver_id, 'decided_since', new.created_at), new.receiver_id, '7 days', new.created_at + interval '15 minutes', true);
    end if;
  end if;
  return null;
end
$$;
comment on function private.publish_notification is 'Writes the texts and queues the pushes and the mail about a decision, or drops what is muted; runs when the transaction that notified commits.';

drop function private.mail_decision(uuid, timestamptz);

-- moderation.sql

create or replace function private.decide_photo_report(p_photo_path text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The photo first, as whoever deletes it does.
  perform from public.park_photos f where f.path = p_photo_path for no key update;
  update private.photo_reports x set resolved_at = now() where x.path = p_photo_path and x.resolved_at is null;
  if not found then
    return false;
  end if;
  if not p_approve then
    update public.park_photos f set status = 'rejected' where f.path = p_photo_path;
    perform private.move_photo(p_photo_path, 'pending-photos');
  end if;
  return true;
end
$$;
comment on function private.decide_photo_report is 'Withdraws a reported photo, or leaves it to be seen; either way its open reports are resolved.';

create or replace function private.decide_review(p_review_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The review first, as whoever deletes it does.
  perform from public.reviews r where r.id = p_review_id for no key update;
  update private.review_reports x set resolved_at = now() where x.review_id = p_review_id and x.resolved_at is null;
  if not found then
    return false;
  end if;
  update public.reviews r set hidden_at = case when not p_approve then coalesce(r.hidden_at, now()) end where r.id = p_review_id;
  return true;
end
$$;
comment on function private.decide_review is 'Hides a reported review, or leaves it to be seen; either way its open reports are resolved.';

-- desk.sql
create type private.waiting_item as (id text, park_id bigint, author uuid, author_shown boolean, reasons public.decision_reason[]);
comment on type private.waiting_item is 'What a decision needs to know of an item; reasons are the same for all items of a kind.';

drop function private.decide_item(text, text, boolean, public.decision_reason, uuid);
drop function private.waiting_item(text, text);
drop function private.tell_author(text, bigint, uuid, boolean, public.decision_reason);
drop function private.tell_reporters(text, text, bigint, boolean);
drop function private.open_reporters(text, text);
drop function private.audit_decision(uuid);

create or replace function private.record_desk_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  insert into private.desk_changes (decision_id, relation, before, after, people)
  values (current_setting('packpark.decision')::uuid, tg_relid::regclass::text, was, is_now, array(
    select u.id from public.users u where u.id = any (array(
      -- Most values are too short or too long to be an id: only the others are looked at.
      select private.to_uuid(f.value) from (select * from jsonb_each_text(was) union all select * from jsonb_each_text(is_now)) f
      where length(f.value) = 36))));
  return null;
end
$$;
comment on function private.record_desk_change is 'Keeps what private.carry_out changes; a table whose rows decisions change has this trigger.';

create or replace function private.claim_item(p_kind text, p_id text, p_moderator uuid) returns boolean
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
comment on function private.claim_item is 'Makes an item this moderator''s for ten minutes; false where another one has it. Whoever claims or decides has locked the item (private.lock_items).';

create function private.lock_items(p_kind text, p_ids text[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || o.id, 0))
  from (select distinct i.id from unnest(p_ids) i (id) order by i.id) o;
end
$$;
comment on function private.lock_items is 'Locks items in one order, until the transaction ends; what is read before does not count any more.';

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
comment on function private.find_waiting is 'Items by their kind and ids, whoever may decide about them; no row for one that does not wait.';

create or replace function private.carry_out(p_kind text, p_id text, p_approve boolean) returns boolean
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
comment on function private.carry_out is 'Approve publishes what was given, or leaves what was reported; reject is the opposite. False where there is nothing to decide any more: then nothing is changed.';

create function private.tell_authors(p_kind text, p_items private.waiting_item[], p_approve boolean, p_reason public.decision_reason) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- That somebody's review or account was looked at and left alone is no news for them.
  if p_kind = 'person' or (p_kind in ('review', 'photo_report', 'hazard') and p_approve) then
    return;
  end if;
  insert into public.notifications (type, receiver_id, data)
  select 'deskDecision', i.author, jsonb_strip_nulls(jsonb_build_object('kind', p_kind, 'park_id', i.park_id, 'approved', p_approve, 'reason', p_reason))
  from unnest(p_items) i where i.author is not null;
end
$$;

create function private.open_reports(p_kind text, p_ids text[]) returns table (id text, reporter uuid)
language plpgsql stable security definer set search_path = ''
as $$
begin
  case p_kind
    when 'review' then
      return query select x.review_id::text, x.reporter from private.review_reports x where x.review_id::text = any (p_ids) and x.resolved_at is null;
    when 'photo_report' then
      return query select x.path, x.reporter from private.photo_reports x where x.path = any (p_ids) and x.resolved_at is null;
    when 'person' then
      return query select distinct x.user_id::text, x.reporter from private.user_reports x where x.user_id::text = any (p_ids) and x.resolved_at is null;
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

create function private.audit_decisions(p_decisions uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.audit(d.decision, private.item_name(d.kind, d.item_id), jsonb_strip_nulls(jsonb_build_object('decision', d.id, 'reason', d.reason)))
  from private.desk_decisions d where d.id = any (p_decisions);
end
$$;

create or replace function public.desk_claim(p_kind text, p_id text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item jsonb;
begin
  perform private.lock_items(p_kind, array[p_id]);
  item := private.item_of(p_kind, p_id);
  if item is null then
    return null;
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  return item;
end
$$;
comment on function public.desk_claim is 'Opens an item for the caller, for ten minutes at a time; null where it no longer waits.';

create function private.decide_items(
  p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason, p_member uuid, p_all boolean
) returns uuid[]
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  barred uuid[] := array(select b.author from private.barred_authors(p_member) b where b.kind = p_kind);
  items private.waiting_item[];
  item private.waiting_item;
  decisions uuid[];
  -- Side by side: who reported which items.
  reported text[];
  reporters uuid[];
  left_out text[] := '{}';
begin
  -- Asked first: whether something about them waits is not for them to learn.
  if barred <> '{}' and exists (select from unnest(p_ids) i (id) where private.reported_author(p_kind, i.id) = any (barred)) then
    perform private.fail('not_allowed', 'Somebody else decides about this.', '42501');
  end if;
  perform private.lock_items(p_kind, p_ids);
  items := array(
    select i from private.find_waiting(p_kind, p_ids) i
    where not exists (
      select from private.desk_claims c where c.kind = p_kind and c.id = i.id and c.expires_at > now() and c.moderator is distinct from p_member)
    order by i.id);
  if p_all and cardinality(items) < cardinality(p_ids) then
    if (select count(*) from private.find_waiting(p_kind, p_ids)) = cardinality(p_ids) then
      perform private.fail('claimed_by_other', 'Another moderator looks at this.');
    end if;
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if items = '{}' then
    return '{}';
  end if;
  if p_approve is null or (not p_approve and not coalesce(p_reason = any ((items[1]).reasons), false)) then
    perform private.fail('reason_needed', 'Whoever is refused something gets one of the reasons of this kind.');
  end if;
  decisions := array(select gen_random_uuid() from unnest(items));
  insert into private.desk_decisions (id, kind, item_id, park_id, decision, reason, actor, subject)
  select i.decision, p_kind, i.id, i.park_id, case when p_approve then 'approve' else 'reject' end, case when not p_approve then p_reason end,
    p_member, case when i.author_shown then i.author end
  from unnest(items, decisions) i (id, park_id, author, author_shown, reasons, decision);
  select coalesce(array_agg(r.id), '{}'), coalesce(array_agg(r.reporter), '{}') into reported, reporters from private.open_reports(p_kind, p_ids) r;
  for place in 1 .. cardinality(items) loop
    item := items[place];
    -- What changes from here on is recorded under this decision.
    perform set_config('packpark.decision', decisions[place]::text, true);
    if not private.carry_out(p_kind, item.id, p_approve) then
      left_out := left_out || item.id;
    end if;
  end loop;
  perform set_config('packpark.decision', '', true);
  if left_out <> '{}' then
    if p_all then
      perform private.fail('already_decided', 'This no longer waits for a decision.');
    end if;
    delete from private.desk_decisions d where d.id = any (decisions) and d.item_id = any (left_out);
    select array_agg(i.decision), array_agg((i.id, i.park_id, i.author, i.author_shown, i.reasons)::private.waiting_item)
    into decisions, items
    from unnest(items, decisions) i (id, park_id, author, author_shown, reasons, decision) where i.id <> all (left_out);
  end if;
  perform private.tell_reporters(p_kind, array_agg(r.reporter), array_agg(i.park_id), p_approve)
  from unnest(reported, reporters) r (id, reporter) join unnest(items) i on i.id = r.id
  having count(*) > 0;
  perform private.tell_authors(p_kind, items, p_approve, p_reason);
  delete from private.desk_claims c where c.kind = p_kind and c.id in (select i.id from unnest(items) i);
  return coalesce(decisions, '{}');
end
$$;
comment on function private.decide_items is 'The same decision about items of a kind, for a member of the desk or an operator (null): the decisions, which are not in the audit log yet. What does not wait, or another moderator has, is left out; where all are asked for (p_all), it is refused.';

create or replace function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  perform private.enter_desk(p_kind = 'merge');
  decisions := private.decide_items(p_kind, array[p_id], p_approve, p_reason, me, true);
  perform private.audit_decisions(decisions);
  return decisions[1];
end
$$;
comment on function public.desk_decide is 'Decides about an item that the caller has, or nobody; answers the decision''s id, by which it can be undone for 30 days. A refusal needs one of the item''s reasons.';

create or replace function public.desk_decide_many(p_kind text, p_ids text[], p_approve boolean, p_reason public.decision_reason default null) returns integer
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  decisions uuid[];
begin
  if cardinality(p_ids) > 500 then
    perform private.fail('invalid_input', 'At most 500 items at once.');
  end if;
  -- Parks that wait share no row; two who decide about the same ones lock them in one order.
  perform private.enter_desk(p_kind is distinct from 'park');
  decisions := private.decide_items(p_kind, p_ids, p_approve, p_reason, me, false);
  perform private.audit_decisions(decisions);
  return cardinality(decisions);
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
  perform private.audit_decisions(array[decision_id]);
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
  perform private.lock_items(decision.kind, array[decision.item_id]);
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

create or replace function private.take_back_notices(p_decision private.desk_decisions) returns void
language sql volatile security definer set search_path = ''
as $$
  -- They were written in the transaction of the decision, so they have its moment. Of several alike in one go, one.
  delete from public.notifications n using (
    select distinct on (told.receiver_id) told.id from public.notifications told
    where told.type = 'deskDecision' and told.created_at = p_decision.decided_at
      and told.data ->> 'kind' in (p_decision.kind, 'reported_' || replace(p_decision.kind, '_report', ''))
      and (told.data ->> 'park_id')::bigint is not distinct from p_decision.park_id
      and told.receiver_id in (
        select r.reporter from private.open_reports(p_decision.kind, array[p_decision.item_id]) r
        union select i.author from private.find_waiting(p_decision.kind, array[p_decision.item_id]) i
        -- No item until its file is back.
        union select u.user_id from private.photo_uploaders u where p_decision.kind = 'photo' and u.path = p_decision.item_id)
    order by told.receiver_id, told.id
  ) one where n.id = one.id
$$;
comment on function private.take_back_notices is 'What was undone is not told any more, unless its mail is out; run after the rows are restored.';

create or replace function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  item private.waiting_item;
  measure_id uuid;
  decision_id uuid;
begin
  perform private.enter_desk(false);
  -- As all who decide do first: whoever undoes a measure has the person's row before the claim.
  perform private.lock_items(p_kind, array[p_id]);
  select i.* into item from private.find_waiting(p_kind, array[p_id]) i;
  if item.id is null and p_kind = 'person' then
    -- From the list of people, without a report.
    select u.id::text, null, u.id, true into item.id, item.park_id, item.author, item.author_shown
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
  decision_id := private.begin_decision(p_kind, item.id, item.park_id, case when item.author_shown then item.author end,
    p_measure::text, p_reason, me);
  insert into private.measures (user_id, measure, reason, until, shown)
  values (item.author, p_measure, p_reason, p_until, item.author_shown) returning id into measure_id;
  if p_kind = 'person' then
    perform private.tell_reporters(p_kind, array_agg(r.reporter), array_agg(null::bigint), null)
    from private.open_reports(p_kind, array[item.id]) r having count(*) > 0;
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', p_measure, 'reason', p_reason, 'until', p_until)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id), item.author, interval '7 days');
  perform private.audit_decisions(array[decision_id]);
  return decision_id;
end
$$;
comment on function public.desk_take_measure is 'Acts on a person: the one of this id (kind person), or whoever is behind an item, known or not. Answers the decision''s id; undoing it lifts the measure.';
