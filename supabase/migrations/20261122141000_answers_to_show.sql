-- The answers of check_in and save_review say what the app shows afterwards, so that it need not ask again.

-- check_ins.sql
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

-- reviews.sql
drop function public.save_review(bigint, text, text, integer, boolean, uuid, timestamptz);
create function public.save_review(
  p_park_id bigint, p_title text, p_content text, p_rank integer, p_anonymous boolean default false, p_key uuid default null,
  p_based_on timestamptz default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'save_review');
  review_id uuid := result #>> '{}';
begin
  if result is null then
    if p_rank is null or p_rank not between 1 and 5 or char_length(p_title) > 120 or char_length(p_content) > 4000 then
      perform private.fail('invalid_input', 'A rank of 1 to 5, at most 120 characters of title and 4000 of text.');
    end if;
    insert into public.reviews as r (park_id, author, title, content, rank, anonymous)
    values (p_park_id, me, btrim(coalesce(p_title, '')), btrim(coalesce(p_content, '')), p_rank, coalesce(p_anonymous, false))
    on conflict (author, park_id) do update
      set title = excluded.title, content = excluded.content, rank = excluded.rank, anonymous = excluded.anonymous
      -- One that a moderator hid is shown to nobody, so its author cannot have seen how new it is.
      where p_based_on is null or r.updated_at <= p_based_on or r.hidden_at is not null
    returning id into review_id;
    if review_id is null then
      perform private.fail('review_changed', 'There is a newer review than the one that this one was written over.');
    end if;
    perform private.store_idempotent_result(p_key, to_jsonb(review_id));
  end if;
  -- Read anew by its id: a stored copy of the words would outlive the review.
  return (select to_jsonb(r) from public.park_reviews r where r.id = review_id);
end
$$;
comment on function public.save_review is 'Answers the row of park_reviews as its author reads it; null where a moderator hid it. p_based_on is the updated_at of the review that the author saw, 1970 where there was none: a newer one stays, and review_changed is raised, so that a review that was queued on a device does not overwrite a newer one. Null overwrites whatever is there.';

grant execute on function public.save_review(bigint, text, text, integer, boolean, uuid, timestamptz) to authenticated;
