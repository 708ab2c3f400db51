-- Undoing and deciding at the desk: nobody about themself, no invite or favourite comes back that people took back. Merging parks
-- names nobody. Who hides is counted among guests, not named. Of a photo of a hazard that waits only its giver learns.

drop trigger record_desk_change on public.park_invites;
create trigger record_desk_change after insert or update on public.park_invites
  for each row when (current_setting('packpark.decision', true) <> '') execute function private.record_desk_change();

create function private.may_decide(p_kind text, p_author uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select auth.uid() is null or p_author is null or case
    when p_kind = 'person' then p_author <> auth.uid()
      and (not exists (select from public.user_roles r where r.user_id = p_author) or private.my_role() = 'administrator')
    when p_kind in ('review', 'photo_report') then p_author <> auth.uid()
    else true
  end
$$;
comment on function private.may_decide is 'Whether the caller decides about something of this author: nobody does about a report of themself or of what they posted, and only administrators do about moderators. Operators may.';

create or replace function private.item_of(p_kind text, p_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('kind', i.kind, 'id', i.id, 'park_id', i.park_id, 'since', i.since, 'urgent', i.urgent,
      'overdue', i.overdue, 'reasons', i.reasons)
    || i.context
    || case when i.author is not null and not i.author_shown and i.kind in ('park', 'correction', 'merge', 'photo', 'photo_report')
      then jsonb_build_object('giver', private.giver_record(i.author)) else '{}' end
  from private.desk_items i where i.kind = p_kind and i.id = p_id and private.may_decide(i.kind, i.author)
$$;

create or replace function public.desk_queue(p_kinds text[] default null)
returns table (kind text, id text, park_id bigint, park_name text, since timestamptz, urgent boolean, overdue boolean, claimed text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  language public.language := private.my_language();
begin
  return query
    select i.kind, i.id, i.park_id, private.park_name(i.park_id, language), i.since, i.urgent,
      i.overdue, case when c.moderator = me then 'mine' when c.moderator is not null then 'other' end
    from private.desk_items i
    left join private.desk_claims c on c.kind = i.kind and c.id = i.id and c.expires_at > now()
    where (p_kinds is null or i.kind = any (p_kinds))
      -- Said here, too, so that nobody is asked for each of many parks that wait.
      and (i.kind not in ('person', 'review', 'photo_report') or private.may_decide(i.kind, i.author))
    order by i.since, i.kind, i.id limit 500;
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
    select i.kind, i.id from private.desk_items i
    where (p_kinds is null or i.kind = any (p_kinds)) and i.since > p_after
      and (i.kind not in ('person', 'review', 'photo_report') or private.may_decide(i.kind, i.author))
    order by i.since, i.kind, i.id
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

create or replace function public.desk_decide(p_kind text, p_id text, p_approve boolean, p_reason public.decision_reason default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  decision_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || p_id, 0));
  select i.kind, i.id, i.park_id, i.author, i.author_shown, i.reasons into item
  from private.desk_items i where i.kind = p_kind and i.id = p_id;
  if item.id is null then
    perform private.fail('already_decided', 'This no longer waits for a decision.');
  end if;
  if not private.may_decide(item.kind, item.author) then
    perform private.fail('not_allowed', 'Somebody else decides about this.', '42501');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  if p_approve is null or (not p_approve and not coalesce(p_reason = any (item.reasons), false)) then
    perform private.fail('reason_needed', 'Whoever is refused something gets one of the reasons of this kind.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    case when p_approve then 'approve' else 'reject' end, case when not p_approve then p_reason end, me);
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
  is_own := me in (
    select r.author from public.reviews r where decision.kind = 'review' and r.id::text = decision.item_id
    union all select u.user_id from private.photo_uploaders u where decision.kind = 'photo_report' and u.path = decision.item_id);
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
  if me is not null then
    perform private.claim_item(decision.kind, decision.item_id, me);
  end if;
  return true;
end
$$;
comment on function public.desk_undo is 'Puts the rows back that a decision changed; what was changed since stays. False where there is nothing to undo: unknown, undone, or older than 30 days.';

drop function private.require_power_over(uuid, uuid);
create function private.require_power_over(p_person uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.may_decide('person', p_person) then
    perform private.fail('not_allowed', 'Only an administrator acts on a moderator, and nobody on themself.', '42501');
  end if;
end
$$;

create or replace function public.desk_person(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_role();
  perform private.audit('view_person', private.item_name('person', p_user_id::text));
  return (
    select jsonb_build_object('id', u.id, 'name', u.name, 'joined', (u.created_at at time zone 'Asia/Jerusalem')::date, 'role', r.role,
      'dogs', (select count(*) from public.dogs d where d.owner = u.id and d.deleted_at is null),
      'reports', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at desc), '[]')
        from private.user_reports x where x.user_id = u.id and private.may_decide('person', u.id)),
      'history', private.person_history(u.id),
      'may_act', private.may_decide('person', u.id))
    from public.users u left join public.user_roles r on r.user_id = u.id where u.id = p_user_id);
end
$$;

create or replace function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_role();
  item record;
  measure_id uuid;
  decision_id uuid;
begin
  select i.kind, i.id, i.park_id, i.author, i.author_shown into item from private.desk_items i where i.kind = p_kind and i.id = p_id;
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
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', p_measure, 'reason', p_reason, 'until', p_until)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id), item.author, interval '7 days');
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
  perform private.audit('lift', private.item_name('person', person::text), jsonb_build_object('measure', p_measure_id));
  update private.measures m set lifted_at = now() where m.id = p_measure_id;
  return true;
end
$$;

comment on table private.replaced_reviews is 'Of two reviews of one person whose parks were merged, the one that is theirs no more: nobody reads it here but its author, in the export.';

create or replace function private.merge_reviews(p_from bigint, p_into bigint) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  replaced integer;
begin
  -- The anonymous one, else the older one.
  insert into private.replaced_reviews
  select distinct on (a.author) r.id, r.author, r.park_id, r.title, r.content, r.rank, r.anonymous, r.created_at, r.updated_at
  from public.reviews a join public.reviews b on b.author = a.author and b.park_id = p_into
  join public.reviews r on r.id in (a.id, b.id)
  where a.park_id = p_from
  order by a.author, r.anonymous desc, r.updated_at, r.id;
  -- An anonymous review that vanished would name its author, who wrote of both. It stays to be seen for a while, as that of
  -- an account that is deleted does, and is not counted here either.
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select r.author, r.park_id, r.hidden_at from public.reviews r join private.replaced_reviews old on old.id = r.id and old.author = r.author
  where r.park_id in (p_from, p_into) and r.anonymous and r.hidden_at is not null
  on conflict do nothing;
  update public.reviews r set author = null, remove_at = now() + random() * interval '30 days'
  from private.replaced_reviews old where old.id = r.id and old.author = r.author and r.park_id in (p_from, p_into) and r.anonymous;
  delete from public.reviews r using private.replaced_reviews old
  where old.id = r.id and r.park_id in (p_from, p_into) and not r.anonymous;
  get diagnostics replaced = row_count;
  update public.reviews r set park_id = p_into where r.park_id = p_from;
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select h.author, p_into, h.hidden_at from private.hidden_reviews h where h.park_id = p_from
  on conflict do nothing;
  delete from private.hidden_reviews h where h.park_id = p_from;
  -- The trigger that counts ranks knows no review that changes its park.
  delete from private.park_ratings g where g.park_id in (p_from, p_into);
  insert into private.park_ratings (park_id, ranks, newcomer_ranks)
  select p_into, array_agg(counted.ranks order by counted.stars), array_agg(counted.newcomers order by counted.stars)
  from (
    select s.stars, count(r.id)::integer as ranks, (count(r.id) filter (where r.standing = 'newcomer_there'))::integer as newcomers
    from generate_series(1, 5) s (stars)
    left join public.reviews r on r.park_id = p_into and r.rank = s.stars and r.hidden_at is null
      and r.standing in ('newcomer_there', 'regular_there')
    group by s.stars
  ) counted;
  return replaced;
end
$$;
comment on function private.merge_reviews is 'Moves the reviews of a park to another; where somebody reviewed both, one of them stays theirs. How many with a name went.';

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
  update public.check_ins c set park_id = p_into where c.park_id = p_from;
  insert into private.busy_hours as b (park_id, day, hour, dogs)
  select p_into, o.day, o.hour, o.dogs from private.busy_hours o where o.park_id = p_from
  on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs;
  delete from private.busy_hours b where b.park_id = p_from;
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
  update public.park_invites i set park_id = p_into where i.park_id = p_from;
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

create or replace function public.my_meetings() returns table (
  park_id bigint, park_name text, meet_at timestamptz, host_id uuid, host_name text, invite_id uuid, status public.invite_status,
  guests jsonb, more_coming integer
)
language sql stable security definer set search_path = ''
as $$
  -- Asked once: these functions would otherwise run for each guest of each meeting.
  with me as materialized (
    select private.uid() as id, private.my_language() as language
  ), meetings as (
    select i.park_id, i.meet_at, i.sender_id as host_id,
      (array_agg(i.id) filter (where i.receiver_id = me.id))[1] as invite_id,
      (array_agg(i.status) filter (where i.receiver_id = me.id))[1] as status
    from me join public.park_invites i on i.sender_id = me.id or i.receiver_id = me.id
    where private.is_meeting_open(i.meet_at)
    group by i.park_id, i.meet_at, i.sender_id
    order by i.meet_at, i.park_id, i.sender_id
    limit 100
  )
  select m.park_id, private.park_name(m.park_id, me.language), m.meet_at, m.host_id, h.name, m.invite_id, m.status,
    coalesce(g.guests, '[]'), coalesce(g.more_coming, 0)::integer
  from me cross join meetings m
  join public.users h on h.id = m.host_id
  -- Who comes is presence to be: of people who hide or are no friends of the caller, a guest learns only how many.
  left join lateral (
    select
      jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'status', i.status) order by i.status = 'accepted' desc, i.status, u.name, u.id)
        filter (where m.host_id = me.id or (i.status = 'accepted' and not u.hidden and u.id in (select private.friend_ids()))) as guests,
      count(*) filter (where m.host_id <> me.id and i.status = 'accepted'
        and (u.hidden or u.id not in (select private.friend_ids())) and u.id not in (select private.blocked_ids())) as more_coming
    from public.park_invites i join public.users u on u.id = i.receiver_id
    where i.sender_id = m.host_id and i.park_id = m.park_id and i.meet_at = m.meet_at and u.id <> me.id
  ) g on true
  order by m.meet_at, m.park_id, m.host_id
$$;
comment on function public.my_meetings is 'Meetings to come that the caller hosts (without invite_id and status) or is invited to, soonest first, at most 100; guests: [{id, name, picture, status}].';

create or replace function public.add_hazard_photo(p_report_id uuid, p_path text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
begin
  insert into private.hazard_photos (path, report_id)
  select f.path, r.id
  from private.live_reports r
  join public.park_photos f on f.path = p_path and f.park_id = r.park_id and f.status = 'pending'
  join private.photo_uploaders u on u.path = f.path and u.user_id = me
  where r.id = p_report_id and r.hazard is not null and r.ended_at is null and r.expires_at > now()
    and (r.reporter = me or exists (
      select from private.live_report_votes v where v.report_id = r.id and v.user_id = me and v.vote = 'confirm'))
  on conflict do nothing;
  update public.park_photos f set of_hazard = true
  where f.path = p_path and exists (select from private.hazard_photos h where h.path = f.path and h.report_id = p_report_id)
    and f.path in (select private.uploaded_photo_paths());
  return found;
end
$$;
comment on function public.add_hazard_photo is 'Makes a photo that the caller uploaded (it still waits for a moderator) one of a hazard that they reported or confirmed; false where it is not theirs, or that is over. Safe to call again.';
