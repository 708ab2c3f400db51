-- A password alone is not enough for who has a second factor, whatever client asks: until the code is given, a session
-- sees what a visitor sees and writes nothing.

create function private.second_factor_done() returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(auth.jwt() ->> 'aal' = 'aal2', false)
    or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
$$;
comment on function private.second_factor_done is 'Whether the session gave its second factor, or the user has none.';

create function private.uid() returns uuid
language sql stable security definer set search_path = ''
as $$
  select case when private.second_factor_done() then auth.uid() end
$$;
comment on function private.uid is 'The caller''s id for what only this user may see; null for visitors, and before the second factor.';

-- Policies and views ask with the caller's rights.
grant execute on function private.second_factor_done() to authenticated;
grant execute on function private.uid() to anon, authenticated;

create or replace function private.me() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid;
begin
  select u.id into me from public.users u where u.id = auth.uid();
  if me is null then
    perform private.fail('not_logged_in', 'Log in first.', '42501');
  end if;
  if not private.second_factor_done() then
    perform private.fail('second_factor_required', 'Give the code of the second factor first.', '42501');
  end if;
  return me;
end
$$;
comment on function private.me is 'The caller''s id; refuses when not logged in, before the second factor, or when the account is gone but its token is not.';

-- What runs with its owner's rights does not meet the policies below: it asks for the id that this migration guards.
-- Triggers keep the bare one: they note who wrote, and ask private.me() for more.
do $$
declare
  name text;
begin
  foreach name in array array[
    'private.friend_ids()', 'private.known_ids()', 'private.blocked_ids()', 'private.is_friend(uuid)',
    'private.is_blocked_with(uuid)', 'private.may_see(uuid)', 'private.friendship_state(uuid)', 'private.my_language()',
    'private.submitted_park_ids()', 'private.uploaded_photo_paths()', 'private.is_my_dog(text)', 'private.may_give_photo(text)',
    'public.my_blocks()', 'public.my_check_in()', 'public.my_reviews()', 'public.park_status(bigint)', 'public.user_page(uuid)',
    'public.search_users_with_dogs(text)', 'public.mark_notification_read(uuid)', 'public.mark_all_notifications_as_read()',
    'public.mark_all_notifications_as_seen()', 'public.api_cleanup_device_tokens(text)'
  ] loop
    execute replace(pg_get_functiondef(name::regprocedure), 'auth.uid()', 'private.uid()');
  end loop;
  foreach name in array array['friends', 'friend_requests', 'park_reviews', 'park_conditions'] loop
    execute format('create or replace view public.%I with (security_barrier) as %s',
      name, replace(pg_get_viewdef(format('public.%I', name)::regclass), 'auth.uid()', 'private.uid()'));
  end loop;
end
$$;

-- Policies -------------------------------------------------------------------------------------------------------

-- Parks with their names and photos are read as a visitor reads them: what one submitted oneself needs private.uid().
do $$
declare
  name text;
begin
  foreach name in array array[
    'public.blocks', 'public.check_in_dogs', 'public.check_ins', 'public.device_tokens', 'public.dogs', 'public.favourite_parks',
    'public.notifications', 'public.notifications_preferences', 'public.park_invites', 'public.park_suggestions',
    'public.reviews', 'public.users', 'storage.objects'
  ] loop
    execute format(
      'create policy "nothing before the second factor" on %s as restrictive for all to authenticated
         using ((select private.second_factor_done())) with check ((select private.second_factor_done()))', name);
  end loop;
end
$$;
create policy "no suggestions before the second factor" on public.parks as restrictive for update to authenticated
  using ((select private.second_factor_done()));
