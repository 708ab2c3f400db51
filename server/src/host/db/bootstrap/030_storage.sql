-- Storage as in a Supabase database: buckets, objects and the helpers for policies; and our own table of file contents to delete.

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  avif_autodetection boolean default false,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  type storage.buckettype not null default 'STANDARD'
);
create unique index bname on storage.buckets (name);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text collate "C",
  owner uuid,
  owner_id text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  user_metadata jsonb,
  version text,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index on storage.objects (version);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;

-- File contents to delete: those of deleted or replaced versions, and of uploads that were not completed. The API roles have no
-- privileges.
create table storage.deleted_bytes (
  version text primary key,
  due_at timestamptz not null default now()
);
create index on storage.deleted_bytes (due_at);

create function storage.foldername(name text) returns text[]
language sql immutable as $$
  select parts[1:array_length(parts, 1) - 1] from (select string_to_array(name, '/') as parts) split
$$;

create function storage.filename(name text) returns text
language sql immutable as $$
  select parts[array_length(parts, 1)] from (select string_to_array(name, '/') as parts) split
$$;

create function storage.extension(name text) returns text
language sql immutable as $$
  select reverse(split_part(reverse(storage.filename(name)), '.', 1))
$$;

create function storage.touch_updated_at() returns trigger
language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end
$$;
create trigger touch_updated_at before update on storage.objects
  for each row execute function storage.touch_updated_at();

-- Rows are also deleted by SQL, for example when an account is deleted. The trigger queues the file's contents for deletion in
-- every case.
create function storage.queue_deleted_bytes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.version is not null and (tg_op = 'DELETE' or new.version is distinct from old.version) then
    -- The delay of a minute lets requests that have just read the row read the contents.
    insert into storage.deleted_bytes (version, due_at) values (old.version, now() + interval '1 minute')
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger queue_deleted_bytes after delete or update of version on storage.objects
  for each row execute function storage.queue_deleted_bytes();

-- An upload adds its version to the table before it writes the contents, and removes it again in the transaction that inserts the
-- object's row. Returns false if the sweeper has already deleted the contents; then the row must not be inserted.
create function storage.keep_bytes(kept_version text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.deleted_bytes where version = kept_version;
  return found;
end
$$;
