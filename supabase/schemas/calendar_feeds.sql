-- Calendar feeds: a user's meetings for calendar apps, at a secret URL that the user can revoke at any time.
-- The feed reaches as far ahead as invites do (invite_to_park in park_invites.sql).

create table private.calendar_feeds (
  user_id uuid primary key references public.users (id) on delete cascade,
  secret_hash bytea not null unique,
  event_salt uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
);
comment on table private.calendar_feeds is
  'Users whose meetings a calendar app may read. Only the SHA-256 of the secret in the URL is stored, so reading the database is not '
  'enough to open it.';
comment on column private.calendar_feeds.event_salt is
  'Part of the hash in event IDs, so that a leaked file does not reveal the inviting user. It stays the same for a new URL, so that '
  'events keep their IDs.';
alter table private.calendar_feeds enable row level security;

create table private.cancelled_meetings (
  user_id uuid not null references private.calendar_feeds (user_id) on delete cascade,
  event_id uuid not null,
  park_id bigint not null references public.parks (id) on delete cascade,
  meet_at timestamptz not null,
  cancelled_at timestamptz not null default now(),
  primary key (user_id, event_id)
);
comment on table private.cancelled_meetings is
  'Cancelled meetings, until their time has passed. Calendar apps strike out events that the feed marks as cancelled, and some keep '
  'events that merely disappear from it.';
alter table private.cancelled_meetings enable row level security;

create index on private.cancelled_meetings (park_id);

create function private.calendar_event_id(p_salt uuid, p_host_id uuid, p_park_id bigint, p_meet_at timestamptz) returns uuid
language sql immutable set search_path = '' as $$
  select md5(concat_ws(' ', p_salt, p_host_id, p_park_id, extract(epoch from p_meet_at)))::uuid
$$;
comment on function private.calendar_event_id is
  'The ID of a meeting in the calendar of one user. Other users'' calendars have other IDs for it.';

create function private.remember_cancelled_meeting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.cancelled_meetings as c (user_id, event_id, park_id, meet_at)
  select f.user_id, private.calendar_event_id(f.event_salt, old.sender_id, old.park_id, old.meet_at), old.park_id, old.meet_at
  from private.calendar_feeds f
  -- If the invites are deleted because their park was deleted, nothing is stored.
  where f.user_id in (old.sender_id, old.receiver_id) and exists (select from public.parks p where p.id = old.park_id)
  on conflict (user_id, event_id) do update set cancelled_at = excluded.cancelled_at;
  return null;
end
$$;
comment on function private.remember_cancelled_meeting is
  'Records a cancelled meeting for both users when an invite is withdrawn or moves to another park, where the meeting becomes a '
  'different event.';
create trigger remember_cancelled_meeting after delete or update of park_id on public.park_invites
  for each row when (private.is_meeting_open(old.meet_at)) execute function private.remember_cancelled_meeting();

create function private.remember_left_pack_time() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.cancelled_meetings as c (user_id, event_id, park_id, meet_at)
  select f.user_id, private.calendar_event_id(f.event_salt, t.id, t.park_id, n.meet_at), t.park_id, n.meet_at
  from private.calendar_feeds f join private.pack_times t on t.id = old.pack_time_id
  cross join lateral (select private.next_meeting_time(t) as meet_at) n
  where f.user_id = old.user_id
  on conflict (user_id, event_id) do update set cancelled_at = excluded.cancelled_at;
  return null;
end
$$;
create trigger remember_left_pack_time after delete on private.pack_time_members
  for each row execute function private.remember_left_pack_time();

-- A new password revokes the feed, because an attacker who knew the old password may have created or copied the URL.
create function private.end_calendar_feed_with_password() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.calendar_feeds f where f.user_id = new.id;
  return null;
end
$$;
-- When a login stores the same password under a newer hash, updated_at does not change, so the feed is kept.
create trigger end_calendar_feed_with_password after update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password and old.updated_at is distinct from new.updated_at)
  execute function private.end_calendar_feed_with_password();

create function public.my_calendar_feed() returns timestamptz
language sql stable security definer set search_path = '' as $$
  select f.created_at from private.calendar_feeds f where f.user_id = private.uid()
$$;
comment on function public.my_calendar_feed is 'The time since which the caller''s calendar URL works; null without a URL.';

create function public.make_calendar_feed() returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  perform private.limit_rate('make_calendar_feed', 10, '1 day');
  insert into private.calendar_feeds as f (user_id, secret_hash) values (me, sha256(convert_to(secret, 'utf8')))
  on conflict (user_id) do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at;
  return secret;
end
$$;
comment on function public.make_calendar_feed is
  'Creates a URL for the caller''s meetings and returns its secret, 64 hexadecimal digits, which cannot be read again; the previous URL '
  'stops working.';

create function public.end_calendar_feed() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  delete from private.calendar_feeds f where f.user_id = me;
  return found;
end
$$;
comment on function public.end_calendar_feed is 'Revokes the caller''s calendar URL; returns false if none existed.';

create function public.calendar_of(p_secret_hash bytea) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('language', u.language, 'events', (
    select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'park', private.park_summary(e.park_id, u.language), 'meet_at', e.meet_at,
      'answer', e.answer, 'changed_at', e.changed_at) order by e.meet_at, e.id), '[]')
    from (
      -- If a guest was invited again, the new invite takes precedence over the earlier cancellation.
      select distinct on (x.id) x.* from (
        select private.calendar_event_id(f.event_salt, coalesce(m.pack_time_id, m.host_id), m.park_id, m.meet_at) as id, m.park_id,
          m.meet_at,
          coalesce(m.status::text, 'host') as answer, m.changed_at
        from private.meetings_of(f.user_id) m
        union all
        select c.event_id, c.park_id, c.meet_at, 'cancelled', c.cancelled_at
        from private.cancelled_meetings c where c.user_id = f.user_id and private.is_meeting_open(c.meet_at)
      ) x order by x.id, x.answer = 'cancelled'
    ) e))
  from private.calendar_feeds f join public.users u on u.id = f.user_id join auth.users a on a.id = f.user_id
  where f.secret_hash = p_secret_hash and (a.banned_until is null or a.banned_until <= now())
$$;
comment on function public.calendar_of is
  'The contents of the feed whose secret has this SHA-256: {language, events: [{id, park, meet_at, answer, changed_at}]}, where answer '
  'is host, pending, accepted, declined or cancelled; null if the URL is not valid. It contains no names of users.';

grant execute on function
  public.my_calendar_feed(),
  public.make_calendar_feed(),
  public.end_calendar_feed()
to authenticated;

grant execute on function public.calendar_of(bytea) to service_role;

insert into private.retention (name, run_order, statement) values
  ('cancelled meetings: while the meeting is open', 50, $$delete from private.cancelled_meetings c
    where not private.is_meeting_open(c.meet_at)$$);

insert into private.exports (relation, part, statement) values
  ('private.cancelled_meetings', 'calendar_feed', null);

insert into private.exports (relation, part, is_list, statement) values
  ('private.calendar_feeds', 'calendar_feed', false, $$select jsonb_build_object('created_at', c.created_at, 'cancelled_meetings', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(m.park_id, $2), 'meet_at', m.meet_at,
        'cancelled_at', m.cancelled_at) order by m.meet_at), '[]')
      from private.cancelled_meetings m where m.user_id = $1))
    from private.calendar_feeds c where c.user_id = $1$$);
