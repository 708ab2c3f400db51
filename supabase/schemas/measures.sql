-- Measures against people: a warning, a pause of posting, a suspension until a date, a ban. The rules that follow are asked
-- where people act: private.require_consent, private.limit_action, private.require_user and, for sessions, auth.users.banned_until.

-- Types ----------------------------------------------------------------------------------------------------------

create type public.measure as enum ('warn', 'limit', 'suspend', 'ban');

create type public.decision_reason as enum (
  'duplicate', 'not_a_park', 'wrong_place', 'not_true', 'unclear', 'wrong_park', 'poor_photo', 'people_in_photo',
  'spam', 'inappropriate', 'misinformation', 'fake', 'personal_information', 'harassment'
);
comment on type public.decision_reason is 'Why a moderator decided against something; the person reads it in their own language (private.texts).';

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.measures (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  measure public.measure not null,
  reason public.decision_reason not null,
  until timestamptz check (until is null or measure in ('limit', 'suspend')),
  shown boolean not null,
  taken_at timestamptz not null default now(),
  lifted_at timestamptz
);
comment on table private.measures is 'What moderators did about a person; the person gets it by mail and in the export.';
comment on column private.measures.until is 'Null of a warning, a ban, and a limit for good.';
comment on column private.measures.shown is 'False where it was taken by something whose author moderators may not know, such as an anonymous review: then no moderator sees it with the person.';
alter table private.measures enable row level security;

-- Indexes --------------------------------------------------------------------------------------------------------

create index on private.measures (user_id);

-- Functions ------------------------------------------------------------------------------------------------------

create function private.is_limited(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.measures m
    where m.user_id = p_user_id and m.measure <> 'warn' and m.lifted_at is null and coalesce(m.until, 'infinity') > now())
$$;
comment on function private.is_limited is 'Whether a person may not post now: limited, suspended or banned.';

create function private.refuse_limited(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_limited(p_user_id) then
    perform private.fail('limited', 'A moderator has paused posting for this account.');
  end if;
end
$$;

create function private.apply_measures() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  person uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  ends timestamptz;
begin
  select max(coalesce(m.until, now() + interval '100 years')) into ends from private.measures m
  where m.user_id = person and m.measure in ('suspend', 'ban') and m.lifted_at is null and coalesce(m.until, 'infinity') > now();
  -- Not infinity: the platform's auth service cannot read it.
  update auth.users a set banned_until = ends where a.id = person and a.banned_until is distinct from ends;
  return null;
end
$$;
comment on function private.apply_measures is 'The auth service refuses sessions until the longest suspension ends.';
create trigger apply_new_measure after insert on private.measures
  for each row when (new.measure in ('suspend', 'ban')) execute function private.apply_measures();
create trigger apply_changed_measure after update of until, lifted_at or delete on private.measures
  for each row when (old.measure in ('suspend', 'ban')) execute function private.apply_measures();
