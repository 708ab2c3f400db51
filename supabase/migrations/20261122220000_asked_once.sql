-- Calls that a country's data made slow: what they ask of every row is asked once, and what stands in a statement is planned with it.

-- A password alone is not enough for a user who has a second factor, whatever client asks: until the code is given, a
-- session sees what an anonymous caller sees and writes nothing. Three guards together see to that: each table for users
-- has the restrictive policy "nothing before the second factor"; functions that run with their owner's rights, which
-- policies do not reach, ask private.uid() or private.require_user(); views ask private.uid(). Tables that anonymous
-- callers read (parks, their names and photos) need the guard only for what users see of their own.
create or replace function private.second_factor_done() returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(auth.jwt() ->> 'aal' = 'aal2', false)
    or not exists (select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified')
$$;
comment on function private.second_factor_done is 'Whether the session gave its second factor, or the user has none.';

create or replace function private.blocked_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 5
as $$
  with me as materialized (select private.uid() as id)
  select b.blocked from me join public.blocks b on b.blocker = me.id
  union all
  select b.blocker from me join public.blocks b on b.blocked = me.id
$$;
comment on function private.blocked_ids is 'Everybody with a block between them and the caller, whoever made it.';

create or replace function private.friend_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 50
as $$
  with me as materialized (select private.uid() as id)
  select f.user_high from me join private.friendships f on f.user_low = me.id and f.status = 'accepted'
  union all
  select f.user_low from me join private.friendships f on f.user_high = me.id and f.status = 'accepted'
$$;
comment on function private.friend_ids is 'The caller''s friends.';

create or replace function private.known_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 50
as $$
  with me as materialized (select private.uid() as id)
  select f.user_high from me join private.friendships f
    on f.user_low = me.id and (f.status = 'accepted' or (f.status = 'pending' and f.requester = f.user_high))
  union all
  select f.user_low from me join private.friendships f
    on f.user_high = me.id and (f.status = 'accepted' or (f.status = 'pending' and f.requester = f.user_low))
$$;
comment on function private.known_ids is 'The caller''s friends and those who asked the caller: they are visible even when hidden.';

drop function private.dogs_of(uuid);

-- Without rights and a search_path of their own these two become part of the statement that asks them, for each of many people.
create or replace function private.dogs_of(p_user_id uuid, p_with_photos boolean) returns setof jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', d.id, 'name', d.name, 'breed', d.breed, 'gender', d.gender, 'birthday', d.birthday, 'size', d.size,
    'photo', case when p_with_photos then d.photo end) order by d.created_at, d.id), '[]')
  from public.dogs d where d.owner = p_user_id and d.deleted_at is null
$$;
comment on function private.dogs_of is 'Somebody''s dogs as one array. p_with_photos: whether the caller is logged in; nobody else sees photos.';

create or replace function private.name_similarity(p_typed text, p_name text) returns real
language sql stable
as $$
  select case when p_name = p_typed then 3 when starts_with(p_name, p_typed) then 2 else extensions.word_similarity(p_typed, p_name) end
$$;

