-- Of a merged park what is over stays where it was and counts at the other one: a merger takes and undoes a fraction of it.

comment on column public.former_parks.merged_into is 'The park that has its reviews and favourites now, where it was a double; its visits and busy hours stay, and count there.';
comment on table private.desk_moves is 'What a merger moved from one park to another and changed in nothing else, so that it can be undone for 30 days: hundreds of rows would take a tenth of a second in desk_changes.';
comment on column private.desk_moves.moved is 'The ids of the rows; of favourites, whose they are. Of busy hours, which moved once, the rows themselves.';

-- Without rights and a search path of their own these two become part of the statement that uses them.
create or replace function private.present_park(p_park_id bigint) returns bigint
language sql stable
as $$
  select coalesce((select f.merged_into from public.former_parks f where f.park_id = p_park_id), p_park_id)
$$;
comment on function private.present_park is 'The park that this one was merged with, or the park itself.';

create or replace function private.park_parts(p_park_id bigint) returns setof bigint
language sql stable
as $$
  select p_park_id union all select f.park_id from public.former_parks f where f.merged_into = p_park_id
$$;
comment on function private.park_parts is 'A park and those that were merged with it: a visit stays at the park that it was made at, and counts here.';

create or replace function private.has_been_at(p_user_id uuid, p_park_id bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.check_ins c
    where c.user_id = p_user_id and c.park_id in (select part from private.park_parts(p_park_id) part) and not c.planned);
end
$$;
comment on function private.has_been_at is 'Whether somebody is checked in at a park, or was within the days that visits are kept.';

create or replace function private.is_there(p_user_id uuid, p_park_id bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.check_ins c
    where c.user_id = p_user_id and c.park_id in (select part from private.park_parts(p_park_id) part) and not c.planned
      and coalesce(c.ended_at, c.expires_at) > now() - private.just_left());
end
$$;
comment on function private.is_there is 'Whether somebody is checked in at a park, or has just left.';

create or replace function private.usual_hours(p_park_ids bigint[])
returns table (park_id bigint, day_kind text, hour integer, dogs numeric, samples integer)
language sql stable
as $$
  with calendar as materialized (
    -- The last eight weeks without today, each day with how many there are of both kinds from it on; the weekend is Friday and
    -- Saturday.
    select d.day, d.kind, 1::bigint << d.ago as as_bit,
      count(*) filter (where d.kind = 'weekday') over since as weekdays, count(*) filter (where d.kind = 'weekend') over since as weekend_days
    from (
      select ago, today - ago as day, case when extract(dow from today - ago) in (5, 6) then 'weekend' else 'weekday' end as kind
      from (select (now() at time zone 'Asia/Jerusalem')::date) clock (today), generate_series(1, 56) ago
    ) d
    window since as (order by d.day desc)
  ), parts as materialized (
    select p.id as park_id, part from public.parks p cross join lateral private.park_parts(p.id) part
    where p.id = any (p_park_ids) and p.status = 'approved'
  ), asked as (
    -- Counted from the first day with data.
    select known.park_id as id, c.weekdays, c.weekend_days
    from (
      select s.park_id, min(begun.day) as first_day
      from parts s cross join lateral (select min(b.day) as day from private.busy_hours b where b.park_id = s.part) begun
      group by s.park_id
    ) known
    left join calendar c on c.day = greatest(known.first_day, (select min(day) from calendar))
  ), sums as (
    select s.park_id, c.kind, b.hour, sum(b.dogs) as dogs,
      -- An hour of a day that two parts have is one.
      bit_count(bit_or(c.as_bit)::bit(64))::integer as samples
    from parts s join private.busy_hours b on b.park_id = s.part join calendar c on c.day = b.day
    where b.day >= (select min(day) from calendar)
    group by s.park_id, c.kind, b.hour
  )
  select a.id, k.kind, h.hour,
    coalesce(round(s.dogs / case k.kind when 'weekday' then a.weekdays else a.weekend_days end, 2), 0), coalesce(s.samples, 0)
  from asked a
  cross join (values ('weekday'), ('weekend')) k (kind)
  cross join generate_series(0, 23) h (hour)
  left join sums s on s.park_id = a.id and s.kind = k.kind and s.hour = h.hour
