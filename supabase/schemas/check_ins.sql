-- Check-ins: a user is at no more than one park, for a planned stay.

create type public.check_in_type as enum ('visit', 'plan', 'undone');

create table public.check_ins (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  dog_count smallint not null check (dog_count between 0 and private.max_dogs()),
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  type public.check_in_type not null default 'visit',
  arrives_at timestamptz check (arrives_at is null or type = 'plan'),
  counted boolean not null default true,
  vouched boolean not null default false,
  is_located boolean not null default false,
  asked_fact text,
  question_answered boolean not null default false,
  review_asked boolean not null default false,
  changed_at timestamptz,
  check (expires_at > started_at),
  check (ended_at >= started_at),
  check (type = 'visit' or not counted)
);
comment on table public.check_ins is
  'Visits, plans and undone visits of a user; only the user can read them. A visit is open while ended_at is null, but the user counts as '
  'present only until expires_at.';
comment on column public.check_ins.type is
  'plan: the user is on the way, or the device was far from the park; only the user sees it. undone: a visit that the user undid; the '
  'row is kept until all clients have fetched the changed counts.';
comment on column public.check_ins.arrives_at is 'When the user expects to arrive; null if the plan is a check-in made far from the park.';
comment on column public.check_ins.counted is
  'True if it counts in the public numbers: the number of dogs at the park and its busy hours. Friends also see visits that do not '
  'count.';
comment on column public.check_ins.vouched is 'True if the user was a regular and the device reported a location near the park.';
comment on column public.check_ins.is_located is 'True if the device reported a location near the park.';
comment on column public.check_ins.asked_fact is
  'The fact of the park that the user was asked about during this visit; see fact_answers.sql.';
comment on column public.check_ins.changed_at is
  'When a dog last left the visit, or when the visit was reopened because the user undid a switch of parks; otherwise null.';
comment on column public.check_ins.review_asked is 'True if one of the user''s devices has asked for a review, so that the others do not.';
alter table public.check_ins enable row level security;

create table public.check_in_dogs (
  check_in_id uuid not null references public.check_ins (id) on delete cascade,
  dog_id uuid not null references public.dogs (id) on delete cascade,
  taken_from uuid,
  primary key (check_in_id, dog_id)
);
comment on table public.check_in_dogs is 'The dogs on a visit or plan.';
comment on column public.check_in_dogs.taken_from is
  'The visit that the dog was removed from and returns to if this visit is undone. Nobody may read it, because it may be another user''s '
  'visit.';
alter table public.check_in_dogs enable row level security;

grant select on public.check_ins to authenticated;
grant select (check_in_id, dog_id) on public.check_in_dogs to authenticated;

create unique index check_ins_one_open on public.check_ins (user_id) where ended_at is null;
create index check_ins_present on public.check_ins (park_id, expires_at) include (dog_count, user_id, type, counted)
  where ended_at is null;
create index check_ins_leaving on public.check_ins (expires_at) include (park_id, dog_count, started_at, changed_at, type, counted)
  where ended_at is null;
create index check_ins_left on public.check_ins (ended_at) include (park_id, counted) where ended_at is not null;
create index check_ins_of_user on public.check_ins (user_id, started_at desc);
create index check_ins_of_park on public.check_ins (park_id);
create index check_ins_old on public.check_ins (started_at);
create index check_ins_undone on public.check_ins (ended_at) where type = 'undone';
create index on public.check_in_dogs (dog_id);

create view private.present as
  select c.* from public.check_ins c where c.ended_at is null and c.type = 'visit' and c.expires_at > now();
comment on view private.present is 'Visits in progress. Public numbers include only those that are counted.';

create function private.max_stay_minutes() returns integer language sql immutable set search_path = '' as $$ select 240 $$;
comment on function private.max_stay_minutes is 'The longest planned stay in minutes.';

create function private.max_way_minutes() returns integer language sql immutable set search_path = '' as $$ select 30 $$;
comment on function private.max_way_minutes is 'The longest travel time in minutes that a user can announce.';