create or replace function private.find_people(p_input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_input, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  me uuid := private.uid();
  signed_in boolean := me is not null;
  unwanted uuid[] := array_remove(array(select private.blocked_ids()) || me, null);
  found_ids uuid[];
  threshold text;
begin
  if coalesce(char_length(typed), 0) < 2 then
    return;
  end if;
  if auth.uid() is null then
    perform private.limit_address('search_people', 60, '10 minutes');
  else
    perform private.limit_rate('search_people', 600, '1 hour');
  end if;
  -- Anonymous callers do not find people who have blocked somebody: that one could just log out. With 'offset 0' it is looked up
  -- for each person who is found; else all blocks are read first.
  -- Exact names and beginnings of names first, by index, which also knows their order (~<~): a common beginning has thousands.
  -- Only where these are few: similar names.
  found_ids := array(
    select u.id from public.users u
    where lower(u.name) like pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0)) order by lower(u.name) using ~<~ limit 40);
  -- The index of parts of names cannot tell later words from first ones: a common beginning has thousands of them to look at.
  if cardinality(found_ids) < 40 then
    found_ids := array(
      select unnest(found_ids)
      union
      (select u.id from public.users u
      where lower(u.name) like '% ' || pattern || '%' and not u.hidden and u.id <> all (unwanted)
        and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0)) limit 40));
  end if;
  found_ids := array(
    select unnest(found_ids)
    union
    (select d.owner from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0))
    where d.deleted_at is null and lower(d.name) like pattern || '%' and d.owner <> all (unwanted) order by lower(d.name) using ~<~ limit 40));
  -- The nearer names first, and the others only where these are few: to compare each of thousands takes most of the time.
  foreach threshold in array array['0.6', '0.4'] loop
    exit when cardinality(found_ids) >= 20 or char_length(typed) <= 2;
    perform set_config('pg_trgm.word_similarity_threshold', threshold, true);
    found_ids := array(
      select unnest(found_ids)
      union
      (select near.id from (
        (select u.id, extensions.word_similarity(typed, lower(u.name)) as likeness
        from public.users u
        where typed operator(extensions.<%) lower(u.name) and not u.hidden and u.id <> all (unwanted)
          and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0)) limit 200)
        union all
        (select d.owner, extensions.word_similarity(typed, lower(d.name))
        from public.dogs d join public.users u on u.id = d.owner and not u.hidden
          and (signed_in or not exists (select from public.blocks b where b.blocker = u.id offset 0))
        where d.deleted_at is null and typed operator(extensions.<%) lower(d.name) and d.owner <> all (unwanted) limit 200)
      ) near
      order by near.likeness desc, near.id limit 40));
  end loop;
  return query
    with best as materialized (
      select u.id, u.name, greatest(
        private.name_similarity(typed, lower(u.name)) + 0.01,
        (select max(private.name_similarity(typed, lower(d.name))) from public.dogs d where d.owner = u.id and d.deleted_at is null)
      ) as likeness
      from public.users u
      where u.id = any (found_ids)
      order by likeness desc, u.name, u.id
      limit 20
    )
    select b.id, b.name, d.dogs
    from best b cross join lateral private.dogs_of(b.id, signed_in) d (dogs)
    order by b.likeness desc, b.name, b.id;
end
$$;
comment on function private.find_people is 'People by their own or their dogs'' names, best first, at most 20; never hidden or blocked ones, nor the caller. From two characters on; limited per user, and per address for anonymous callers.';

create or replace function public.user_page(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'name', u.name, 'picture', u.picture, 'hidden', u.hidden and u.id = private.uid(),
    'friendship', private.friendship_state(u.id), 'dogs', d.dogs,
    'shows_friends', u.show_friends and private.is_friend(u.id), 'shows_favourites', u.show_favourites and private.is_friend(u.id))
  from public.users u cross join lateral private.dogs_of(u.id, true) d (dogs)
  where u.id = p_user_id and private.uid() is not null and private.may_see(u.id)
$$;
comment on function public.user_page is 'A user''s page with dogs; null for callers who may not see it, as where there is no such user.';

-- Without a search_path of its own it becomes part of the statement that asks it, for each of hundreds of invites.
create or replace function private.is_meeting_open(p_meet_at timestamptz) returns boolean
language sql stable
as $$
  select p_meet_at > now() - interval '4 hours'
$$;
comment on function private.is_meeting_open is 'Whether a meeting is still ahead or may be going on: until then invites are listed and answered.';

alter table private.busy_hours drop constraint busy_hours_pkey, add primary key (park_id, day, hour) include (dogs);

create or replace function public.park_cards(p_park_ids bigint[]) returns json
-- To plan it anew for the parks that are asked for takes as long as to run it.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  -- The hours change by the day, and a photo seldom: whoever looks at the same parks may be answered by a cache.
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=60"}]', true);
  return (
    select coalesce(json_object_agg(p.id, json_build_object('photo', p.primary_photo, 'hours', usual.hours)), '{}')
    from (
      select u.park_id, json_agg(json_build_array(u.dogs, u.samples) order by u.day_kind, u.hour) as hours
      from private.usual_hours(p_park_ids[:20]) u
      group by u.park_id
    ) usual join public.parks p on p.id = usual.park_id
  );
