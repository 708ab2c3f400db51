-- Account deletion.

create table private.user_deletions (
  user_id uuid primary key,
  started_at timestamptz not null default now(),
  objects jsonb not null default '[]'
);
comment on table private.user_deletions is
  'Deletions in progress and the files that remain to be removed. A row stays until all files are gone, so that a deletion can be '
  'finished after a crash.';
alter table private.user_deletions enable row level security;

create function private.files_of(p_user_id uuid) returns table (bucket text, name text)
language sql stable as $$
  -- The condition is a range of names. With "or", the query would scan the files of all users.
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'users' and o.name >= p_user_id || '/' and o.name < p_user_id || '0'
    -- Excludes files of dogs that have been handed over, which are still being moved to the new owner's folder.
    and not exists (select from public.dogs d where d.owner <> p_user_id and d.id =
      case when o.name ~ '^[^/]+/dogs/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/' then split_part(o.name, '/', 3)::uuid end)
  union all
  select o.bucket_id, o.name from private.photo_uploaders u
  join storage.objects o on o.bucket_id in ('parks', 'pending-photos') and o.name = u.path
  where u.user_id = p_user_id
  union all
  select o.bucket_id, o.name from private.lost_dog_sightings s
  join storage.objects o on o.bucket_id = 'sightings' and o.name >= s.id || '/' and o.name < s.id || '0'
  where s.user_id = p_user_id
  union all
  select o.bucket_id, o.name from private.visit_photos f join storage.objects o on o.bucket_id = 'visit-photos' and o.name = f.id::text
  where f.author = p_user_id
$$;
comment on function private.files_of is 'The files of a user in storage.';

create function public.delete_user_data(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_objects jsonb;
  left_over jsonb;
begin
  perform private.hand_over_all(p_user_id);
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') into found_objects from private.files_of(p_user_id) f;
  insert into private.user_deletions as d (user_id, objects) values (p_user_id, found_objects)
  on conflict (user_id) do update set objects = (
    select coalesce(jsonb_agg(distinct o), '[]') from jsonb_array_elements(d.objects || excluded.objects) o)
  returning d.objects into left_over;
  -- Approved parks are kept, even those that were removed from the map. Pending and rejected ones are deleted.
  delete from public.parks p using private.park_submitters s
  where s.park_id = p.id and s.user_id = p_user_id and p.status <> 'approved'
    and not exists (select from public.removed_parks f where f.park_id = p.id);
  delete from public.park_photos f using private.photo_uploaders u where u.path = f.path and u.user_id = p_user_id;
  delete from public.users u where u.id = p_user_id;
  delete from private.idempotency_keys k where k.user_id = p_user_id;
  delete from private.rate_limits r where r.subject = p_user_id;
  return left_over;
end
$$;
comment on function public.delete_user_data is
  'Deletes all rows of a user and returns the files to remove: [{bucket, name}]. Safe to repeat. Call finish_user_deletion afterwards.';

create function public.finish_user_deletion(p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.user_deletions d where d.user_id = p_user_id
$$;

create function public.unfinished_user_deletions() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select d.user_id from private.user_deletions d order by d.started_at
$$;

grant execute on function
  public.delete_user_data(uuid),
  public.finish_user_deletion(uuid),
  public.unfinished_user_deletions()
to service_role;

insert into private.exports (relation, part, statement) values
  ('auth.identities', 'identities',
    $$select coalesce(i.created_at, 'epoch'), i.id::text, private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email',
      'created_at', 'updated_at', 'last_sign_in_at')
    from auth.identities i where i.user_id = $1$$),
  ('auth.mfa_factors', 'second_factors',
    $$select m.created_at, m.id::text, private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at',
      'updated_at', 'last_challenged_at')
    from auth.mfa_factors m where m.user_id = $1$$);

insert into private.exports (relation, part, is_list, statement) values
  ('auth.users', 'account', false,
    $$select private.pick(to_jsonb(a), 'email', 'email_change', 'email_confirmed_at', 'phone', 'phone_confirmed_at', 'created_at',
      'updated_at', 'last_sign_in_at', 'invited_at', 'banned_until', 'raw_user_meta_data', 'raw_app_meta_data')
    from auth.users a where a.id = $1$$);

insert into private.exports (relation, left_out) values
  ('private.user_deletions', 'begins when the account ends'),
  ('auth.account_changes', 'hashes of links that revert a change of the account'),
  ('auth.one_time_tokens', 'hashes of links and codes that would open the account'),
  ('auth.known_networks', 'keyed hashes of the networks of logins, without addresses'),
  ('auth.flow_state', 'secrets of sign-ins that are under way, for minutes'),
  ('auth.provider_tokens', 'a secret for the provider, encrypted'),
  ('auth.mfa_challenges', 'codes that would open the account, for minutes'),
  ('auth.mfa_recovery_codes', 'hashes of codes that would open the account');
