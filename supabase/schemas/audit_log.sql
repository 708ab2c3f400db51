-- The audit log of the desk: every action of a moderator, administrator or operator. No role may change or delete entries.

create table private.audit_handles (
  user_id uuid primary key references public.users (id) on delete cascade,
  handle uuid not null unique default gen_random_uuid()
);
comment on table private.audit_handles is
  'The random number by which the audit log refers to a user. It is deleted with the account, so the log, which stays, no longer refers '
  'to anybody.';
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
  'Append-only. Each row''s hash includes the hash of the previous row. It contains no text written by users and none of their IDs.';
comment on column private.audit_log.actor is
  'The handle of the user who acted; null for an operator who used the machine''s own privileges.';
comment on column private.audit_log.item is 'The subject of the entry: type and ID of an item of the desk, or the handle of a user.';
alter table private.audit_log enable row level security;

-- The service key may read and write all other tables, but not the audit log.
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
  -- Writers are serialised, because each hash includes the previous one.
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
  'Adds what the caller does to each of the items to the audit log, in the same transaction. Call it last: other writers of the log wait '
  'until this transaction commits, so it must not wait for another lock afterwards.';

create function private.audit(p_act text, p_item text default null, p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.audit_each(p_act, array[p_item], array[p_details]);
end
$$;
comment on function private.audit is
  'Adds one action of the caller to the audit log. Call it last in the transaction (see private.audit_each).';

create function private.first_broken_audit_row() returns bigint
language sql stable security definer set search_path = '' as $$
  select min(l.id) from (
    select o.id, o.hash, private.audit_hash(coalesce(lag(o.hash) over (order by o.id), ''), o) as right_hash from private.audit_log o
  ) l where l.hash <> l.right_hash
$$;
comment on function private.first_broken_audit_row is
  'The first row of the audit log that somebody changed with the database''s own privileges, or that follows a row they removed; null if '
  'there is none.';

insert into private.exports (relation, left_out) values
  ('private.audit_handles', 'a random number, which the audit log has instead of the user ID');

create function public.desk_audit_log(p_before bigint default null)
returns table (id bigint, at timestamptz, actor text, act text, item text, details jsonb, user_name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select l.id, l.at, (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where h.handle = l.actor),
      l.act, l.item, l.details,
      -- The handle is parsed from the item, because comparing texts would read all handles for each entry.
      (select u.name from private.audit_handles h join public.users u on u.id = h.user_id
        where h.handle = case when l.item like 'user:%' then private.to_uuid(substr(l.item, 6)) end)
    -- A single condition allows an index range scan. With "or", reading an older page would read all newer rows.
    from private.audit_log l where l.id < coalesce(p_before, 9223372036854775807) order by l.id desc limit 100;
end
$$;
comment on function public.desk_audit_log is
  'The audit log, newest first, 100 at a time. An actor without a name is an operator or a deleted account; user_name is the name of the '
  'user whom an entry is about.';

grant execute on function public.desk_audit_log(bigint) to authenticated, service_role;