$$;
comment on function private.usual_hours is 'Dogs at each of these parks by hour on an average weekday and weekend day; samples is how many days had dogs at that hour.';

create or replace function public.check_in(
  p_park_id bigint,
  p_dog_ids uuid[] default '{}',
  p_dog_count integer default null,
  p_stay_minutes integer default 60,
  p_switch boolean default false,
  p_key uuid default null,
  p_lat double precision default null,
  p_long double precision default null,
  p_accuracy double precision default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'check_in');
  dogs uuid[] := array(select distinct d from unnest(p_dog_ids) d where d is not null);
  dog_count integer := coalesce(nullif(cardinality(dogs), 0), p_dog_count, 1);
  -- The place is compared here, and gone with this call.
  far boolean := private.is_far(p_park_id, p_lat, p_long, p_accuracy);
  counted boolean;
  present public.check_ins;
  made public.check_ins;
  moment timestamptz;
begin
  if result is not null then
    return result;
  end if;
  if dog_count not between 0 and private.most_dogs() or p_stay_minutes is null or p_stay_minutes not between 1 and 240 then
    perform private.fail('invalid_input', format('At most %s dogs, and a stay of 1 to 240 minutes.', private.most_dogs()));
  end if;
  if cardinality(dogs) = 0 then
    dog_count := least(dog_count, private.most_unnamed_dogs());
  end if;
  -- One check-in of a user at a time: two at once would both see no open one.
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  -- Not now(): that is when the transaction began, before it waited for the lock.
  moment := clock_timestamp();
  select * into present from public.check_ins c where c.user_id = me and c.ended_at is null;
  if present.planned then
    -- A plan holds until the next check-in, wherever that is.
    delete from public.check_ins c where c.id = present.id;
    present := null;
  elsif present.expires_at > moment then
    if present.park_id = p_park_id then
      return private.store_idempotent_result(p_key, jsonb_build_object('status', 'already_here', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at, 'counted', present.counted, 'elsewhere', null,
        'stay', (select to_jsonb(m) from public.my_check_in() m)));
    end if;
    if not coalesce(p_switch, false) then
      -- Nothing happened: the same key is used again once the user said whether to switch.
      delete from private.idempotency_keys k where k.user_id = me and k.key = p_key;
      return jsonb_build_object('status', 'elsewhere', 'check_in_id', present.id,
        'park_id', present.park_id, 'expires_at', present.expires_at,
        'elsewhere', jsonb_build_object('park_id', present.park_id, 'name', private.park_name(present.park_id, private.my_language())));
    end if;
  end if;
  perform private.limit_action(me, 'check_in');
  if present.id is not null then
    update public.check_ins c set ended_at = least(c.expires_at, moment) where c.id = present.id;
  end if;
  counted := case
    when far then false
    when far is null and not private.within_limit(me, 'check_in_without_place') then false
    else private.is_regular(me) or private.newcomers_fit(p_park_id, dog_count)
  end;
  insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, planned, counted)
  select me, p.id, dog_count, moment, moment + make_interval(mins => p_stay_minutes), coalesce(far, false), counted
  from public.parks p where p.id = p_park_id and p.status = 'approved'
  -- Locked before it is looked at: a park that is being merged is none any more by then, and nobody stays behind there.
  for key share of p
  returning * into made;
  if made.id is null then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  if cardinality(dogs) > 0 then
    insert into public.check_in_dogs (check_in_id, dog_id)
    select made.id, d.id from public.dogs d where d.id = any (dogs) and d.owner = me and d.deleted_at is null;
    get diagnostics dog_count = row_count;
    if dog_count <> cardinality(dogs) then
      perform private.fail('invalid_input', 'Only your own dogs come along.');
    end if;
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when made.planned then 'planned' else 'checked_in' end, 'check_in_id', made.id,
    'park_id', made.park_id, 'expires_at', made.expires_at, 'counted', made.counted, 'elsewhere', null,
    'stay', (select to_jsonb(m) from public.my_check_in() m)));
end
$$;
comment on function public.check_in is 'The status is checked_in, already_here, elsewhere (nothing happened: ask whether to switch), or planned where the place that the device gave is far from the park; see private.is_far. counted: whether the park''s numbers have it. stay: what my_check_in says from now on, null for a plan; missing where nothing happened.';

