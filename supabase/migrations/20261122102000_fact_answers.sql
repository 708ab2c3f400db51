-- One question a visit about a fact that nobody knows, and what comes of the answers.

-- check_ins.sql
alter table public.check_ins
  add column asked_fact text,
  add column question_answered boolean not null default false;
comment on column public.check_ins.asked_fact is 'The fact of the park that the visit''s one question was about; see fact_answers.sql.';
-- fact_answers.sql
create table private.fact_answers (
  park_id bigint not null references public.parks (id) on delete cascade,
  fact text not null,
  value text not null,
  user_id uuid references public.users (id) on delete set null,
  standing public.standing not null,
  answered_at timestamptz not null default now(),
  unique (park_id, fact, user_id),
  check (private.are_park_facts(jsonb_build_object(fact, value)))
);
comment on table private.fact_answers is 'What people said on the spot of facts that nobody knew, the latest of each: nobody may know who said it.';
comment on column private.fact_answers.user_id is 'Null once the account is deleted.';
comment on column private.fact_answers.standing is 'The user''s, at the answer.';
alter table private.fact_answers enable row level security;
create index on private.fact_answers (user_id);
create index fact_answers_old on private.fact_answers (answered_at);
create function private.asked_facts() returns text[]
language sql immutable set search_path = ''
as $$
  select '{fenced,drinking_water,small_dog,lit,dog,double_gate,excrement_bags,bin,bench,dog_agility,parking,wheelchair,fee}'::text[]
$$;
comment on function private.asked_facts is 'The facts that a visitor can see and answer with a button, what decides whether somebody goes first.';
create function private.fact_sides(p_park_id bigint, p_fact text)
returns table (value text, people integer, regulars integer, weight integer)
language sql stable security definer set search_path = ''
as $$
  select a.value, count(*)::integer, (count(*) filter (where a.standing in ('regular', 'regular_there')))::integer,
    (coalesce(sum(private.weight(a.standing)) filter (where a.standing in ('regular', 'regular_there')), 0)
      + least(coalesce(sum(private.weight(a.standing)) filter (where a.standing in ('newcomer', 'newcomer_there')), 0), private.most_newcomer_weight()))::integer
  from private.fact_answers a where a.park_id = p_park_id and a.fact = p_fact
  group by a.value
