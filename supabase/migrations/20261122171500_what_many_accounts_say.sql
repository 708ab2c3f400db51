-- What many accounts, and people whose posting is paused, can still say to others; and what a new password ends.

-- trust.sql
create or replace function private.action_limits()
returns table (action text, per interval, regulars integer, newcomers integer, with_one_person integer)
language sql immutable set search_path = ''
as $$
  values
    ('check_in', interval '1 day', 30, 15, null::integer),
    ('check_in_without_place', interval '1 day', 6, 6, null),
    ('live_report', interval '1 hour', 30, 10, null),
    ('suggest', interval '1 day', 40, 15, null),
    ('review', interval '1 day', 30, 15, null),
    ('rename', interval '1 day', 10, 5, null),
    ('send_friend_request', interval '1 day', 50, 20, 3),
    ('invite_to_park', interval '1 day', 30, 15, 6)
$$;

create function private.most_request_notifications() returns integer language sql immutable set search_path = '' as $$ select 5 $$;
comment on function private.most_request_notifications is 'Friend requests by newcomers that one person is told of in a day; the others stand in the list.';

-- users.sql
create or replace function private.check_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.clean_name(new.name);
  -- Without a caller it is a sign-up, the seed or an operator.
  if auth.uid() is not null and (new.name = '' or private.is_reserved_name(new.name)) then
    perform private.fail('name_not_allowed', 'A name has letters that can be seen, and is not the name of the product.');
  end if;
  -- Others read a name in requests and pushes: it can be a message.
  if auth.uid() is not null and tg_op = 'UPDATE' and new.name <> old.name then
    perform private.limit_action(new.id, 'rename');
  end if;
  return new;
end
$$;

-- dogs.sql
create function private.refuse_limited_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() = new.owner then
    perform private.refuse_limited(new.owner);
  end if;
  return new;
end
$$;
comment on function private.refuse_limited_owner is 'What is written about a dog is read by others: while posting is paused it stays as it is.';
create trigger refuse_limited_owner before insert on public.dogs
  for each row execute function private.refuse_limited_owner();
create trigger refuse_limited_owner_of_text before update on public.dogs
  for each row when ((old.name, old.breed, old.temperament, old.likes, old.dislikes, old.description)
    is distinct from (new.name, new.breed, new.temperament, new.likes, new.dislikes, new.description))
  execute function private.refuse_limited_owner();

-- parks.sql
alter table public.parks alter updated_at set default date_trunc('day', now(), 'Asia/Jerusalem');
comment on column public.parks.updated_at is 'The day only: the minute at which a fact is settled tells that somebody was there.';
drop trigger touch_updated_at on public.parks;
update public.parks set updated_at = date_trunc('day', updated_at, 'Asia/Jerusalem');
create function private.touch_updated_day() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := date_trunc('day', now(), 'Asia/Jerusalem');
  return new;
end
$$;
create trigger touch_updated_day before update on public.parks
  for each row execute function private.touch_updated_day();

-- calendar_feeds.sql
-- Whoever knew the old password may have made the address, or copied it.
create function private.end_calendar_feed_with_password() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.calendar_feeds f where f.user_id = new.id;
  return null;
end
$$;
-- A login that stores the same password under a newer hash leaves updated_at as it is.
create trigger end_calendar_feed_with_password after update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password and old.updated_at is distinct from new.updated_at)
  execute function private.end_calendar_feed_with_password();

