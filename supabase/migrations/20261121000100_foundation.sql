-- The ground rules: nothing is callable or writable unless granted below, internal things live in schema private,
-- every refusal has a code, and a mutation that is sent twice happens once.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create schema private;

-- Defaults -------------------------------------------------------------------------------------------------------

-- New functions are executable by everybody unless this is taken back globally: per-schema defaults can only add.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

-- Policies and views call helpers in private with the caller's rights; REST exposes only public, so nobody calls them directly.
grant usage on schema private to anon, authenticated, service_role;

-- Types ----------------------------------------------------------------------------------------------------------

create type public.language as enum ('en', 'he', 'ar');

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.idempotency_keys (
  user_id uuid not null,
  key uuid not null,
  what text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
comment on table private.idempotency_keys is 'Answers of keyed mutations: a second call with the same key gets the first answer and changes nothing.';
alter table private.idempotency_keys enable row level security;
create index on private.idempotency_keys (created_at);

create table private.rates (
  user_id uuid not null,
  what text not null,
  since timestamptz not null default now(),
  count integer not null default 1,
  primary key (user_id, what)
);
comment on table private.rates is 'How often a user did something in the current window; see private.limit_rate.';
alter table private.rates enable row level security;

-- Functions ------------------------------------------------------------------------------------------------------

create function private.fail(code text, explanation text, state text default 'P0001') returns void
language plpgsql set search_path = ''
as $$
begin
  raise exception using errcode = state, message = code, hint = explanation;
end
$$;
comment on function private.fail is 'Refuses with a code in snake_case (the message) and an English sentence (the hint).';

create function private.begin_once(p_key uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  before private.idempotency_keys;
begin
  if p_key is null then
    return null;
  end if;
  -- A racing second call waits here for the first one's transaction: then it finds the answer, or starts anew after a rollback.
  insert into private.idempotency_keys (user_id, key, what) values ((select auth.uid()), p_key, p_what)
  on conflict do nothing;
  if found then
    return null;
  end if;
  select * into before from private.idempotency_keys k where k.user_id = (select auth.uid()) and k.key = p_key;
  if before.what is distinct from p_what then
    perform private.fail('invalid_input', 'This key was already used for something else.');
  end if;
  return before.answer;
end
$$;
comment on function private.begin_once is 'The remembered answer for a key, or null when the work is to be done now.';

create function private.end_once(p_key uuid, p_answer jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  if p_key is not null then
    update private.idempotency_keys k set answer = p_answer where k.user_id = (select auth.uid()) and k.key = p_key;
  end if;
  return p_answer;
end
$$;

create function private.limit_rate(p_what text, p_most integer, p_window interval) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  used integer;
begin
  insert into private.rates as r (user_id, what) values ((select auth.uid()), p_what)
  on conflict (user_id, what) do update set
    count = case when r.since < now() - p_window then 1 else r.count + 1 end,
    since = case when r.since < now() - p_window then now() else r.since end
  returning r.count into used;
  if used > p_most then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;
comment on function private.limit_rate is 'Refuses with too_many when the caller did this more than p_most times in p_window.';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