create function private.plan_grace() returns interval language sql immutable set search_path = '' as $$ select interval '15 minutes' $$;
comment on function private.plan_grace is 'A plan expires this long after the expected arrival.';

create function private.min_visit_duration() returns interval language sql immutable set search_path = '' as $$ select interval '5 minutes' $$;
comment on function private.min_visit_duration is 'Visits that are shorter than this are not part of the history.';

create function private.max_unnamed_dogs() returns integer language sql immutable set search_path = '' as $$ select 2 $$;
comment on function private.max_unnamed_dogs is 'Maximum number of dogs that count for a check-in that names none of the user''s own dogs.';

create function private.end_expired_visits(p_max integer default null) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  visit record;
  many integer := 0;
begin
  for visit in
    -- Rows that other transactions have locked are skipped, so that no caller waits. The next run handles them.
    select c.id, c.type from public.check_ins c where c.ended_at is null and c.expires_at < now()
    -- Ending a visit locks the busy hours of its park. Check-outs lock them in the same order, so there are no deadlocks.
    order by c.park_id, c.started_at limit p_max for update skip locked
  loop
    if visit.type = 'plan' then
      delete from public.check_ins c where c.id = visit.id;
    else
      update public.check_ins c set ended_at = c.expires_at where c.id = visit.id;
    end if;
    many := many + 1;
  end loop;
  return many;
end
$$;
comment on function private.end_expired_visits is
  'Ends expired visits, which adds them to busy_hours, deletes expired plans, and returns how many. The batches are small, because users '
  'who check in or out wait for rows that are being ended.';

create function private.near_metres() returns integer language sql immutable set search_path = '' as $$ select 1000 $$;
comment on function private.near_metres is 'A check-in from farther away than this, plus the inaccuracy of the location, is a plan.';

create function private.rough_metres() returns integer language sql immutable set search_path = '' as $$ select 3000 $$;
comment on function private.rough_metres is 'Locations that are less accurate than this are ignored.';