end
$$;
comment on function public.park_cards is 'What cards show of up to 20 parks beside the published list: {park id: {photo: its object in bucket parks or null, hours: 48 times [dogs, samples]}}, 24 hours of an average weekday, then of a weekend day; samples is how many days had dogs at that hour. The same for every caller, so shared caches may hand it out for 60 seconds.';

create or replace function public.live_counts(p_since integer default null, p_fresh boolean default false) returns json
-- To plan it anew for each moment takes as long as to run it.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  moment timestamptz := now();
  -- Whoever asks within the same three seconds goes on from the same slot, so that the next questions are the same, too.
  slot integer := floor(extract(epoch from moment) / 3);
  -- Ten seconds are told twice: a change is seen when its transaction commits, at most a statement timeout (8 s) after the
  -- moment that it carries.
  since timestamptz := case when p_since between slot - 400 and slot
    then to_timestamp(p_since * 3::double precision) - interval '10 seconds' end;
  dogs text;
  conditions text;
  hazards text;
  answer text;
begin
  -- Each park is looked up once, after its visits are summed up: this is asked all day, of a whole country.
  with visits as (
    select c.park_id, c.dog_count, c.started_at > since as changed
    from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > moment
    union all
    select c.park_id, 0, true from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > since and c.expires_at <= moment
    union all
    -- Bounded at both ends, so that the planner expects few.
    select c.park_id, 0, true from public.check_ins c where c.ended_at > since and c.ended_at < moment + interval '1 minute' and c.counted
  ), told as (
    select v.park_id, sum(v.dog_count) as dogs from visits v group by v.park_id
    having case when since is null then sum(v.dog_count) > 0 else bool_or(v.changed) end
  ), counted as (
    select p.id, t.dogs, p.id - coalesce(lag(p.id) over (order by p.id), 0) as step
    from told t join public.parks p on p.id = t.park_id and p.status = 'approved'
  )
  select string_agg(c.step || ',' || c.dogs, ',' order by c.id) into dogs from counted c;

  with reports as materialized (
    select l.park_id, l.condition, l.hazard, l.verified_at is not null as verified, l.reported_at > since or l.verified_at > since as changed
    from private.live_reports l where l.ended_at is null and l.expires_at > moment
    union all
    select l.park_id, null, null, null, true from private.live_reports l where l.ended_at is null and l.expires_at > since and l.expires_at <= moment
    union all
    select l.park_id, null, null, null, true from private.live_reports l where l.ended_at > since
  ), told as (
    select r.park_id, coalesce(string_agg('"' || r.condition || '"', ',' order by r.condition), '') as conditions,
      coalesce(string_agg('"' || r.hazard || '":' || r.verified, ',' order by r.hazard), '') as hazards
    from reports r where since is null or r.park_id in (select x.park_id from reports x where x.changed)
    group by r.park_id
  )
  select string_agg('"' || p.id || '":[' || t.conditions || ']', ',' order by p.id) filter (where since is not null or t.conditions <> ''),
    string_agg('"' || p.id || '":{' || t.hazards || '}', ',' order by p.id) filter (where since is not null or t.hazards <> '')
  into conditions, hazards
  from told t join public.parks p on p.id = t.park_id and p.status = 'approved';

  answer := format('{"at":%s%s%s%s%s}',
    case when since is not null and dogs is null and conditions is null then p_since else slot end,
    case when since is null then ',"all":true' end,
    ',"dogs":[' || dogs || ']',
    ',"conditions":{' || conditions || '}',
    ',"hazards":{' || hazards || '}');
  -- Changes are shorter than the validator that would spare them.
  perform set_config('response.headers', (
    jsonb_build_array(jsonb_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end))
    || case when since is null then jsonb_build_array(jsonb_build_object('ETag', format('"%s"', left(md5(answer), 12)))) else '[]' end)::text, true);
  return answer::json;
