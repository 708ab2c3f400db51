-- Counts look up their parks among the few that are not approved, and who may see whom is asked once: decision 154.

create index parks_not_approved_id on public.parks (id) where status <> 'approved';

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
  -- This is asked all day, of a whole country: a park is looked up once, after its visits are summed up, and among the few that
  -- are not approved.
  with visits as (
    select c.park_id, c.dog_count, c.started_at > since as changed
    from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > moment
    union all
    select c.park_id, 0, true from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > since and c.expires_at <= moment
    union all
    -- Bounded at both ends, here and below, so that the planner expects few.
    select c.park_id, 0, true from public.check_ins c where c.ended_at > since and c.ended_at < moment + interval '1 minute' and c.counted
  ), told as (
    select v.park_id, sum(v.dog_count) as dogs from visits v group by v.park_id
    having case when since is null then sum(v.dog_count) > 0 else bool_or(v.changed) end
  ), counted as (
    select t.park_id, t.dogs, t.park_id - coalesce(lag(t.park_id) over (order by t.park_id), 0) as step
    from told t where not exists (select from public.parks p where p.id = t.park_id and p.status <> 'approved')
  )
  select string_agg(c.step || ',' || c.dogs, ',' order by c.park_id) into dogs from counted c;

  with reports as materialized (
    select l.park_id, l.condition, l.hazard, l.verified_at is not null as verified, l.reported_at > since or l.verified_at > since as changed
    from private.live_reports l where l.ended_at is null and l.expires_at > moment
    union all
    select l.park_id, null, null, null, true from private.live_reports l where l.ended_at is null and l.expires_at > since and l.expires_at <= moment
    union all
    select l.park_id, null, null, null, true from private.live_reports l where l.ended_at > since and l.ended_at < moment + interval '1 minute'
  ), told as (
    select r.park_id, coalesce(string_agg('"' || r.condition || '"', ','), '') as conditions,
      coalesce(string_agg('"' || r.hazard || '":' || r.verified, ','), '') as hazards
    -- Sorted once for all parks, instead of twice for each.
    from (
      select * from reports x
      where (since is null or x.park_id in (select y.park_id from reports y where y.changed))
        and not exists (select from public.parks p where p.id = x.park_id and p.status <> 'approved')
      order by x.park_id, x.condition, x.hazard
    ) r
    group by r.park_id
  )
  select string_agg('"' || t.park_id || '":[' || t.conditions || ']', ',' order by t.park_id) filter (where since is not null or t.conditions <> ''),
    string_agg('"' || t.park_id || '":{' || t.hazards || '}', ',' order by t.park_id) filter (where since is not null or t.hazards <> '')
  into conditions, hazards from told t;

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

create or replace function private.is_blocked_with(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with me as materialized (select private.uid() as id)
  select exists (select from public.blocks b where b.blocker = me.id and b.blocked = p_user_id)
      or exists (select from public.blocks b where b.blocker = p_user_id and b.blocked = me.id)
  from me
$$;

create or replace function private.is_friend(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with me as materialized (select private.uid() as id)
  select exists (
    select from me join private.friendships f
      on f.user_low = least(p_user_id, me.id) and f.user_high = greatest(p_user_id, me.id) and f.status = 'accepted'
  )
$$;

create or replace function private.may_see(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with me as materialized (select private.uid() as id)
  select exists (
    select from me join public.users u on u.id = p_user_id
    where u.id = me.id or ((not u.hidden or u.id in (select private.known_ids())) and not private.is_blocked_with(u.id))
  )
$$;

create or replace function private.friendship_state(p_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  with me as materialized (select private.uid() as id)
  select case when p_user_id = me.id then 'self' else coalesce((
    select case
      when f.status = 'accepted' then 'friends'
      when f.requester = me.id then case when private.may_see(p_user_id) then 'outgoing' end
      when f.status = 'pending' then 'incoming'
    end
    from private.friendships f
    where f.user_low = least(p_user_id, me.id) and f.user_high = greatest(p_user_id, me.id)
  ), 'none') end
  from me
$$;

create or replace function public.send_friend_request(p_user_id uuid, p_key uuid default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'send_friend_request');
  low uuid := least(me, p_user_id);
  high uuid := greatest(me, p_user_id);
  found_row private.friendships;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  if p_user_id is null or p_user_id = me then
    perform private.fail('invalid_input', 'A request goes to somebody else.');
  end if;
  if p_user_id in (select private.listed_block_ids()) then
    perform private.fail('blocked', 'Unblock this user first.');
  end if;
  perform private.lock_pair(p_user_id);
  select f.* into found_row from private.friendships f where f.user_low = low and f.user_high = high;
  if found_row.status = 'accepted' then
    null; -- Nothing to do: friends already.
  elsif found_row.requester = p_user_id then
    -- Both want it, even when the caller once declined.
    update private.friendships f set status = 'accepted', accepted_at = now() where f.user_low = low and f.user_high = high;
    delete from private.declined_requests d where d.requester = p_user_id and d.receiver = me;
  elsif found_row.requester = me and private.may_see(p_user_id) then
    null; -- Asked already.
  else
    -- Also where a request is pending with somebody who hid since: if repeating it cost nothing, the caller could tell
    -- somebody who hides from somebody who left.
    perform private.limit_action(me, 'send_friend_request', array[p_user_id]);
    -- Somebody who blocked or hides, and somebody who does not exist, all look like success: the caller cannot tell them apart.
    if private.may_see(p_user_id) then
      insert into private.friendships (user_low, user_high, requester, status)
      values (low, high, me, case when exists (
        select from private.declined_requests d
        where d.requester = me and d.receiver = p_user_id and d.declined_at > now() - interval '30 days'
      ) then 'declined'::private.friendship_status else 'pending' end)
      on conflict do nothing;
    end if;
  end if;
  result := to_jsonb(case when found_row.status = 'accepted' or found_row.requester = p_user_id then 'friends' else 'outgoing' end);
  return private.store_idempotent_result(p_key, result) #>> '{}';
end
$$;

