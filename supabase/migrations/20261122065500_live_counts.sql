-- Live counts as one answer that caches share, friends' whereabouts apart, and ratings in the published list.

create index check_ins_leaving on public.check_ins (expires_at) include (park_id, dog_count, started_at) where ended_at is null;
create index check_ins_left on public.check_ins (ended_at) include (park_id) where ended_at is not null;
create index live_reports_expiring on private.live_reports (expires_at) where ended_at is null;
create index live_reports_ended on private.live_reports (ended_at) where ended_at is not null;

alter table private.park_list_changes add column due_at timestamptz not null default now();
comment on column private.park_list_changes.due_at is 'Ratings change all day, and each new file is downloaded by everybody: they wait for the next change of a park, or an hour.';

create or replace function public.parks_for_publishing(p_language public.language) returns json
language sql stable security definer set search_path = ''
as $$
  -- Ordered by city and street: neighbours in the file repeat each other, so it compresses well.
  select coalesce(json_agg(json_strip_nulls(json_build_object(
    'id', p.id, 'name', t.name, 'city', t.city, 'address', t.address,
    'location', json_build_object('lat', round(p.lat::numeric, 5)::float8, 'long', round(p.long::numeric, 5)::float8),
    'rank', round(r.average_rank, 1)::float8
  )) order by t.city, t.address, t.name, p.id), '[]')
  from public.parks p
  left join public.park_translations own on own.park_id = p.id and own.language = p_language
  left join public.park_translations english on english.park_id = p.id and english.language = 'en' and own.park_id is null
  left join lateral (
    select x.* from public.park_translations x where x.park_id = p.id order by x.language limit 1
  ) any_other on own.park_id is null and english.park_id is null
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (select
    coalesce(own.name, english.name, any_other.name) as name,
    coalesce(own.city, english.city, any_other.city) as city,
    coalesce(own.address, english.address, any_other.address) as address
  ) t
  where p.status = 'approved' and t.name is not null
$$;
comment on function public.parks_for_publishing is 'The content of parks-{language}.json.';

create or replace function public.stale_park_list() returns text[]
language sql stable security definer set search_path = ''
as $$
  select array_agg(c.transaction::text) from private.park_list_changes c having bool_or(c.due_at <= now())
$$;
comment on function public.stale_park_list is 'The changes that are not published yet, or null while none of them is due. Read it before parks_for_publishing, then pass it to park_list_published.';

create or replace function private.mark_park_list_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'parks' then
    if not exists (
      select from after a join before b using (id)
      where (a.status, a.lat, a.long) is distinct from (b.status, b.lat, b.long)
    ) then
      return null;
    end if;
  elsif tg_op <> 'TRUNCATE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into private.park_list_changes default values on conflict (transaction) do update set due_at = excluded.due_at;
  perform pg_notify('park_list', '');
  return null;
end
$$;

create or replace function private.count_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  before_rank smallint := case when tg_op <> 'INSERT' and old.hidden_at is null then old.rank end;
  after_rank smallint := case when tg_op <> 'DELETE' and new.hidden_at is null then new.rank end;
  of_park bigint := case when tg_op = 'DELETE' then old.park_id else new.park_id end;
begin
  if before_rank is distinct from after_rank then
    -- Where a deleted park takes its reviews along, there is no row to count in.
    insert into private.park_ratings (park_id) select p.id from public.parks p where p.id = of_park on conflict do nothing;
    update private.park_ratings r set ranks = array(
      select n + case when i = after_rank then 1 else 0 end - case when i = before_rank then 1 else 0 end
      from unnest(r.ranks) with ordinality u (n, i) order by i
    ) where r.park_id = of_park;
    insert into private.park_list_changes (due_at) values (now() + interval '1 hour') on conflict do nothing;
  end if;
  return null;
end
$$;

