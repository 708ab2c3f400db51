-- Search for users by their own or their dogs' names, and user pages.

-- SECURITY DEFINER or a search_path would prevent PostgreSQL from inlining these two functions into statements that call them for
-- many users.
create function private.dogs_of(p_user_id uuid, p_with_photos boolean) returns setof jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', d.id, 'name', d.name, 'breed', d.breed, 'gender', d.gender, 'birthday', d.birthday, 'size', d.size,
    'photo', case when p_with_photos then d.photo end) order by d.created_at, d.id), '[]')
  from public.dogs d where d.owner = p_user_id and d.deleted_at is null
$$;
comment on function private.dogs_of is
  'A user''s dogs as one array. p_with_photos: true if the caller is logged in, because other callers do not see photos.';

create function private.name_similarity(p_typed text, p_name text) returns real
language sql stable as $$
  select case when p_name = p_typed then 3 when starts_with(p_name, p_typed) then 2 else extensions.word_similarity(p_typed, p_name) end
$$;

-- Joins the consents instead of calling private.is_old_enough, which took a third of the time of a search. "offset 0" makes PostgreSQL
-- look up blocks for each user found instead of reading all blocks first.
create view private.findable_users as
  select u.id, u.name, exists (select from public.blocks b where b.blocker = u.id offset 0) as has_blocked
  from public.users u join private.user_consents c on c.user_id = u.id and c.age_confirmed_at is not null
  where not u.hidden;

create function private.find_users(p_input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql volatile security definer set search_path = '' as $$
declare
  typed text := private.fold_text(left(p_input, 80));
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
    perform private.limit_ip_address('search_users', 60, '10 minutes');
  else
    perform private.limit_rate('search_users', 600, '1 hour');
  end if;
  -- Exact names and prefixes come first. An index in their order (~<~) finds them, because thousands of names may share a prefix.
  -- Similar names are searched only if there are few of these. Anonymous callers do not find users who have blocked anybody,
  -- because a blocked user could log out.
  found_ids := array(
    select u.id from private.findable_users u
    where private.fold_text(u.name) like typed || '%' and u.id <> all (unwanted) and (signed_in or not u.has_blocked)
    order by private.fold_text(u.name) using ~<~ limit 40);
  -- Words after the first one of a name are searched only if there are few results so far: the trigram index does not distinguish
  -- them, so a common prefix has thousands of candidates.
  if cardinality(found_ids) < 40 then
    found_ids := array(
      select unnest(found_ids)
      union
      (select u.id from private.findable_users u
      where private.fold_text(u.name) like '% ' || typed || '%' and u.id <> all (unwanted) and (signed_in or not u.has_blocked)
      limit 40));
  end if;
  found_ids := array(
    select unnest(found_ids)
    union
    (select d.owner from public.dogs d join private.findable_users u on u.id = d.owner and (signed_in or not u.has_blocked)
    where d.deleted_at is null and private.fold_text(d.name) like typed || '%' and d.owner <> all (unwanted)
      order by private.fold_text(d.name) using ~<~ limit 40));
  -- Less similar names are searched only if there are few results, because comparing thousands of names takes most of the time.
  foreach threshold in array array['0.6', '0.4'] loop
    exit when cardinality(found_ids) >= 20 or char_length(typed) <= 2;
    perform set_config('pg_trgm.word_similarity_threshold', threshold, true);
    found_ids := array(
      select unnest(found_ids)
      union
      (select near.id from (
        (select u.id, extensions.word_similarity(typed, private.fold_text(u.name)) as likeness
        from private.findable_users u
        where typed operator(extensions.<%) private.fold_text(u.name) and u.id <> all (unwanted) and (signed_in or not u.has_blocked)
        limit 200)
        union all
        (select d.owner, extensions.word_similarity(typed, private.fold_text(d.name))
        from public.dogs d join private.findable_users u on u.id = d.owner and (signed_in or not u.has_blocked)
        where d.deleted_at is null and typed operator(extensions.<%) private.fold_text(d.name) and d.owner <> all (unwanted) limit 200)
      ) near
      order by near.likeness desc, near.id limit 40));
  end loop;
  return query
    with best as materialized (
      select u.id, u.name, greatest(
        private.name_similarity(typed, n.folded) + 0.01,
        (select max(private.name_similarity(typed, dn.folded))
          from public.dogs d cross join lateral (select private.fold_text(d.name) as folded offset 0) dn
          where d.owner = u.id and d.deleted_at is null)
      ) as likeness
      from public.users u cross join lateral (select private.fold_text(u.name) as folded offset 0) n
      where u.id = any (found_ids)
      order by likeness desc, u.name, u.id
      limit 20
    )
    select b.id, b.name, d.dogs
    from best b cross join lateral private.dogs_of(b.id, signed_in) d (dogs)
    order by b.likeness desc, b.name, b.id;
end
$$;
comment on function private.find_users is
  'Users by their own or their dogs'' names, best matches first, at most 20, without hidden and blocked users, the caller, and users who '
  'have not confirmed their age. Needs at least two characters. Limited per user, and per IP address for anonymous callers.';

create function public.search_users_with_dogs(input text) returns jsonb
language sql volatile security definer set search_path = '' as $$
  -- The result is one value instead of rows. A caller could cast a column of rows so that the request fails, which would roll back
  -- the counted attempt and reveal rows in the error.
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') from private.find_users(input) f
$$;
comment on function public.search_users_with_dogs is 'See private.find_users: [{id, name, dogs}].';

create function public.user_page(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'name', u.name, 'picture', u.picture, 'hidden', u.hidden and u.id = private.uid(),
    'friendship', private.friendship_state(u.id), 'dogs', d.dogs,
    'shows_friends', u.show_friends and private.is_friend(u.id), 'shows_favourites', u.show_favourites and private.is_friend(u.id))
  from public.users u cross join lateral private.dogs_of(u.id, true) d (dogs)
  where u.id = p_user_id and private.uid() is not null and private.may_see(u.id)
$$;
comment on function public.user_page is 'A user''s page with dogs; null if the user does not exist or the caller may not see the page.';

grant execute on function public.search_users_with_dogs(text) to anon, authenticated;

grant execute on function public.user_page(uuid) to authenticated;