create function private.is_far(p_park_id bigint, p_location jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  latitude double precision := p_location ->> 'lat';
  longitude double precision := p_location ->> 'long';
  accuracy double precision := coalesce(p_location ->> 'accuracy', '0');
  metres double precision;
begin
  if latitude is null or longitude is null then
    return null;
  end if;
  -- NaN is greater than infinity in PostgreSQL, so these ranges also exclude it.
  if not (latitude between -90 and 90 and longitude between -180 and 180 and accuracy between 0 and 'infinity') then
    perform private.fail('invalid_input', 'A location is a latitude, a longitude and an accuracy in metres.');
  end if;
  if accuracy > private.rough_metres() then
    return null;
  end if;
  select private.metres_between(p.lat, p.long, latitude, longitude) into metres from public.parks p where p.id = p_park_id;
  return metres > private.near_metres() + accuracy;
end
$$;
comment on function private.is_far is 'Returns true if a location is far from a park; null if it is missing or too inaccurate.';

create policy "users see their own visits" on public.check_ins for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users see which dogs they took along" on public.check_in_dogs for select to authenticated
  using (exists (select from public.check_ins c where c.id = check_in_id));
create policy "nothing before the second factor" on public.check_ins as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));
create policy "nothing before the second factor" on public.check_in_dogs as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.my_check_in()
returns table (check_in_id uuid, park_id bigint, park_name text, started_at timestamptz, expires_at timestamptz, dog_count integer,
  counted boolean, type public.check_in_type, arrives_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select c.id, c.park_id, private.park_name(c.park_id, private.my_language()), c.started_at, c.expires_at, c.dog_count::integer, c.counted,
    c.type, c.arrives_at
  from public.check_ins c where c.user_id = (select private.uid()) and c.ended_at is null and c.expires_at > now()
$$;
comment on function public.my_check_in is 'The caller''s current visit or plan: one row, or none.';

create function private.check_in_result(p_status text, p_check_in public.check_ins) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('status', p_status, 'check_in_id', p_check_in.id, 'park_id', p_check_in.park_id,
      'expires_at', p_check_in.expires_at, 'counted', p_check_in.counted)
    || case p_status when 'elsewhere' then jsonb_build_object('elsewhere', jsonb_build_object('park_id', p_check_in.park_id,
        'name', private.park_name(p_check_in.park_id, private.my_language())))
      else jsonb_build_object('elsewhere', null, 'stay', (select to_jsonb(m) from public.my_check_in() m)) end
$$;
comment on function private.check_in_result is
  'counted: whether the park''s numbers include the visit. stay: the row of my_check_in. For the status elsewhere, the check-in '
  'is the open one at the other park.';

create function public.check_in(
  p_park_id bigint,
  p_dog_ids uuid[] default '{}',
  p_dog_count integer default null,
  p_stay_minutes integer default 60,
  p_switch boolean default false,
  p_location jsonb default null,
  p_key uuid default null,
  p_arrives_in integer default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'check_in');
  dogs uuid[] := array(select distinct d from unnest(p_dog_ids) d where d is not null);
  dog_count integer := coalesce(nullif(cardinality(dogs), 0), p_dog_count, 1);
  -- The location is only compared with the park's location and not stored.
  far boolean := case when p_arrives_in is null then private.is_far(p_park_id, p_location) else true end;
  visit_id uuid := coalesce(p_key, gen_random_uuid());
  counted boolean;
  present public.check_ins;
  made public.check_ins;
  checked_in_at timestamptz;
begin
  if result is not null then
    -- The stored result is returned with the current visit, because the visit of the first call may have ended.
    return result || jsonb_build_object('stay', (select to_jsonb(m) from public.my_check_in() m));
  end if;
  if dog_count not between 0 and private.max_dogs()
    or p_stay_minutes is null or p_stay_minutes not between 1 and private.max_stay_minutes() then
    perform private.fail('invalid_input',
      format('At most %s dogs, and a stay of 1 to %s minutes.', private.max_dogs(), private.max_stay_minutes()));
  end if;
  if p_arrives_in not between 1 and private.max_way_minutes() then
    perform private.fail('invalid_input', format('Arrive in 1 to %s minutes.', private.max_way_minutes()));
  end if;
  if cardinality(dogs) = 0 then
    dog_count := least(dog_count, private.max_unnamed_dogs());
  end if;
  -- Dogs are locked before visits. Otherwise two users who remove dogs from each other's visits could deadlock.
  perform from public.dogs d
  where d.id in (select p.dog_id from private.dog_carers p)
    and (d.owner = me or d.id in (select private.kept_dog_ids()))
    and (d.id = any (dogs) or d.id in (
      select x.dog_id from public.check_in_dogs x join public.check_ins c on c.id = x.check_in_id
      where c.user_id = me and c.ended_at is null))
  order by d.id for no key update;
  -- Check-ins of one user are serialised, because two concurrent ones would both find no open visit.
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  -- now() is the start of the transaction, before it waited for the lock, so the clock is read instead.
  checked_in_at := clock_timestamp();
  select * into present from public.check_ins c where c.user_id = me and c.ended_at is null;
  if present.type = 'plan' then
    -- A user who is on the way to this park and has not arrived stays on the way.
    if far and p_arrives_in is null and present.park_id = p_park_id and present.arrives_at is not null
      and present.expires_at > checked_in_at then
      return private.store_idempotent_result(p_key, private.check_in_result('planned', present));
    end if;
    -- Any other check-in, at whatever park, ends the plan.
    delete from public.check_ins c where c.id = present.id;
    present := null;
  elsif present.expires_at > checked_in_at then
    if present.park_id = p_park_id then
      return private.store_idempotent_result(p_key, private.check_in_result('already_here', present));
    end if;
    if not coalesce(p_switch, false) then
      -- The key is released, because the client sends it again when the user has confirmed the switch of parks.
      delete from private.idempotency_keys k where k.user_id = me and k.key = p_key;
      return private.check_in_result('elsewhere', present);
    end if;
  end if;
  perform private.limit_action(me, 'check_in');
  if present.id is not null then
    update public.check_ins c set ended_at = least(c.expires_at, checked_in_at) where c.id = present.id;
  end if;
  counted := case
    when far then false
    when far is null and not private.within_limit(me, 'check_in_without_place') then false
    else private.is_regular(me) or private.newcomers_fit(p_park_id, dog_count)
  end;
  -- Keys are unique only per user, so a visit of another user may have this ID. private.visit_named then finds the visit by its
  -- key.
  if exists (select from public.check_ins c where c.id = visit_id) then
    visit_id := gen_random_uuid();
  end if;
  insert into public.check_ins (id, user_id, park_id, dog_count, started_at, expires_at, type, counted, vouched, is_located,
    arrives_at)
  select visit_id, me, p.id, dog_count, checked_in_at,
    checked_in_at + coalesce(make_interval(mins => p_arrives_in) + private.plan_grace(), make_interval(mins => p_stay_minutes)),
    case when far then 'plan' else 'visit' end::public.check_in_type, counted, far is false and private.is_regular(me),
    far is false, checked_in_at + make_interval(mins => p_arrives_in)
  from public.parks p where p.id = p_park_id and p.status = 'approved'
  -- The lock waits for a merge of this park in progress. Afterwards the park is not approved, so the check-in fails instead of
  -- creating a visit at a merged park.
  for key share of p
  returning * into made;
  if made.id is null then
    perform private.fail('park_not_found', 'There is no such park.');
  end if;
  if cardinality(dogs) > 0 then
    insert into public.check_in_dogs (check_in_id, dog_id, taken_from)
    select made.id, d.id, (
      select c.id from public.check_in_dogs x join private.present c on c.id = x.check_in_id
      where x.dog_id = d.id and made.type = 'visit' and c.id <> made.id limit 1)
    from public.dogs d
    where d.id = any (dogs) and d.deleted_at is null and (d.owner = me or d.id in (select private.kept_dog_ids()));
    get diagnostics dog_count = row_count;
    if dog_count <> cardinality(dogs) then
      perform private.fail('invalid_input', 'Only your own dogs come along, and those that you keep or walk.');
    end if;
    if made.type = 'visit' then
      perform private.leave_visits(d, null, made.id) from unnest(dogs) d;
    end if;
  end if;
  return private.store_idempotent_result(p_key, private.check_in_result(
    case made.type when 'plan' then 'planned' else 'checked_in' end, made));
end
$$;
comment on function public.check_in is
  'p_location: an object with lat, long and accuracy in metres. p_key becomes the ID of the visit, so a device can refer to the visit '
  'before it has the response. The status is checked_in, already_here, elsewhere (nothing changed; call again with p_switch), or planned if '
  'the location is far from the park (private.is_far), or with p_arrives_in, the minutes until the caller arrives. A caller on the way who '
  'checks in far from the park keeps that plan.';

create function private.visit_named(p_visit_id uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select (k.result ->> 'check_in_id')::uuid from private.idempotency_keys k
    where k.user_id = (select private.uid()) and k.key = p_visit_id and k.operation = 'check_in'), p_visit_id)