create or replace function public.answer_park_question(p_check_in_id uuid, p_value text default null, p_key uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- 'I do not know' is no fact.
  me uuid := case when p_value is null then private.require_user() else private.require_contributor() end;
  result jsonb := private.claim_idempotency_key(p_key, 'answer_park_question');
  visit public.check_ins;
  park bigint;
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
  park := private.present_park(visit.park_id);
  if p_value is not null then
    insert into private.fact_answers (park_id, fact, value, user_id, standing)
    values (park, visit.asked_fact, p_value, me, private.standing_at(me, park))
    on conflict (park_id, fact, user_id) do update set value = excluded.value, standing = excluded.standing, answered_at = now();
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'agreed', case when p_value is not null then private.settle_fact(park, visit.asked_fact) end));
end
$$;
comment on function public.answer_park_question is 'The answer to the question of a visit of the last day, once; null says that the caller does not know. agreed: the value that several people say now, or null.';

create or replace function public.park_now(p_park_id bigint, p_language public.language default 'en')
returns table (park_id bigint, name text, city text, dogs_now integer)
language sql stable security definer set search_path = ''
as $$
  select p.id, t.name, t.city, coalesce((
    select sum(c.dog_count) from public.check_ins c
    where c.park_id = p.id and c.ended_at is null and c.counted and c.expires_at > now()), 0)::integer
  from public.parks p
  cross join lateral private.named_park(p.id, p_language) t
  where p.id = private.present_park(p_park_id) and p.status = 'approved'
