-- Finding people by their own or their dogs' names, and their pages.

create function private.dogs_of(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', d.id, 'name', d.name, 'breed', d.breed, 'gender', d.gender, 'birthday', d.birthday, 'size', d.size) order by d.created_at, d.id), '[]')
  from public.dogs d where d.owner = p_user_id and d.deleted_at is null
$$;

create function private.likeness(p_typed text, p_name text) returns real
language sql stable set search_path = ''
as $$
  select case when p_name = p_typed then 3 when starts_with(p_name, p_typed) then 2 else extensions.word_similarity(p_typed, p_name) end
$$;

create function public.search_users_with_dogs(input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  typed text := lower(btrim(regexp_replace(left(search_users_with_dogs.input, 80), '\s+', ' ', 'g')));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
begin
  if coalesce(typed, '') = '' then
    return;
  end if;
  perform set_config('pg_trgm.word_similarity_threshold', '0.4', true);
  return query
    with hits as (
      select u.id, private.likeness(typed, lower(u.name)) + 0.01 as likeness
      from public.users u
      where lower(u.name) like pattern || '%' or lower(u.name) like '% ' || pattern || '%'
        or (char_length(typed) > 2 and typed operator(extensions.<%) lower(u.name))
      union all
      select d.owner, private.likeness(typed, lower(d.name))
      from public.dogs d
      where d.deleted_at is null and (
        lower(d.name) like pattern || '%' or lower(d.name) like '% ' || pattern || '%'
        or (char_length(typed) > 2 and typed operator(extensions.<%) lower(d.name)))
    ), best as (
      select h.id, max(h.likeness) as likeness from hits h group by h.id
    )
    select u.id, u.name, private.dogs_of(u.id)
    from best b join public.users u on u.id = b.id
    where not u.hidden and u.id is distinct from auth.uid() and u.id not in (select private.blocked_ids())
    order by b.likeness desc, u.name, u.id
    limit 20;
end
$$;
comment on function public.search_users_with_dogs is 'People by their own or their dogs'' names, best first, at most 20; never hidden or blocked ones, nor the caller.';

create function public.user_page(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'name', u.name, 'hidden', u.hidden and u.id = auth.uid(),
    'friendship', private.friendship_state(u.id), 'dogs', private.dogs_of(u.id))
  from public.users u
  where u.id = p_user_id and auth.uid() is not null and private.may_see(u.id)
$$;
comment on function public.user_page is 'A user''s page with dogs; null for whoever may not see it, as for nobody.';

grant execute on function public.search_users_with_dogs(text) to anon, authenticated;
grant execute on function public.user_page(uuid) to authenticated;