create or replace function private.friends_there() returns table (park_id bigint, friend jsonb)
language sql stable security definer set search_path = ''
as $$
  -- Hidden users are only ever counted, even among friends. Few friends and many visitors: it begins with the friends.
  select c.park_id, jsonb_build_object('id', u.id, 'name', u.name, 'park_id', c.park_id, 'since', c.started_at,
    'dogs', coalesce((
      select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) order by d.name)
      from public.check_in_dogs cd join public.dogs d on d.id = cd.dog_id and d.deleted_at is null
      where cd.check_in_id = c.id), '[]'))
  from private.friend_ids() f (id)
  join public.users u on u.id = f.id and not u.hidden
  join public.check_ins c on c.user_id = u.id and c.ended_at is null and c.expires_at > now()
  join public.parks p on p.id = c.park_id and p.status = 'approved'
  order by c.started_at, u.id
$$;
comment on function private.friends_there is 'The caller''s friends who are at a park now, with the dogs they brought.';

create or replace function private.friends_at(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(f.friend), '[]') from private.friends_there() f where f.park_id = p_park_id
$$;

create or replace function public.live_counts(p_since integer default null, p_fresh boolean default false) returns json
language plpgsql stable security definer set search_path = ''
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
  answer text;
begin
  with present as (
    select c.park_id, sum(c.dog_count) as dogs
    from public.check_ins c where c.ended_at is null and c.expires_at > moment group by c.park_id
  ), touched as (
    select c.park_id from public.check_ins c
    where since is null and c.ended_at is null and c.expires_at > moment
    union
    select c.park_id from public.check_ins c
    where c.ended_at is null and c.expires_at > since and (c.started_at > since or c.expires_at <= moment)
    union
    -- Bounded at both ends, so that the planner expects few.
    select c.park_id from public.check_ins c where c.ended_at > since and c.ended_at < moment + interval '1 minute'
  ), counted as (
    select p.id, coalesce(n.dogs, 0) as dogs, p.id - coalesce(lag(p.id) over (order by p.id), 0) as step
    from touched t join public.parks p on p.id = t.park_id and p.status = 'approved'
    left join present n on n.park_id = p.id
    where since is not null or n.dogs > 0
  )
  select string_agg(c.step || ',' || c.dogs, ',' order by c.id) into dogs from counted c;

  with touched as (
    select l.park_id from private.live_reports l
    where l.ended_at is null and l.expires_at > coalesce(since, moment)
      and (since is null or l.reported_at > since or l.expires_at <= moment)
    union
    select l.park_id from private.live_reports l where l.ended_at > since
  )
  select string_agg(format('"%s":%s', p.id, coalesce((
      select json_agg(l.condition order by l.condition)
      from private.live_reports l where l.park_id = p.id and l.ended_at is null and l.expires_at > moment), '[]')), ',' order by p.id)
  into conditions
  from touched t join public.parks p on p.id = t.park_id and p.status = 'approved';

  answer := format('{"at":%s%s%s%s}',
    case when since is not null and dogs is null and conditions is null then p_since else slot end,
    case when since is null then ',"all":true' end,
    ',"dogs":[' || dogs || ']',
    ',"conditions":{' || conditions || '}');
  perform set_config('response.headers', json_build_array(
    json_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end),
    json_build_object('ETag', format('"%s"', left(md5(answer), 12))))::text, true);
  return answer::json;
end
$$;
comment on function public.live_counts is 'Dogs now and conditions: {at, all?, dogs: [step to the next park id, dogs, …], conditions: {park id: […]}}. With the last at as p_since only parks that changed, else all that have any (all is true). The same for every caller, so shared caches may hand it out for 3 seconds; not with p_fresh.';

create or replace function public.friends_now() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(f.friend), '[]') from private.friends_there() f
$$;
comment on function public.friends_now is 'Where the caller''s friends are now: [{id, name, park_id, since, dogs: [{id, name}]}].';

comment on view public.park_live is 'For apps before 0.2: counts, rating and conditions of parks that have any. Newer ones ask live_counts.';

grant execute on function public.live_counts(integer, boolean) to anon, authenticated;
grant execute on function public.friends_now() to authenticated;
