-- The audit log of the desk: every act of a moderator, administrator or operator. Nobody changes it, whatever their role.

create table private.audit_handles (
  user_id uuid primary key references public.users (id) on delete cascade,
  handle uuid not null unique default gen_random_uuid()
);
comment on table private.audit_handles is
  'By which random number the audit log names a person. It goes with the account; then the log, which stays, names no person.';
alter table private.audit_handles enable row level security;

create table private.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor uuid,
  act text not null check (act ~ '^[a-z_]+$'),
  item text,
  details jsonb not null default '{}',
  hash bytea not null
);
comment on table private.audit_log is
  'Append-only, and each row''s hash has the hash of the row before in it. It holds no text that people wrote, and no ids of theirs.';
comment on column private.audit_log.actor is 'The handle of the person who acted; null for an operator with the machine''s own rights.';
comment on column private.audit_log.item is 'What it was about: kind and id of an item of the desk, or the handle of a person.';
alter table private.audit_log enable row level security;

-- The service key reads and writes everything else, but not this.
revoke all on private.audit_log, private.audit_handles from service_role;

create function private.reject_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.fail('append_only', 'Rows are only added here.', '42501');
  return null;
end
$$;
create trigger reject_change before update or delete or truncate on private.audit_log
  for each statement execute function private.reject_change();

create function private.audit_hash(p_before bytea, p_row private.audit_log) returns bytea
language sql stable set search_path = '' as $$
  select sha256(p_before || convert_to(
    jsonb_build_array(p_row.id, extract(epoch from p_row.at), p_row.actor, p_row.act, p_row.item, p_row.details)::text, 'utf8'))
$$;

create function private.audit_handle(p_user_id uuid) returns uuid
language sql volatile security definer set search_path = '' as $$
  insert into private.audit_handles (user_id) select u.id from public.users u where u.id = p_user_id on conflict do nothing;
  select h.handle from private.audit_handles h where h.user_id = p_user_id
$$;

create function private.audit_each(p_act text, p_items text[], p_details jsonb[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  entry private.audit_log;
  entries private.audit_log[] := '{}';
begin
  -- One after the other, so that each hash has the one before it.
  perform pg_advisory_xact_lock(hashtextextended('audit_log', 0));
  entry.hash := coalesce((select l.hash from private.audit_log l order by l.id desc limit 1), '');
  entry.actor := private.audit_handle(auth.uid());
  entry.act := p_act;
  for place in 1 .. cardinality(p_items) loop
    entry.id := nextval(pg_get_serial_sequence('private.audit_log', 'id'));
    entry.at := clock_timestamp();
    entry.item := p_items[place];
    entry.details := coalesce(p_details[place], '{}');
    entry.hash := private.audit_hash(entry.hash, entry);
    entries := entries || entry;
  end loop;
  insert into private.audit_log overriding system value select e.* from unnest(entries) e;
end
$$;
comment on function private.audit_each is
  'Adds what the caller does to each of some items to the audit log, in the transaction that does it: as the last thing there, because '
  'whoever else adds something waits from here on until it commits, and must never wait for what this transaction still wants to lock.';

create function private.audit(p_act text, p_item text default null, p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.audit_each(p_act, array[p_item], array[p_details]);
end
$$;
comment on function private.audit is
  'Adds one thing that the caller does to the audit log, as the last thing of its transaction (private.audit_each).';

create function private.first_broken_audit_row() returns bigint
language sql stable security definer set search_path = '' as $$
  select min(l.id) from (
    select o.id, o.hash, private.audit_hash(coalesce(lag(o.hash) over (order by o.id), ''), o) as right_hash from private.audit_log o
  ) l where l.hash <> l.right_hash
$$;
comment on function private.first_broken_audit_row is
  'The first row of the audit log that somebody with the database''s own rights changed, or that stands after one they removed; null '
  'where there is none.';

insert into private.exports (relation, left_out) values
  ('private.audit_handles', 'a random number, which the audit log has instead of the person');

create function public.desk_audit_log(p_before bigint default null)
returns table (id bigint, at timestamptz, actor text, act text, item text, details jsonb, person text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select l.id, l.at, (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where h.handle = l.actor),
      l.act, l.item, l.details,
      (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where 'person:' || h.handle = l.item)
    -- One condition, so that the index finds the place: with 'or' an older page reads all that is newer.
    from private.audit_log l where l.id < coalesce(p_before, 9223372036854775807) order by l.id desc limit 100;
end
$$;
comment on function public.desk_audit_log is
  'The audit log, newest first, 100 at a time; an actor without a name is an operator, or an account that is deleted; '
  'person is the name of the one whom an entry is about.';

grant execute on function public.desk_audit_log(bigint) to authenticated, service_role;
