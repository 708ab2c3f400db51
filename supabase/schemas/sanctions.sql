-- Sanctions against users: a warning, a pause of posting, a suspension until a date, a ban. They are enforced by
-- private.require_consent, private.limit_action, private.require_user and, for sessions, auth.users.banned_until.

create type public.sanction as enum ('warn', 'limit', 'suspend', 'ban');

create function private.is_sanction(p_decision text) returns boolean
language sql stable set search_path = '' as $$ select p_decision = any (enum_range(null::public.sanction)::text[]) $$;

create table private.sanctions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  sanction public.sanction not null,
  reason public.decision_reason not null,
  until timestamptz check (until is null or sanction in ('limit', 'suspend')),
  shown boolean not null,
  imposed_at timestamptz not null default now(),
  revoked_at timestamptz
);
comment on table private.sanctions is
  'Moderators'' sanctions against users. The user is notified by mail and finds them in the data export.';
comment on column private.sanctions.until is 'Null for a warning, a ban, and a permanent pause.';
comment on column private.sanctions.shown is
  'False if the sanction is for a post whose author moderators may not know, such as an anonymous review. Moderators then do not see it '
  'with the user.';
alter table private.sanctions enable row level security;

create table private.deleted_account_sanctions (
  id uuid primary key default gen_random_uuid(),
  salt uuid not null,
  email_hash bytea not null,
  sanction public.sanction not null,
  reason public.decision_reason not null,
  until timestamptz,
  shown boolean not null,
  imposed_at timestamptz not null,
  remove_at timestamptz not null
);
comment on table private.deleted_account_sanctions is
  'The sanctions in force when an account was deleted, so that they apply to a new account with the same email address. They move back '
  'to private.sanctions then.';
comment on column private.deleted_account_sanctions.email_hash is 'private.salted_hash of the email address, which is not stored anywhere.';
comment on column private.deleted_account_sanctions.remove_at is 'When the sanction ends, or one year after the account was deleted.';
alter table private.deleted_account_sanctions enable row level security;

create index on private.sanctions (user_id);

-- SECURITY DEFINER or a search_path would prevent PostgreSQL from inlining it.
create function private.sanctions_in_force(p_user_id uuid) returns setof private.sanctions
language sql stable as $$
  select m.* from private.sanctions m
  where m.user_id = p_user_id and m.sanction <> 'warn' and m.revoked_at is null and coalesce(m.until, 'infinity') > now()
$$;
comment on function private.sanctions_in_force is 'The sanctions that pause, suspend or ban a user now.';

create function private.is_limited(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.sanctions_in_force(p_user_id))
$$;
comment on function private.is_limited is
  'Returns true if a user may not post now, because posting is paused or the user is suspended or banned.';

create function private.reject_limited(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_limited(p_user_id) then
    perform private.fail('limited', 'A moderator has paused posting for this account.');
  end if;
end
$$;

create function private.apply_sanctions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  target uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  ends timestamptz;
begin
  select max(coalesce(m.until, now() + interval '100 years')) into ends
  from private.sanctions_in_force(target) m where m.sanction in ('suspend', 'ban');
  -- 'infinity' cannot be used, because the platform's auth service cannot parse it.
  update auth.users a set banned_until = ends where a.id = target and a.banned_until is distinct from ends;
  return null;
end
$$;
comment on function private.apply_sanctions is
  'Sets auth.users.banned_until, so that the auth service rejects sessions until the longest suspension ends.';
create trigger apply_new_sanction after insert on private.sanctions
  for each row when (new.sanction in ('suspend', 'ban')) execute function private.apply_sanctions();
create trigger apply_changed_sanction after update of until, revoked_at or delete on private.sanctions
  for each row when (old.sanction in ('suspend', 'ban')) execute function private.apply_sanctions();

create function private.salted_hash(p_salt uuid, p_text text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(uuid_send(p_salt) || convert_to(lower(p_text), 'utf8'))
$$;

create function private.save_sanctions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  salt uuid := gen_random_uuid();
begin
  insert into private.deleted_account_sanctions (salt, email_hash, sanction, reason, until, shown, imposed_at, remove_at)
  select salt, private.salted_hash(salt, a.email), m.sanction, m.reason, m.until, m.shown, m.imposed_at,
    least(coalesce(m.until, 'infinity'), now() + interval '1 year')
  from private.sanctions_in_force(old.id) m join auth.users a on a.id = m.user_id
  where a.email is not null;
  return old;
end
$$;
comment on function private.save_sanctions is
  'Saves the sanctions of an account that is being deleted. It runs for public.users and auth.users; the second run finds no sanctions.';
create trigger save_sanctions before delete on public.users for each row execute function private.save_sanctions();
create trigger save_sanctions before delete on auth.users for each row execute function private.save_sanctions();

create function private.restore_sanctions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  with returned as (
    delete from private.deleted_account_sanctions k using auth.users a
    where a.id = new.id and k.email_hash = private.salted_hash(k.salt, a.email) and k.remove_at > now()
    returning k.*
  )
  insert into private.sanctions (user_id, sanction, reason, until, shown, imposed_at)
  select new.id, r.sanction, r.reason, r.until, r.shown, r.imposed_at from returned r;
  return null;
end
$$;
comment on function private.restore_sanctions is
  'For an account whose email address was confirmed, if the site requires that; the public profile is created then. Somebody else who '
  'enters the address does not remove a sanction.';
create trigger restore_sanctions after insert on public.users for each row execute function private.restore_sanctions();

insert into private.retention (name, run_order, statement) values
  ('sanctions of deleted accounts: until they end', 50, $$delete from private.deleted_account_sanctions k where k.remove_at < now()$$);

insert into private.exports (relation, part, statement) values
  ('private.sanctions', 'sanctions', $$select m.imposed_at, m.id::text, to_jsonb(m) - array['id', 'user_id', 'shown']
    from private.sanctions m where m.user_id = $1$$);
