-- Which photos of a park are the caller's, and 'I do not know' without a licence.

-- fact_answers.sql
create or replace function public.answer_park_question(p_check_in_id uuid, p_value text default null, p_key uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- 'I do not know' is no fact.
  me uuid := case when p_value is null then private.require_user() else private.require_contributor() end;
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
    'my_photos', (
      select coalesce(jsonb_agg(f.path order by f.path), '[]') from private.photo_uploaders u join public.park_photos f on f.path = u.path
      where u.user_id = me and f.park_id = p.id),
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
