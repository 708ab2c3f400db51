-- Questions about facts: after a check-in, the user is asked about one unknown fact of the park. A value on which several users
-- agree becomes the fact; different values are shown as disputed.

create table private.fact_answers (
  park_id bigint not null references public.parks (id) on delete cascade,
  fact text not null,
  value text not null,
  user_id uuid references public.users (id) on delete set null,
  trust_level public.trust_level not null,
  answered_at timestamptz not null default now(),
  unique (park_id, fact, user_id),
  check (private.are_park_facts(jsonb_build_object(fact, value)))
);
comment on table private.fact_answers is
  'Answers of users about unknown facts of the park where they were; only the latest of each user. The user is secret.';
comment on column private.fact_answers.user_id is 'Null once the account is deleted.';
comment on column private.fact_answers.trust_level is 'The evidence that the user had when they answered; see private.evidence_at.';
alter table private.fact_answers enable row level security;

create index on private.fact_answers (user_id);
create index fact_answers_old on private.fact_answers (answered_at);

create function private.questioned_facts() returns text[]
language sql immutable set search_path = '' as $$
  select '{fenced,drinking_water,small_dog,lit,dog,double_gate,excrement_bags,bin,bench,dog_agility,parking,wheelchair,fee,access}'::text[]
$$;
comment on function private.questioned_facts is
  'Facts that a visitor can see and answer with a button, ordered by their importance for a visit.';

create function private.fact_sides(p_park_id bigint, p_fact text)
returns table (value text, users integer, regulars integer, score integer)
language sql stable security definer set search_path = '' as $$
  select a.value, count(*)::integer, (count(*) filter (where a.trust_level in ('regular', 'regular_there')))::integer,
    (coalesce(sum(private.score(a.trust_level)) filter (where a.trust_level in ('regular', 'regular_there')), 0)
      + least(coalesce(sum(private.score(a.trust_level)) filter (where a.trust_level in ('newcomer', 'newcomer_there')), 0),
        private.max_newcomer_score()))::integer
  from private.fact_answers a where a.park_id = p_park_id and a.fact = p_fact
  group by a.value
$$;
comment on function private.fact_sides is
  'For each value of a fact: how many users answered it, how many of them are regulars, and the score of their answers, computed '
  'as for conditions.';

create function private.agreed_value(p_park_id bigint, p_fact text) returns text
language sql stable security definer set search_path = '' as $$
  select side.value from private.fact_sides(p_park_id, p_fact) side
  where side.users >= 2 and side.regulars > 0
    and side.score >= 2 * (select coalesce(sum(o.score), 0) from private.fact_sides(p_park_id, p_fact) o where o.value <> side.value)
$$;
comment on function private.agreed_value is
  'The value on which two users agree, one of them a regular, unless others with at least half their score disagree; otherwise null.';

create function private.settle_fact(p_park_id bigint, p_fact text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  agreed text;
begin
  -- The lock is needed because two concurrent answers would not see each other.
  perform pg_advisory_xact_lock(hashtextextended(format('fact:%s:%s', p_park_id, p_fact), 0));
  agreed := private.agreed_value(p_park_id, p_fact);
  if agreed is not null and not exists (select from public.parks p where p.id = p_park_id and p.facts ? p_fact) then
    perform private.set_park_fact(p_park_id, p_fact, agreed, 'community');
  end if;
  return agreed;
end
$$;
comment on function private.settle_fact is
  'Writes a fact that nobody knew once users agree on it, and returns the value that they agree on.';

create function private.disputed_facts(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(disputed.fact, disputed.said), '{}')
  from (
    select a.fact, (select jsonb_agg(side.value order by side.score desc, side.value) from private.fact_sides(p_park_id, a.fact) side
      where side.regulars > 0) as said
    from private.fact_answers a join public.parks p on p.id = a.park_id
    where a.park_id = p_park_id and not p.facts ? a.fact
    group by a.fact having count(distinct a.value) > 1
  ) disputed
  where jsonb_array_length(disputed.said) > 1
$$;
comment on function private.disputed_facts is 'Facts on which regulars disagree: {fact: [values, the highest score first]}.';

create function private.withdraw_answers(p_user_id uuid, p_park_id bigint, p_since timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  withdrawn text;
begin
  for withdrawn in
    delete from private.fact_answers a where a.user_id = p_user_id and a.park_id = p_park_id and a.answered_at >= p_since returning a.fact
  loop
    update public.parks p set facts = p.facts - withdrawn, fact_sources = p.fact_sources - withdrawn
    where p.id = p_park_id and p.fact_sources -> withdrawn ->> 0 = 'community' and private.agreed_value(p.id, withdrawn) is null;
  end loop;
end
$$;
comment on function private.withdraw_answers is
  'Withdraws a user''s answers about a park since p_since, and each fact on which users no longer agree without them.';

create function public.park_question() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  visit public.check_ins;
begin
  select * into visit from private.present c where c.user_id = me for update;
  if visit.id is null or visit.question_answered then
    return null;
  end if;
  if visit.asked_fact is null then
    -- Facts with one answer come first, because two answers are needed.
    select asked.fact into visit.asked_fact
    from public.parks p cross join unnest(private.questioned_facts()) with ordinality asked (fact, place)
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
comment on function public.park_question is
  'The question for the caller''s visit: {check_in_id, park_id, fact}; null without a question or if it was answered.';

create function public.respond_to_park_question(p_check_in_id uuid, p_value text default null, p_key uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- The answer 'I do not know' is not a contribution, so it requires less.
  me uuid := case when p_value is null then private.require_user() else private.require_contributor() end;
  result jsonb := private.claim_idempotency_key(p_key, 'respond_to_park_question');
  visit public.check_ins;
  park bigint;
begin
  if result is not null then
    return result;
  end if;
  select * into visit from public.check_ins c
  where c.id = p_check_in_id and c.user_id = me and c.type = 'visit' and c.asked_fact is not null
    and c.started_at > now() - interval '1 day' for update;
  if visit.id is null or visit.question_answered then
    perform private.fail('question_closed', 'This question was answered, or the visit was too long ago.');
  end if;
  if p_value is not null and not private.are_park_facts(jsonb_build_object(visit.asked_fact, p_value)) then
    perform private.fail('invalid_input', 'This is no answer to that question.');
  end if;
  update public.check_ins c set question_answered = true where c.id = visit.id;
  park := private.present_park(visit.park_id);
  if p_value is not null then
    insert into private.fact_answers (park_id, fact, value, user_id, trust_level)
    values (park, visit.asked_fact, p_value, me, (private.evidence_at(me, park)).trust_level)
    on conflict (park_id, fact, user_id) do update set value = excluded.value, trust_level = excluded.trust_level, answered_at = now();
  end if;
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'agreed', case when p_value is not null then private.settle_fact(park, visit.asked_fact) end));
end
$$;
comment on function public.respond_to_park_question is
  'Answers the question of a visit of the last day, once; null means that the caller does not know. agreed: the value that several users '
  'agree on, or null.';

grant execute on function public.park_question(), public.respond_to_park_question(uuid, text, uuid) to authenticated;

insert into private.retention (name, run_order, statement) values
  ('answers about facts: 90 days', 50, $$delete from private.fact_answers a where a.answered_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.fact_answers', 'fact_answers',
    $$select a.answered_at, a.park_id || ' ' || a.fact, jsonb_build_object('park', private.park_name(a.park_id, $2), 'fact',
      a.fact, 'value', a.value,
      'answered_at', a.answered_at, 'trust_level', a.trust_level)
    from private.fact_answers a where a.user_id = $1$$);