$$;
comment on function private.visit_named is
  'The ID of the visit to which the caller refers, by its ID or by the key of a check-in that returned it.';

create function public.extend_stay(p_visit_id uuid, p_minutes integer, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'extend_stay');
  visit public.check_ins;
begin
  if result is not null then
    return result;
  end if;
  if p_minutes is null or p_minutes not between 1 and private.max_stay_minutes() then
    perform private.fail('invalid_input', format('Extend by 1 to %s minutes.', private.max_stay_minutes()));
  end if;
  update public.check_ins c
  set expires_at = greatest(c.expires_at,
    least(c.expires_at + make_interval(mins => p_minutes), c.started_at + make_interval(mins => private.max_stay_minutes())))
  where c.id = private.visit_named(p_visit_id) and c.user_id = me and c.ended_at is null and c.type = 'visit' and c.expires_at > now()
  returning * into visit;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when visit.id is null then 'already_ended' else 'extended' end,
    'check_in_id', visit.id, 'park_id', visit.park_id, 'expires_at', visit.expires_at));
end
$$;
comment on function public.extend_stay is
  'Adds minutes to the planned stay of this visit, up to private.max_stay_minutes in all. A visit that has ended is not changed '
  '(already_ended).';

create function private.own_dogs_of_visit(p_visit public.check_ins) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select d.id from public.check_in_dogs x join public.dogs d on d.id = x.dog_id
    where x.check_in_id = p_visit.id and d.owner = p_visit.user_id and d.deleted_at is null
    order by d.created_at, d.id)