$$;
comment on function private.fact_sides is 'Who says what of a fact: people, regulars among them, and what their words weigh as words about a condition do.';
create function private.settle_fact(p_park_id bigint, p_fact text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  agreed text;
begin
  -- Two answers at once would each miss the other.
  perform pg_advisory_xact_lock(hashtextextended(format('fact:%s:%s', p_park_id, p_fact), 0));
  select side.value into agreed from private.fact_sides(p_park_id, p_fact) side
  where side.people >= 2 and side.regulars > 0
    and side.weight >= 2 * (select coalesce(sum(o.weight), 0) from private.fact_sides(p_park_id, p_fact) o where o.value <> side.value);
  if agreed is not null and not exists (select from public.parks p where p.id = p_park_id and p.facts ? p_fact) then
    perform private.set_park_fact(p_park_id, p_fact, agreed, 'people');
  end if;
  return agreed;
end
$$;
comment on function private.settle_fact is 'Writes a fact that nobody knew once two people say so, one of them a regular, and nobody of half their weight says otherwise. The value, or null.';
create function private.disputed_facts(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_object_agg(disputed.fact, disputed.said), '{}')
  from (
    select a.fact, (select jsonb_agg(side.value order by side.weight desc, side.value) from private.fact_sides(p_park_id, a.fact) side where side.regulars > 0) as said
    from private.fact_answers a join public.parks p on p.id = a.park_id
    where a.park_id = p_park_id and not p.facts ? a.fact
    group by a.fact having count(distinct a.value) > 1
  ) disputed
  where jsonb_array_length(disputed.said) > 1
$$;
comment on function private.disputed_facts is 'The facts on which regulars who were there disagree: {fact: [values, the weightiest first]}.';
create function public.park_question() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  visit public.check_ins;
begin
  select * into visit from public.check_ins c
  where c.user_id = me and c.ended_at is null and not c.planned and c.expires_at > now() for update;
  if visit.id is null or visit.question_answered then
    return null;
  end if;
  if visit.asked_fact is null then
    -- What somebody has answered already first: it takes two.
    select asked.fact into visit.asked_fact
    from public.parks p cross join unnest(private.asked_facts()) with ordinality asked (fact, place)
    where p.id = visit.park_id and not p.facts ? asked.fact
      and not exists (select from private.fact_answers a where a.park_id = p.id and a.fact = asked.fact and a.user_id = me)
    order by exists (select from private.fact_answers a where a.park_id = p.id and a.fact = asked.fact) desc, asked.place
    limit 1;
    if visit.asked_fact is null then
      return null;
    end if;
    update public.check_ins c set asked_fact = visit.asked_fact where c.id = visit.id;
  end if;
  return jsonb_build_object('check_in_id', visit.id, 'park_id', visit.park_id, 'fact', visit.asked_fact);
end
$$;
comment on function public.park_question is 'The one question of the caller''s visit: {check_in_id, park_id, fact}; null where there is none, or it was answered.';
create function public.answer_park_question(p_check_in_id uuid, p_value text default null, p_key uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_contributor();
  result jsonb := private.claim_idempotency_key(p_key, 'answer_park_question');
  visit public.check_ins;
begin
  if result is not null then
    return result;
  end if;
  select * into visit from public.check_ins c
  where c.id = p_check_in_id and c.user_id = me and not c.planned and c.asked_fact is not null and c.started_at > now() - interval '1 day' for update;
  if visit.id is null or visit.question_answered then
    perform private.fail('question_closed', 'This question was answered, or the visit was too long ago.');
  end if;
  if p_value is not null and not private.are_park_facts(jsonb_build_object(visit.asked_fact, p_value)) then
    perform private.fail('invalid_input', 'This is no answer to that question.');
  end if;
  update public.check_ins c set question_answered = true where c.id = visit.id;
  if p_value is not null then
    insert into private.fact_answers (park_id, fact, value, user_id, standing)
    values (visit.park_id, visit.asked_fact, p_value, me, private.standing_at(me, visit.park_id))
    on conflict (park_id, fact, user_id) do update set value = excluded.value, standing = excluded.standing, answered_at = now();
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'agreed', case when p_value is not null then private.settle_fact(visit.park_id, visit.asked_fact) end));
end
$$;
comment on function public.answer_park_question is 'The answer to the question of a visit of the last day, once; null says that the caller does not know. agreed: the value that several people say now, or null.';
grant execute on function public.park_question(), public.answer_park_question(uuid, text, uuid) to authenticated;
-- park_live.sql
create or replace function public.park_status(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'dogs_now', there.dogs,
    'people_now', there.people,
    'busy_level', private.busy_level(there.dogs),
    'average_rank', r.average_rank,
    'review_count', coalesce(r.review_count, 0),
    'rank_distribution', coalesce(r.ranks, '{0,0,0,0,0}'),
    'friends_here', case when me is null then '[]' else private.friends_at(p.id) end,
    'conditions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.condition) from public.park_conditions c where c.park_id = p.id), '[]'),
    'hazards', coalesce((
      select jsonb_agg(to_jsonb(h) order by h.cleared_at is not null, h.verified desc, h.hazard) from public.park_hazards h where h.park_id = p.id), '[]'),
    'disputed_facts', private.disputed_facts(p.id),
    'my_check_in', (
      select jsonb_build_object('check_in_id', c.id, 'park_id', c.park_id, 'started_at', c.started_at, 'expires_at', c.expires_at, 'dog_count', c.dog_count)
      from public.check_ins c
      where c.user_id = me and c.park_id = p.id and c.ended_at is null and not c.planned and c.expires_at > now()),
    'my_plan', (
      select jsonb_build_object('expires_at', c.expires_at)
      from public.check_ins c
      where c.user_id = me and c.park_id = p.id and c.ended_at is null and c.planned and c.expires_at > now()),
    'is_favourite', exists (select from public.favourite_parks f where f.user_id = me and f.park_id = p.id),
    'my_review_id', (select v.id from public.reviews v where v.author = me and v.park_id = p.id)
  )
  from private.uid() me
  join public.parks p on p.id = p_park_id and p.status = 'approved'
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (
    select coalesce(sum(c.dog_count), 0)::bigint as dogs, count(*) as people
    from public.check_ins c where c.park_id = p.id and c.ended_at is null and c.counted and c.expires_at > now()
  ) there
