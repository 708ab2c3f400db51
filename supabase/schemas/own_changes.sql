-- Changes to a user's own data. They are sent to all of the user's devices through the realtime channel that the app has open
-- anyway.

create table public.own_changes (
  user_id uuid primary key references public.users (id) on delete cascade,
  changed text not null,
  changed_at timestamptz not null
);
comment on table public.own_changes is
  'One row per user: which of their data changed last. Realtime does not send deletions of other tables to anybody, and changes of those '
  'tables have other readers.';
alter table public.own_changes enable row level security;

grant select on public.own_changes to authenticated;

create function private.notify_own_devices() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.own_changes as o (user_id, changed, changed_at)
  -- Inserts nothing for an account that is being deleted.
  select u.id, coalesce(tg_argv[1], tg_table_name), clock_timestamp() from public.users u
  where u.id = (to_jsonb(case tg_op when 'DELETE' then old else new end) ->> tg_argv[0])::uuid
  on conflict (user_id) do update set changed = excluded.changed, changed_at = excluded.changed_at;
  return null;
end
$$;
comment on function private.notify_own_devices is
  'The first argument is the column with the user''s ID; the second one, if given, replaces the name of the table.';

create trigger notify_own_devices after insert or delete or update of ended_at, expires_at, park_id, dog_count on public.check_ins
  for each row execute function private.notify_own_devices('user_id');
create trigger notify_own_devices after insert or delete or update of good_from, good_to on public.favourite_parks
  for each row execute function private.notify_own_devices('user_id');
create trigger notify_own_devices after insert or update on public.dogs
  for each row execute function private.notify_own_devices('owner');
create trigger notify_own_devices after insert or update or delete on private.dog_carers
  for each row execute function private.notify_own_devices('user_id', 'dogs');
create trigger notify_own_devices after update on public.users
  for each row execute function private.notify_own_devices('id');
-- Realtime does not send deletions, such as a withdrawn request or a cancelled invite, so devices are notified of them here.
create trigger notify_own_devices after delete on public.notifications
  for each row when (old.is_ready) execute function private.notify_own_devices('receiver_id');
create trigger notify_own_devices after delete on auth.sessions
  for each row execute function private.notify_own_devices('user_id');

create policy "users see their own changes" on public.own_changes for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.own_changes as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

alter publication supabase_realtime add table public.own_changes;

insert into private.exports (relation, left_out) values
  ('public.own_changes', 'says only which of the exported things changed last');