$$;
comment on function public.park_now is 'An approved park, or the one that it was merged with, in a language, and the dogs there now; no row where there is none.';

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
      select coalesce(json_agg(private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email', 'created_at', 'updated_at', 'last_sign_in_at')
        order by i.created_at), '[]')
      from auth.identities i where i.user_id = u.id),
    'sessions', (
      select coalesce(json_agg(private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at', 'not_after', 'aal', 'amr', 'user_agent', 'ip')
        order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id),
    'second_factors', (
      select coalesce(json_agg(private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at', 'updated_at', 'last_challenged_at')
        order by m.created_at), '[]')
      from auth.mfa_factors m where m.user_id = u.id),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'dogs', (select coalesce(json_agg(to_jsonb(d) - 'owner' order by d.created_at), '[]') from public.dogs d where d.owner = u.id),
    'friends', (
      select coalesce(json_agg(json_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending' else f.status::text end,
        'requested_by_me', f.requester = u.id, 'since', coalesce(f.accepted_at, f.created_at)) order by f.created_at), '[]')
      from private.friendships f join public.users o on o.id = case when f.user_low = u.id then f.user_high else f.user_low end
      where u.id in (f.user_low, f.user_high) and (f.status <> 'declined' or f.requester = u.id) and (f.status = 'accepted' or f.requester <> u.id or not o.hidden)),
    'declined_requests', (
      select coalesce(json_agg(json_build_object('name', o.name, 'declined_at', d.declined_at) order by d.declined_at), '[]')
      from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = u.id),
    'invites', (
      select coalesce(json_agg(json_build_object('park', private.park_name(i.park_id, u.language), 'meet_at', i.meet_at, 'status', i.status,
        'sent_by_me', i.sender_id = u.id, 'name', o.name, 'created_at', i.created_at, 'changed_at', i.changed_at) order by i.created_at), '[]')
      from public.park_invites i join public.users o on o.id = case when i.sender_id = u.id then i.receiver_id else i.sender_id end
      where u.id in (i.sender_id, i.receiver_id)),
    'calendar_feed', (
      select json_build_object('created_at', c.created_at, 'cancelled_meetings', (
        select coalesce(json_agg(json_build_object('park', private.park_name(m.park_id, u.language), 'meet_at', m.meet_at, 'cancelled_at', m.cancelled_at)
          order by m.meet_at), '[]')
        from private.cancelled_meetings m where m.user_id = u.id))
      from private.calendar_feeds c where c.user_id = u.id),
    'blocked', (
      select coalesce(json_agg(json_build_object('name', o.name, 'since', b.created_at) order by b.created_at), '[]')
      from private.listed_blocks(u.id) b join public.users o on o.id = b.blocked),
    'check_ins', (
      select coalesce(json_agg(json_build_object('park', private.park_name(private.present_park(c.park_id), u.language), 'dog_count', c.dog_count,
        'dogs', (select coalesce(json_agg(d.name order by d.name), '[]')
          from public.check_in_dogs x join public.dogs d on d.id = x.dog_id where x.check_in_id = c.id),
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.planned, 'counted', c.counted, 'asked_fact', c.asked_fact, 'question_answered', c.question_answered) order by c.started_at), '[]')
      from public.check_ins c where c.user_id = u.id),
    'reviews', (
      select coalesce(json_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from public.reviews r where r.author = u.id),
    'replaced_reviews', (
      select coalesce(json_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from private.replaced_reviews r where r.author = u.id),
    'hidden_reviews', (
      select coalesce(json_agg(json_build_object('park', private.park_name(h.park_id, u.language), 'hidden_at', h.hidden_at) order by h.hidden_at), '[]')
      from private.hidden_reviews h where h.author = u.id),
    -- Without the review's id, by which an anonymous one could be recognised.
    'reported_reviews', (
      select coalesce(json_agg(json_build_object('park', private.park_name(r.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = u.id),
    'reported_photos', (
      select coalesce(json_agg(json_build_object('park', private.park_name(f.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = u.id),
    -- Without the name, which somebody who hides by now may have changed.
    'reported_people', (
      select coalesce(json_agg(json_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at', x.resolved_at)
        order by x.created_at), '[]')
      from private.user_reports x where x.reporter = u.id),
    'live_report_votes', (
      select coalesce(json_agg(json_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'vote', x.vote,
        'voted_at', x.voted_at, 'standing', x.standing) order by x.voted_at), '[]')
      from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = u.id),
    'live_reports', (
      select coalesce(json_agg(json_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'reported_at', l.reported_at, 'standing', l.standing) order by l.reported_at), '[]')
      from private.live_reports l where l.reporter = u.id),
    'fact_answers', (
      select coalesce(json_agg(json_build_object('park', private.park_name(a.park_id, u.language), 'fact', a.fact, 'value', a.value,
        'answered_at', a.answered_at, 'standing', a.standing) order by a.answered_at), '[]')
      from private.fact_answers a where a.user_id = u.id),
    'favourite_parks', (
      select coalesce(json_agg(json_build_object('park', private.park_name(f.park_id, u.language), 'since', f.created_at) order by f.created_at), '[]')
      from public.favourite_parks f where f.user_id = u.id),
    'submitted_parks', (
      select coalesce(json_agg(json_build_object('park', private.park_name(p.id, u.language), 'status', p.status, 'created_at', p.created_at) order by p.id), '[]')
      from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = u.id),
    'unlicensed_contributions', (
      select coalesce(json_agg(json_build_object('park', private.park_name(x.park_id, u.language), 'field', x.field) order by x.park_id, x.field), '[]')
      from private.unlicensed_contributions x where x.user_id = u.id),
    'suggestions', (select coalesce(json_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]') from public.park_suggestions s where s.user_id = u.id),
    'notifications', (select coalesce(json_agg(to_jsonb(n) - array['receiver_id', 'sender_id'] order by n.created_at), '[]') from public.notifications n where n.receiver_id = u.id and n.is_ready),
    'measures', (
      select coalesce(json_agg(to_jsonb(m) - array['id', 'user_id', 'shown'] order by m.taken_at), '[]') from private.measures m where m.user_id = u.id),
    'decisions', (
      select coalesce(json_agg(private.pick(to_jsonb(d), 'kind', 'decision', 'reason', 'decided_at', 'undone_at') order by d.decided_at), '[]')
      from private.desk_decisions d where d.subject = u.id),
    'role', (select to_jsonb(r) - 'user_id' from public.user_roles r where r.user_id = u.id),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id),
    'devices', (select coalesce(json_agg(json_build_object('platform', d.platform, 'updated_at', d.updated_at)), '[]') from public.device_tokens d where d.user_id = u.id),
    'rate_limits', (
      select coalesce(json_agg(json_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'), 'count', r.count, 'since', r.window_start) order by r.operation), '[]')
      from private.rate_limits r where r.user_id = u.id),
    'recent_commands', (
      select coalesce(json_agg(json_build_object('operation', k.operation, 'created_at', k.created_at) order by k.created_at), '[]')
      from private.idempotency_keys k where k.user_id = u.id),
    'files', (
      select coalesce(json_agg(to_jsonb(f) order by f.name), '[]') from private.files_of(u.id) f)
  )
  from public.users u where u.id = p_user_id
$$;
comment on function public.export_user_data is 'Everything stored about a user, as one object; files lists what is in storage. What it leaves out, and why, is in supabase/tests/account.test.ts.';

drop function private.move_to_park(text, bigint, bigint);
create or replace function private.key_of_moved(p_relation text) returns text
language sql immutable set search_path = ''
as $$
  select case p_relation when 'public.favourite_parks' then 'user_id' else 'id' end
$$;
comment on function private.key_of_moved is 'By what a row that moved is known again.';

create or replace function private.forget_at_desk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.desk_changes c where c.people @> array[old.id];
  update private.desk_moves m set moved = m.moved - old.id::text where m.relation = 'public.favourite_parks' and m.moved ? old.id::text;
  delete from private.desk_decisions d where d.kind = 'person' and d.item_id = old.id::text;
  delete from private.desk_claims c where c.kind = 'person' and c.id = old.id::text;
  return old;
end
$$;
comment on function private.forget_at_desk is 'With an account go the copies for undoing that it stands in, and what was decided about the person.';

create or replace function private.move_to_park(p_relation text, p_from bigint, p_into bigint, p_which text default 'true') returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  decision text := current_setting('packpark.decision', true);
  moved jsonb;
begin
  -- The move is kept, so that the rows need not be.
  perform set_config('packpark.decision', '', true);
  execute 'with moved as (update ' || p_relation::regclass || ' t set park_id = $2 where t.park_id = $1 and ' || p_which
    || ' returning t.' || private.key_of_moved(p_relation) || ' as key) select jsonb_agg(m.key) from moved m' into moved using p_from, p_into;
  perform set_config('packpark.decision', coalesce(decision, ''), true);
  -- Operators' own SQL is no decision.
  if decision <> '' and moved is not null then
    insert into private.desk_moves (decision_id, relation, from_park, into_park, moved) values (decision::uuid, p_relation, p_from, p_into, moved);
  end if;
end
$$;
comment on function private.move_to_park is 'Moves the rows of a park, or those of which a condition holds, to another park: of a table of which nothing else changes.';

create or replace function private.move_back(p_move private.desk_moves) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_move.relation = 'private.busy_hours' then
    -- Mergers once moved them, too, and are undone for 30 days. Only what is still there: of a park that was merged once more the next park has them.
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
    execute 'update ' || p_move.relation::regclass || ' t set park_id = $1 where t.park_id = $2 and t.' || private.key_of_moved(p_move.relation)
      || ' in (select m.key::uuid from jsonb_array_elements_text($3) m (key))' using p_move.from_park, p_move.into_park, p_move.moved;
  end if;
end
$$;
comment on function private.move_back is 'Undoes one move of a merger: what was moved since, or is gone, stays so, and so do dogs that were counted since.';

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
  perform private.move_to_park('public.reviews', p_from, p_into);
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
  -- Who is there now is there at the other park. What is over stays where it was: see private.park_parts.
  perform private.move_to_park('public.check_ins', p_from, p_into, 'ended_at is null');
  -- Moved, not written anew: undone, a favourite that somebody removed meanwhile does not come back.
  perform private.move_to_park('public.favourite_parks', p_from, p_into,
    'not exists (select from public.favourite_parks o where o.park_id = $2 and o.user_id = t.user_id)');
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
  perform private.move_to_park('public.park_invites', p_from, p_into);
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
comment on function private.merge_parks is 'Makes one park of two: the second keeps its own facts and gets what it lacks, and the reviews, favourites, meetings, reports and photos of the first, whose address leads to it and whose visits count at it from then on. How many of each: {reviews, visits, favourites, replaced_reviews}.';