$$;
comment on function private.own_dogs_of_visit is 'The dogs on the visit that its user owns. The app offers to add a photo for each.';

create function public.check_out(p_visit_id uuid, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'check_out');
  visit public.check_ins;
begin
  if result is not null then
    return result;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  delete from public.check_ins c
  where c.id = private.visit_named(p_visit_id) and c.user_id = me and c.type = 'plan' and c.ended_at is null;
  update public.check_ins c set ended_at = least(c.expires_at, clock_timestamp()), review_asked = true
  where c.id = private.visit_named(p_visit_id) and c.user_id = me and c.ended_at is null
  returning c.* into visit;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when visit.id is null then 'already_ended' else 'checked_out' end,
    'park_id', visit.park_id,
    'park_name', private.park_name(visit.park_id, private.my_language()),
    'started_at', visit.started_at,
    'offer_review', visit.id is not null and not exists (
      select from public.reviews r where r.author = me and r.park_id = visit.park_id),
    'own_dog_ids', private.own_dogs_of_visit(visit)
  ));
end
$$;
comment on function public.check_out is
  'Ends this visit or plan. If it has already ended, for example on another device, the status is already_ended.';

create function public.undo_check_in(p_visit_id uuid, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'undo_check_in');
  visit public.check_ins;
  named uuid := private.visit_named(p_visit_id);
begin
  if result is not null then
    return result || jsonb_build_object('stay', (select to_jsonb(m) from public.my_check_in() m));
  end if;
  -- Dogs are locked before visits, as in check_in.
  perform from public.dogs d where d.id in (
    select x.dog_id from public.check_in_dogs x join public.check_ins c on c.id = x.check_in_id
    where c.id = named and c.user_id = me and x.taken_from is not null)
  order by d.id for no key update;
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  delete from public.check_ins c where c.id = named and c.user_id = me and c.type = 'plan' and c.ended_at is null;
  update public.check_ins c set ended_at = clock_timestamp(), type = 'undone', counted = false
  where c.id = named and c.user_id = me and c.ended_at is null and c.started_at > clock_timestamp() - private.min_visit_duration()
  returning * into visit;
  if exists (select from public.check_ins c where c.id = named and c.user_id = me and c.ended_at is null) then
    perform private.fail('too_late_to_undo', 'Only a visit that has just begun can be undone.');
  end if;
  with back as (
    insert into public.check_in_dogs (check_in_id, dog_id)
    select o.id, d.id
    from public.check_in_dogs x join public.dogs d on d.id = x.dog_id and d.deleted_at is null
    join private.present o on o.id = x.taken_from and (d.owner = o.user_id or exists (
      select from private.dog_carers p where p.dog_id = d.id and p.user_id = o.user_id and (p.ends_at is null or p.ends_at > now())))
    where x.check_in_id = visit.id and not exists (
      select from public.check_in_dogs y join private.present c on c.id = y.check_in_id where y.dog_id = d.id)
    returning check_in_id
  )
  update public.check_ins c set dog_count = c.dog_count + b.dogs, changed_at = clock_timestamp()
  from (select b.check_in_id, count(*) as dogs from back b group by b.check_in_id) b where c.id = b.check_in_id;
  -- Reopens the visit that the undone one replaced, unless one of its dogs is now on another user's visit.
  update public.check_ins c set ended_at = null, review_asked = false, changed_at = clock_timestamp()
  where c.user_id = me and c.ended_at = visit.started_at and c.expires_at > clock_timestamp() and c.type = 'visit'
    and not exists (
      select from public.check_in_dogs x join public.check_in_dogs y on y.dog_id = x.dog_id
        join public.check_ins o on o.id = y.check_in_id
      where x.check_in_id = c.id and o.id <> c.id and o.ended_at is null and o.type = 'visit');
  return private.store_idempotent_result(p_key, jsonb_build_object('status', 'undone',
    'stay', (select to_jsonb(m) from public.my_check_in() m)));
