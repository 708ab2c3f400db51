-- Trust: how much a statement about a park counts. Check-ins, live reports and ratings share these rules. No locations are stored.
-- docs/trust.md explains the rules with examples.

create type public.trust_level as enum ('newcomer', 'newcomer_there', 'regular', 'regular_there');
comment on type public.trust_level is
  'How much evidence there was for a user when they made a statement about a park. A newcomer_there is at that park or has stayed there. '
  'A regular has stayed at parks on earlier days, and a regular_there on an earlier day at that park.';

create type private.evidence as (trust_level public.trust_level, is_present boolean, is_located boolean, has_stayed boolean);

-- Limits and scores.

create function private.max_dogs() returns integer language sql immutable set search_path = '' as $$ select 20 $$;
comment on function private.max_dogs is 'Maximum number of dogs in a profile and in a check-in.';

create function private.max_newcomer_dogs() returns integer language sql immutable set search_path = '' as $$ select 6 $$;
comment on function private.max_newcomer_dogs is
  'Maximum number of newcomers'' dogs that count at one park at the same time, so that newcomers alone cannot make it look busy.';

create function private.days_to_regular() returns integer language sql immutable set search_path = '' as $$ select 2 $$;
comment on function private.days_to_regular is 'The number of earlier days with visits that make a user a regular.';

create function private.score(p_trust_level public.trust_level) returns integer
language sql immutable set search_path = '' as $$
  select case p_trust_level when 'newcomer' then 1 when 'newcomer_there' then 2 when 'regular' then 3 when 'regular_there' then 4 end
$$;
comment on function private.score is 'The score of one statement about a park.';

create function private.max_newcomer_score() returns integer language sql immutable set search_path = '' as $$ select 3 $$;
comment on function private.max_newcomer_score is 'Maximum total score of all newcomers on one side of a question.';

create function private.max_support() returns integer language sql immutable set search_path = '' as $$ select 7 $$;
comment on function private.max_support is
  'Maximum total score of all confirmations of a report, so that two regulars there can always end it.';

create function private.just_left() returns interval language sql immutable set search_path = '' as $$ select interval '1 hour' $$;
comment on function private.just_left is 'For this long after a visit, its user still counts as present.';

create function private.newcomer_share() returns numeric language sql immutable set search_path = '' as $$ select 0.25 $$;
comment on function private.newcomer_share is
  'The share that counts of a newcomer''s rating, and of the duration of a report by a newcomer who has not been there; also the maximum '
  'of all newcomers'' ratings together, relative to all others.';

-- Evidence.

create function private.is_regular(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(distinct private.park_day(c.started_at)) >= private.days_to_regular()
    from public.check_ins c
    where c.user_id = p_user_id and c.type = 'visit' and c.started_at < private.day_start()
      and coalesce(c.ended_at, c.expires_at) - c.started_at >= private.min_visit_duration());
end
$$;
comment on function private.is_regular is
  'Returns true if a user made visits on enough earlier days. It is computed from the stored visits, so it is lost when these are '
  'deleted.';

create function private.has_regulars() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.users u where private.is_regular(u.id));
end
$$;

create function private.evidence_at(p_user_id uuid, p_park_id bigint, p_since timestamptz default null) returns private.evidence
language plpgsql stable security definer set search_path = '' as $$
declare
  is_regular boolean := private.is_regular(p_user_id);
  result private.evidence;
begin
  select case
      when is_regular and bool_or(v.has_stayed and v.started_at < private.day_start()) then 'regular_there'
      when is_regular then 'regular'
      when bool_or(v.has_stayed or v.is_present) then 'newcomer_there'
      else 'newcomer'
    end, coalesce(bool_or(v.is_present), false), coalesce(bool_or(v.is_present and v.is_located), false),
    coalesce(bool_or(v.has_stayed), false)
  into result
  from (
    select c.started_at, c.is_located, coalesce(c.ended_at, c.expires_at) > coalesce(p_since, now() - private.just_left()) as is_present,
      least(coalesce(c.ended_at, c.expires_at), now()) - c.started_at >= private.min_visit_duration() as has_stayed
    from public.check_ins c
    where c.user_id = p_user_id and c.park_id in (select part from private.park_parts(p_park_id) part) and c.type = 'visit'
  ) v;
  return result;
end
$$;
comment on function private.evidence_at is
  'The evidence that a user''s visits give about a park: their trust level there, whether they are present or were after p_since (by '
  'default an hour ago), whether the device was near the park then, and whether any visit was long enough for the history. An undone '
  'visit gives none.';

create function private.newcomers_fit(p_park_id bigint, p_dogs integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The lock is needed because two concurrent check-ins would not count each other.
  perform pg_advisory_xact_lock(hashtextextended('newcomers:' || p_park_id, 0));
  return p_dogs + (
    select coalesce(sum(c.dog_count), 0) from private.present c
    where c.park_id = p_park_id and c.counted and not private.is_regular(c.user_id)
  ) <= private.max_newcomer_dogs();
end
$$;
comment on function private.newcomers_fit is 'Returns true if the dogs of one more newcomer still count at a park.';

-- Enforcement of the limits.

create function private.limit_action(p_user_id uuid, p_action text, p_with uuid[] default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  allowed record;
  other uuid;
begin
  select * into strict allowed from private.action_limits() l where l.action = p_action;
  -- A user whose posting is paused may still check in.
  if p_action <> 'check_in' then
    perform private.reject_limited(p_user_id);
  end if;
  perform private.limit_subject(p_user_id, p_action,
    case when private.is_regular(p_user_id) then allowed.regulars else allowed.newcomers end, allowed.per);
  foreach other in array p_with loop
    perform private.limit_pair(p_user_id, other, p_action, allowed.with_one_user, allowed.per);
  end loop;
end
$$;
comment on function private.limit_action is
  'Fails with limited while a moderator has paused the user''s posting, and with too_many above a limit, in total or towards one of '
  'p_with. The count does not depend on the state of the other users.';

create function private.within_limit(p_user_id uuid, p_action text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  allowed record;
begin
  select * into strict allowed from private.action_limits() l where l.action = p_action;
  return private.count_attempt(p_user_id, p_action, allowed.per)
    <= case when private.is_regular(p_user_id) then allowed.regulars else allowed.newcomers end;
end
$$;
comment on function private.within_limit is
  'Counts an action like limit_action, but returns false instead of failing if it exceeds the limit.';

create function private.average_rank(p_ranks integer[], p_newcomer_ranks integer[]) returns numeric
language sql immutable set search_path = '' as $$
  select case
    when regulars.many = 0 then newcomers.total::numeric / nullif(newcomers.many, 0)
    else (regulars.total + newcomers.total * share) / (regulars.many + newcomers.many * share)
  end
  from (select sum(n * i) as total, sum(n) as many from unnest(p_newcomer_ranks) with ordinality u (n, i)) newcomers,
    lateral (select sum(n * i) - newcomers.total as total, sum(n) - newcomers.many as many from unnest(p_ranks) with ordinality u (n,
      i)) regulars,
    lateral (select private.newcomer_share() * least(1, regulars.many::numeric / nullif(newcomers.many, 0)) as share_or_null) s,
    lateral (select coalesce(s.share_or_null, 0) as share) shared
$$;
comment on function private.average_rank is
  'The average of a park''s ratings (how many gave 1 to 5), of which p_newcomer_ranks are by newcomers. Together these count at most '
  'newcomer_share of the others. Null without ratings.';