-- live_reports.sql
create function private.shown_confirmations(p_report_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select (count(*) filter (where v.standing in ('regular', 'regular_there'))
    + least(count(*) filter (where v.standing = 'newcomer_there'), private.most_newcomer_weight()))::integer
  from private.live_report_votes v where v.report_id = p_report_id and v.vote = 'confirm'
$$;
comment on function private.shown_confirmations is 'How many confirmed a report, as readers see it: many new accounts look like a few.';

grant execute on function private.shown_confirmations(uuid) to anon, authenticated;

create or replace view public.park_conditions with (security_barrier) as
  select r.id, r.park_id, r.condition,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.quarter_hour(r.confirmed_at) as confirmed_at,
    private.shown_confirmations(r.id) as confirmations,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.condition is not null and r.ended_at is null and r.expires_at > now();
comment on column public.park_conditions.confirmations is 'How many others confirmed it who are regulars or have been there, of newcomers a few at most; never null';

-- hazards.sql
create or replace view public.park_hazards with (security_barrier) as
  select r.id, r.park_id, r.hazard,
    case when r.reporter = (select private.uid()) then r.reported_at else private.quarter_hour(r.reported_at) end as reported_at,
    private.shown_confirmations(r.id) as confirmations,
    r.verified_at is not null as verified,
    private.quarter_hour(r.city_informed_at) as city_informed_at,
    private.quarter_hour(r.ended_at) as cleared_at,
    r.expires_at,
    coalesce(r.reporter = (select private.uid()), false) as mine,
    array(
      select h.path from private.hazard_photos h join public.park_photos f on f.path = h.path and f.status = 'approved'
      where h.report_id = r.id order by h.path) as photos
  from private.live_reports r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.hazard is not null and r.hidden_at is null
    and case when r.ended_at is null then r.expires_at > now()
      else r.verified_at is not null and r.ended_at < r.expires_at and r.ended_at > now() - interval '1 day'
        and not exists (
          select from private.live_reports again
          where again.park_id = r.park_id and again.hazard = r.hazard and again.ended_at is null and again.expires_at > now())
    end;
comment on column public.park_hazards.confirmations is 'How many others confirmed it who are regulars or have been there, of newcomers a few at most; never null';

-- notifications.sql
create or replace function private.notify_of_friendship() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  friendship private.friendships := case when tg_op = 'DELETE' then old else new end;
  asker uuid := friendship.requester;
  other uuid := case when asker = friendship.user_low then friendship.user_high else friendship.user_low end;
begin
  if tg_op = 'INSERT' then
    -- Many new accounts at once are one person: the requests stand in the list, and the phone stays silent.
    if new.status = 'pending' and (private.is_regular(asker)
        or private.count_attempt(other, 'told_of_request', interval '1 day') <= private.most_request_notifications()) then
      perform private.notify('friendRequest', asker, other);
    end if;
  elsif tg_op = 'UPDATE' and new.status = 'accepted' then
    perform private.notify('friendApproval', other, asker);
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now()),
      data = n.data || '{"accepted": true}'
    where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  else
    -- Removed or declined: there is nothing to answer any more.
    delete from public.notifications n where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  end if;
  return null;
end
$$;

-- storage.sql
drop policy "owners add photos of their dogs" on storage.objects;
drop policy "owners move photos of their dogs" on storage.objects;
drop function private.is_my_dog(text);

create function private.may_add_dog_photo(p_dog text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.dogs d where d.owner = private.uid() and d.id::text = p_dog and d.deleted_at is null)
    and not private.is_limited(private.uid())
$$;
comment on function private.may_add_dog_photo is 'The caller''s own dog, and posting not paused.';

grant execute on function private.may_add_dog_photo(text) to authenticated;

create policy "owners add photos of their dogs" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'users'
    and name ~ ('^' || (select auth.uid()) || '/dogs/[^/]+/(primary|other)/[^/]+$')
    and private.is_photo_name(name) and private.may_add_dog_photo((storage.foldername(name))[3])
  );
create policy "owners move photos of their dogs" on storage.objects for update to authenticated
  using (bucket_id = 'users' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (
    bucket_id = 'users'
    and name ~ ('^' || (select auth.uid()) || '/dogs/[^/]+/(primary|other)/[^/]+$')
    and private.is_photo_name(name) and private.may_add_dog_photo((storage.foldername(name))[3])
  );