end
$$;
comment on function public.undo_check_in is
  'Undoes a check-in as long as the visit is too short for the history (private.min_visit_duration). The visit that it replaced is reopened, '
  'and its dogs return to the visits from which they were taken. stay: the row of my_check_in afterwards.';

create function public.ask_for_review(p_visit_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  visit public.check_ins;
begin
  update public.check_ins c set review_asked = true
  where c.id = private.visit_named(p_visit_id) and c.user_id = me and c.type = 'visit' and not c.review_asked
    -- Two minutes are allowed, because the device's clock may be ahead.
    and least(c.ended_at, c.expires_at) between now() - interval '12 hours' and now() + interval '2 minutes'
  returning * into visit;
  return case when visit.id is not null then jsonb_build_object(
    'park_id', visit.park_id,
    'park_name', private.park_name(visit.park_id, private.my_language()),
    'started_at', visit.started_at,
    'ended_at', least(visit.ended_at, visit.expires_at),
    'offer_review', not exists (select from public.reviews r where r.author = me and r.park_id = visit.park_id),
    'own_dog_ids', private.own_dogs_of_visit(visit)) end;
end
$$;
comment on function public.ask_for_review is
  'Called by a device that saw a visit end. Returns what to ask the user, once for all their devices; null if it was asked already or '
  'the visit ended too long ago.';

grant execute on function
  public.ask_for_review(uuid),
  public.check_in(bigint, uuid[], integer, integer, boolean, jsonb, uuid, integer),
  public.my_check_in(),
  public.check_out(uuid, uuid),
  public.undo_check_in(uuid, uuid),
  public.extend_stay(uuid, integer, uuid)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('visits: ended when they expire', 10, $$select private.end_expired_visits()$$),
  ('undone visits: 30 minutes', 15,
    $$delete from public.check_ins c where c.type = 'undone' and c.ended_at < now() - interval '30 minutes'$$),
  ('visits: 90 days', 20, $$delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null$$);

insert into private.exports (relation, part, statement) values
  ('public.check_ins', 'check_ins',
    $$select c.started_at, c.id::text, jsonb_build_object('park', private.park_name(private.present_park(c.park_id), $2),
      'dog_count', c.dog_count,
      'dogs', (select coalesce(jsonb_agg(d.name order by d.name), '[]')
        from public.check_in_dogs x join public.dogs d on d.id = x.dog_id
        where x.check_in_id = c.id and (d.owner = $1 or exists (
          select from private.dog_carers p where p.dog_id = d.id and p.user_id = $1))),
      'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.type = 'plan',
      'arrives_at', c.arrives_at, 'counted', c.counted,
        'is_located', c.is_located,
        'asked_fact', c.asked_fact,
      'question_answered', c.question_answered)
    from public.check_ins c where c.user_id = $1 and c.type <> 'undone'$$),
  ('public.check_in_dogs', 'check_ins', null);