$$;
-- former_parks.sql
create or replace function public.merge_parks(p_from bigint, p_into bigint) returns jsonb
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
  insert into public.favourite_parks (user_id, park_id, created_at)
  select f.user_id, p_into, f.created_at from public.favourite_parks f where f.park_id = p_from
  on conflict do nothing;
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
      from jsonb_object_keys(o.facts) f (key) where not p.facts ? f.key), '{}'),
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
  update private.unlicensed_contributions u set park_id = p_into where u.park_id = p_from;
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
-- account.sql
create or replace function public.export_user_data(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'user', to_jsonb(u),
    'account', (
      select private.pick(to_jsonb(a), 'email', 'email_change', 'email_confirmed_at', 'phone', 'phone_confirmed_at', 'created_at', 'updated_at',
        'last_sign_in_at', 'invited_at', 'banned_until', 'raw_user_meta_data', 'raw_app_meta_data')
      from auth.users a where a.id = u.id),
    'identities', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email', 'created_at', 'updated_at', 'last_sign_in_at')
        order by i.created_at), '[]')
      from auth.identities i where i.user_id = u.id),
    'sessions', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at', 'not_after', 'aal', 'amr', 'user_agent', 'ip')
        order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id),
    'second_factors', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at', 'updated_at', 'last_challenged_at')
        order by m.created_at), '[]')
      from auth.mfa_factors m where m.user_id = u.id),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'dogs', (select coalesce(jsonb_agg(to_jsonb(d) - 'owner' order by d.created_at), '[]') from public.dogs d where d.owner = u.id),
    'friends', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending' else f.status::text end,
        'requested_by_me', f.requester = u.id, 'since', coalesce(f.accepted_at, f.created_at)) order by f.created_at), '[]')
      from private.friendships f join public.users o on o.id = case when f.user_low = u.id then f.user_high else f.user_low end
      where u.id in (f.user_low, f.user_high) and (f.status <> 'declined' or f.requester = u.id) and (f.status = 'accepted' or f.requester <> u.id or not o.hidden)),
    'declined_requests', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'declined_at', d.declined_at) order by d.declined_at), '[]')
      from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = u.id),
    'invites', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(i.park_id, u.language), 'meet_at', i.meet_at, 'status', i.status,
        'sent_by_me', i.sender_id = u.id, 'name', o.name, 'created_at', i.created_at) order by i.created_at), '[]')
      from public.park_invites i join public.users o on o.id = case when i.sender_id = u.id then i.receiver_id else i.sender_id end
      where u.id in (i.sender_id, i.receiver_id)),
    'blocked', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'since', b.created_at) order by b.created_at), '[]')
      from private.listed_blocks(u.id) b join public.users o on o.id = b.blocked),
    'check_ins', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(c.park_id, u.language), 'dog_count', c.dog_count,
        'dogs', (select coalesce(jsonb_agg(d.name order by d.name), '[]')
          from public.check_in_dogs x join public.dogs d on d.id = x.dog_id where x.check_in_id = c.id),
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.planned, 'counted', c.counted, 'asked_fact', c.asked_fact, 'question_answered', c.question_answered) order by c.started_at), '[]')
      from public.check_ins c where c.user_id = u.id),
    'reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from public.reviews r where r.author = u.id),
    'replaced_reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from private.replaced_reviews r where r.author = u.id),
    'hidden_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(h.park_id, u.language), 'hidden_at', h.hidden_at) order by h.hidden_at), '[]')
      from private.hidden_reviews h where h.author = u.id),
    -- Without the review's id, by which an anonymous one could be recognised.
    'reported_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(r.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = u.id),
    'reported_photos', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = u.id),
    -- Without the name, which somebody who hides by now may have changed.
    'reported_people', (
      select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at', x.resolved_at)
        order by x.created_at), '[]')
      from private.user_reports x where x.reporter = u.id),
    'live_report_votes', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'vote', x.vote,
        'voted_at', x.voted_at, 'standing', x.standing) order by x.voted_at), '[]')
      from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = u.id),
    'live_reports', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'reported_at', l.reported_at, 'standing', l.standing) order by l.reported_at), '[]')
      from private.live_reports l where l.reporter = u.id),
    'fact_answers', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(a.park_id, u.language), 'fact', a.fact, 'value', a.value,
        'answered_at', a.answered_at, 'standing', a.standing) order by a.answered_at), '[]')
      from private.fact_answers a where a.user_id = u.id),
    'favourite_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'since', f.created_at) order by f.created_at), '[]')
      from public.favourite_parks f where f.user_id = u.id),
    'submitted_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(p.id, u.language), 'status', p.status, 'created_at', p.created_at) order by p.id), '[]')
      from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = u.id),
    'unlicensed_contributions', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(x.park_id, u.language), 'field', x.field) order by x.park_id, x.field), '[]')
      from private.unlicensed_contributions x where x.user_id = u.id),
    'suggestions', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]') from public.park_suggestions s where s.user_id = u.id),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'receiver_id' - 'sender_id' order by n.created_at), '[]') from public.notifications n where n.receiver_id = u.id and n.is_ready),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id),
    'devices', (select coalesce(jsonb_agg(jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)), '[]') from public.device_tokens d where d.user_id = u.id),
    'rate_limits', (
      select coalesce(jsonb_agg(jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'), 'count', r.count, 'since', r.window_start) order by r.operation), '[]')
      from private.rate_limits r where r.user_id = u.id),
    'recent_commands', (
      select coalesce(jsonb_agg(jsonb_build_object('operation', k.operation, 'created_at', k.created_at) order by k.created_at), '[]')
      from private.idempotency_keys k where k.user_id = u.id),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name) order by o.name), '[]')
      from storage.objects o
      where (o.bucket_id = 'users' and o.name >= u.id || '/' and o.name < u.id || '0')
        or (o.bucket_id in ('parks', 'pending-photos') and o.name in (select x.path from private.photo_uploaders x where x.user_id = u.id)))
  )
  from public.users u where u.id = p_user_id
$$;
-- retention.sql
create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  delete from public.check_ins c where c.planned and c.expires_at < now();
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from private.fact_answers a where a.answered_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