end
$$;
comment on function public.live_counts is 'Dogs now, conditions and hazards: {at, all?, dogs: [step to the next park id, dogs, …], conditions: {park id: […]}, hazards: {park id: {hazard: whether it is verified}}}. With the last at as p_since only parks that changed, else all that have any (all is true). The same for every caller, so shared caches may hand it out for 3 seconds; not with p_fresh.';

drop index public.reviews_of_park;
create index reviews_of_park on public.reviews (park_id, id);

-- In the order of their random ids: unordered rows come in the order in which they were written, and the place of an
-- anonymous review between two others with a time would tell its time.
create or replace view public.park_reviews with (security_barrier) as
  -- Asked once: not again for each of the columns that depend on it.
  with me as materialized (
    select private.uid() as id, array(select private.blocked_ids()) as blocked, array(select private.listed_block_ids()) as listed
  )
  select r.id, r.park_id, r.title, r.content, r.rank, r.anonymous,
    case when shown.author then u.id end as author_id,
    case when shown.author then u.name end as author_name,
    shown.mine,
    -- The day only: a minute tells who just left the park.
    case when shown.mine then r.created_at else date_trunc('day', r.created_at, 'Asia/Jerusalem') end as created_at,
    case when shown.mine then r.updated_at else date_trunc('day', r.updated_at, 'Asia/Jerusalem') end as updated_at,
    case when shown.author and me.id is not null then u.picture end as author_picture
  from me cross join public.reviews r
  join public.parks p on p.id = r.park_id and (p.status = 'approved' or exists (
    select from public.former_parks f where f.park_id = p.id and f.reason = 'closed'))
  left join public.users u on u.id = r.author
  cross join lateral (
    select coalesce(u.id = me.id, false) as mine,
      not r.anonymous and (
        u.id is not distinct from me.id
        or ((not u.hidden or u.id in (select private.known_ids())) and u.id <> all (me.blocked)
          -- A person who is blocked and logs out must not read the name either, and anonymous callers are all alike.
          and (me.id is not null or not exists (select from public.blocks b where b.blocker = u.id)))
      ) as author
    -- Worked out once for each review.
    offset 0
  ) shown
  where r.hidden_at is null
    -- Reviews without an author stay whoever is blocked: one that disappeared after a block would name its author.
    and (r.anonymous or u.hidden or u.id <> all (me.listed))
  order by r.id;

create or replace function private.files_of(p_user_id uuid) returns table (bucket text, name text)
language sql stable
as $$
  -- Two searches by name: with "or" between them every file of everybody would be looked at.
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'users' and o.name >= p_user_id || '/' and o.name < p_user_id || '0'
  union all
  select o.bucket_id, o.name from private.photo_uploaders u
  join storage.objects o on o.bucket_id in ('parks', 'pending-photos') and o.name = u.path
  where u.user_id = p_user_id
$$;
comment on function private.files_of is 'What somebody has in storage.';

create or replace function public.delete_user_data(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  found_objects jsonb;
  left_over jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') into found_objects from private.files_of(p_user_id) f;
  insert into private.user_deletions as d (user_id, objects) values (p_user_id, found_objects)
  on conflict (user_id) do update set objects = (
    select coalesce(jsonb_agg(distinct o), '[]') from jsonb_array_elements(d.objects || excluded.objects) o)
  returning d.objects into left_over;
  -- Approved parks belong to everybody, also those that are no more; pending and rejected ones are deleted.
  delete from public.parks p using private.park_submitters s
  where s.park_id = p.id and s.user_id = p_user_id and p.status <> 'approved'
    and not exists (select from public.former_parks f where f.park_id = p.id);
  delete from public.park_photos f using private.photo_uploaders u where u.path = f.path and u.user_id = p_user_id;
  delete from public.users u where u.id = p_user_id;
  delete from private.idempotency_keys k where k.user_id = p_user_id;
  delete from private.rate_limits r where r.user_id = p_user_id;
  return left_over;
end
$$;
comment on function public.delete_user_data is 'Deletes all rows of a user and returns which files are to be removed: [{bucket, name}]. Safe to call again; then finish_user_deletion.';

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
      select coalesce(json_agg(json_build_object('park', private.park_name(c.park_id, u.language), 'dog_count', c.dog_count,
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
