-- Removed parks: permanently closed, not a dog park, or merged into another. Their rows stay (rejected), so that imports recognise
-- them and old URLs redirect.

create type public.park_claim as enum ('closed', 'notDogPark', 'duplicate');

create table public.removed_parks (
  park_id bigint primary key references public.parks (id) on delete cascade,
  reason public.park_claim not null,
  merged_into bigint references public.parks (id) on delete cascade,
  since timestamptz not null default private.day_start(),
  check ((reason = 'duplicate') = (merged_into is not null)),
  check (merged_into <> park_id)
);
comment on table public.removed_parks is 'Why parks that were once listed were removed.';
comment on column public.removed_parks.merged_into is
  'The park to which a duplicate''s reviews and favourites were moved. Visits and busy hours stay at the duplicate, but count there.';
alter table public.removed_parks enable row level security;

create table private.replaced_reviews (
  id uuid primary key,
  author uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  title text not null,
  content text not null,
  rank smallint not null,
  anonymous boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table private.replaced_reviews is
  'Reviews that were replaced because their author had reviewed both parks of a merge. Only the author can read them, in the data '
  'export.';
comment on column private.replaced_reviews.park_id is 'The park that the review was written for.';
alter table private.replaced_reviews enable row level security;

create index on public.removed_parks (merged_into);
create index on private.replaced_reviews (author);
create index on private.replaced_reviews (park_id);

-- SECURITY DEFINER or a search_path would prevent PostgreSQL from inlining these two functions.
create function private.present_park(p_park_id bigint) returns bigint
language sql stable as $$
  select coalesce((select f.merged_into from public.removed_parks f where f.park_id = p_park_id), p_park_id)
$$;
comment on function private.present_park is 'The park into which this one was merged, or the park itself.';

create function private.park_parts(p_park_id bigint) returns setof bigint
language sql stable as $$
  select p_park_id union all select f.park_id from public.removed_parks f where f.merged_into = p_park_id
$$;
comment on function private.park_parts is
  'A park and the parks that were merged into it. Their visits stay at the park where they were made, but count for this park.';

create function private.merge_reviews(p_from bigint, p_into bigint) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  replaced integer;
begin
  -- Selects the review to replace: the anonymous one, or the older one if both or neither are anonymous.
  insert into private.replaced_reviews
  select distinct on (a.author) r.id, r.author, r.park_id, r.title, r.content, r.rank, r.anonymous, r.created_at, r.updated_at
  from public.reviews a join public.reviews b on b.author = a.author and b.park_id = p_into
  join public.reviews r on r.id in (a.id, b.id)
  where a.park_id = p_from
  order by a.author, r.anonymous desc, r.updated_at, r.id;
  -- If an anonymous review disappeared when the parks are merged, readers could infer that its author had reviewed both. So it
  -- stays visible for a while, like a review of a deleted account, and does not count.
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
  -- The trigger that counts ranks does not support reviews that move to another park, so the counts are computed again.
  delete from private.park_ratings g where g.park_id in (p_from, p_into);
  insert into private.park_ratings (park_id, ranks, newcomer_ranks)
  select p_into, array_agg(counted.ranks order by counted.stars), array_agg(counted.newcomers order by counted.stars)
  from (
    select s.stars, count(r.id)::integer as ranks, (count(r.id) filter (where r.trust_level = 'newcomer_there'))::integer as newcomers
    from generate_series(1, 5) s (stars)
    left join public.reviews r on r.park_id = p_into and r.public_rank = s.stars and r.hidden_at is null
      and r.trust_level in ('newcomer_there', 'regular_there')
    group by s.stars
  ) counted;
  return replaced;
end
$$;
comment on function private.merge_reviews is
  'Moves the reviews of a park to another; if a user reviewed both, one of the two is replaced. Returns how many non-anonymous reviews '
  'were replaced.';

create function private.close_park(p_park_id bigint, p_reason public.park_claim) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_reason is null or p_reason = 'duplicate' then
    perform private.fail('invalid_input', 'A park that is the same as another is merged with it.');
  end if;
  update public.parks p set status = 'rejected' where p.id = p_park_id and p.status = 'approved';
  if not found then
    return false;
  end if;
  insert into public.removed_parks (park_id, reason) values (p_park_id, p_reason)
  on conflict (park_id) do update set reason = excluded.reason, merged_into = null, since = excluded.since;
  return true;
end
$$;
comment on function private.close_park is
  'Removes a park that has closed permanently or is not a dog park; private.relist_park undoes it. Returns false if the park is not '
  'listed.';

create function private.merge_parks(p_from bigint, p_into bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  moved jsonb;
begin
  -- Both parks are locked in a fixed order, which prevents deadlocks between two merges.
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
  -- Open visits move to the other park. Visits that have ended stay at their park; see private.park_parts.
  perform private.move_to_park('public.check_ins', p_from, p_into, 'ended_at is null');
  -- Favourites are moved instead of inserted again. Otherwise undoing the merge would restore a favourite that a user has removed
  -- since.
  perform private.move_to_park('public.favourite_parks', p_from, p_into,
    'not exists (select from public.favourite_parks o where o.park_id = $2 and o.user_id = t.user_id)');
  delete from public.favourite_parks f where f.park_id = p_from;
  -- The same condition or hazard reported at both parks becomes one report.
  update private.live_reports r set ended_at = least(now(), r.expires_at)
  where r.park_id = p_from and r.ended_at is null and exists (
    select from private.live_reports o
    where o.park_id = p_into and o.ended_at is null and (o.condition = r.condition or o.hazard = r.hazard));
  update private.live_reports r set park_id = p_into where r.park_id = p_from;
  delete from public.park_invites i where i.park_id = p_from and exists (
    select from public.park_invites o
    where o.park_id = p_into and o.sender_id = i.sender_id and o.receiver_id = i.receiver_id and o.meet_at = i.meet_at);
  perform private.move_to_park('public.park_invites', p_from, p_into);
  perform private.move_to_park('private.park_notices', p_from, p_into);
  perform private.move_to_park('private.pack_times', p_from, p_into);
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
  -- Photos keep their paths, which start with the merged park's ID.
  update public.park_photos f set park_id = p_into where f.park_id = p_from;
  insert into public.park_translations (park_id, language, name, city, address)
  select p_into, t.language, t.name, t.city, t.address from public.park_translations t where t.park_id = p_from
  on conflict do nothing;
  delete from private.fact_answers a where a.park_id = p_from and exists (
    select from private.fact_answers o where o.park_id = p_into and o.fact = a.fact and o.user_id = a.user_id);
  update private.fact_answers a set park_id = p_into where a.park_id = p_from;
  -- The rows are copied, so that if the merge is undone, the first park is again published without these fields.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select p_into, u.field, u.user_id from private.unlicensed_contributions u where u.park_id = p_from;
  delete from public.park_suggestions s where s.duplicate_of = p_into and s.park_id = p_from and s.status = 'pending';
  update public.park_suggestions s set park_id = p_into
  where s.park_id = p_from and s.status = 'pending' and s.claim is null;
  update public.park_suggestions s set duplicate_of = p_into where s.duplicate_of = p_from and s.park_id <> p_into;
  delete from public.park_suggestions s where s.duplicate_of = p_from;
  update public.parks p set status = 'rejected', primary_photo = null where p.id = p_from;
  update public.removed_parks f set merged_into = p_into where f.merged_into = p_from;
  insert into public.removed_parks (park_id, reason, merged_into) values (p_from, 'duplicate', p_into)
  on conflict (park_id) do update set reason = 'duplicate', merged_into = p_into, since = excluded.since;
  return moved;
end
$$;
comment on function private.merge_parks is
  'Merges the first park into the second, which keeps its own facts and takes over missing ones, and the reviews, favourites, meetings, '
  'reports and photos of the first. From then on the first park''s URL redirects to it, and the first park''s visits count there. '
  'Returns how many of each: {reviews, visits, favourites, replaced_reviews}.';

create function public.removed_park(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('reason', f.reason, 'merged_into', f.merged_into,
    -- A place that is not a dog park may be a private home with any name, so its name and location are not shown.
    'park', case when f.reason = 'closed' then jsonb_build_object('lat', p.lat, 'long', p.long, 'names', (
      select jsonb_object_agg(t.language, t.name) from public.park_translations t where t.park_id = p.id)) end)
  from public.removed_parks f join public.parks p on p.id = f.park_id
  where f.park_id = p_park_id
$$;
comment on function public.removed_park is
  'Why a park was removed: {reason, merged_into, park}, where park is {lat, long, names} of a closed one, with names by language; null '
  'for a park that was never listed, or is listed now.';

grant execute on function public.removed_park(bigint) to anon, authenticated;

insert into private.exports (relation, part, statement) values
  ('private.replaced_reviews', 'replaced_reviews',
    $$select r.created_at, r.id::text, to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, $2))
    from private.replaced_reviews r where r.author = $1$$);
