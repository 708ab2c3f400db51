-- Nobody learns who wrote an anonymous review, by its id, its dates, a deleted account or a block; blocks hold from both
-- sides, and anonymous callers do not find people who have blocked somebody.

alter table public.reviews alter column author drop not null;
alter table public.reviews add column remove_at timestamptz;
alter table public.reviews add check ((author is null) = (remove_at is not null));

comment on column public.reviews.author is 'Null when the account is deleted and the review was anonymous.';

comment on column public.reviews.remove_at is 'When a review without an author is deleted: a random moment, so that it does not vanish together with an account.';

create index reviews_to_remove on public.reviews (remove_at) where remove_at is not null;

alter table private.review_reports drop constraint review_reports_review_id_fkey;
alter table private.review_reports add foreign key (review_id) references public.reviews (id) on update cascade on delete cascade;

-- Whoever saw a review with its author's name would recognise it by its id and dates after it became anonymous.
create function private.renew_anonymous_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.id := gen_random_uuid();
  new.created_at := now();
  return new;
end
$$;

create trigger renew_anonymous_review before update of anonymous on public.reviews
  for each row when (new.anonymous and not old.anonymous) execute function private.renew_anonymous_review();

-- A review that vanished together with an account would name its author.
create function private.detach_anonymous_reviews() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.reviews r set author = null, remove_at = now() + random() * interval '30 days'
  where r.author = old.id and r.anonymous;
  return old;
end
$$;

create trigger detach_anonymous_reviews before delete on public.users
  for each row execute function private.detach_anonymous_reviews();

-- How long history is kept.

-- Functions ------------------------------------------------------------------------------------------------------

create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  delete from private.push_outbox o where o.created_at < now() - interval '2 days';
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;

alter table public.blocks add column listed boolean not null default true;

comment on column public.blocks.listed is 'Whether the blocker saw or heard from the other then. Other blocks count as much, but the blocker reads them only once nothing else hides the other: see private.listed_blocks.';

-- Somebody who hides, has blocked the caller or is gone must look alike, so a block of such a person is not told of.
create function private.listed_blocks(p_user_id uuid) returns setof public.blocks
language sql stable security definer set search_path = '' rows 5
as $$
  select b.* from public.blocks b join public.users u on u.id = b.blocked
  where b.blocker = p_user_id and (b.listed or (not u.hidden and not exists (
    select from public.blocks o where o.blocker = b.blocked and o.blocked = b.blocker)))
$$;

comment on function private.listed_blocks is 'The blocks that this user made and may read of.';

create function private.listed_block_ids() returns setof uuid
language sql stable security definer set search_path = '' rows 5
as $$
  select b.blocked from private.listed_blocks(private.uid()) b
$$;

comment on function private.listed_block_ids is 'Whom the caller blocked and may read of.';

grant execute on function private.listed_block_ids() to anon, authenticated;

alter policy "users see their own blocks" on public.blocks
  using (blocker = (select auth.uid()) and blocked in (select private.listed_block_ids()));
alter policy "users lift their own blocks" on public.blocks
  using (blocker = (select auth.uid()) and blocked in (select private.listed_block_ids()));

-- RPCs -----------------------------------------------------------------------------------------------------------

create or replace function public.block_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.lock_pair(p_user_id);
  -- Kept also for somebody who blocked first or hides, so that it counts when that ends.
  insert into public.blocks as b (blocker, blocked, listed)
  select me, u.id, private.may_see(u.id) or private.has_contacted_caller(u.id) from public.users u
  where u.id = p_user_id and u.id <> me
  on conflict (blocker, blocked) do update set listed = b.listed or excluded.listed;
end
$$;

create or replace function public.my_blocks() returns table (user_id uuid, name text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.name, b.created_at
  from private.listed_blocks(private.uid()) b join public.users u on u.id = b.blocked
  order by b.created_at desc
$$;

create or replace function public.send_friend_request(p_user_id uuid, p_key uuid default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'send_friend_request');
  low uuid := least(me, p_user_id);
  high uuid := greatest(me, p_user_id);
  found_row private.friendships;
begin
  if result is not null then
    return result #>> '{}';
  end if;
  if p_user_id is null or p_user_id = me then
    perform private.fail('invalid_input', 'A request goes to somebody else.');
  end if;
  if p_user_id in (select private.listed_block_ids()) then
    perform private.fail('blocked', 'Unblock this user first.');
  end if;
  perform private.lock_pair(p_user_id);
  select f.* into found_row from private.friendships f where f.user_low = low and f.user_high = high;
  if found_row.status = 'accepted' then
    null; -- Nothing to do: friends already.
  elsif found_row.requester = p_user_id then
    -- Both want it, even when the caller once declined.
    update private.friendships f set status = 'accepted', accepted_at = now() where f.user_low = low and f.user_high = high;
    delete from private.declined_requests d where d.requester = p_user_id and d.receiver = me;
  elsif found_row.requester = me and private.may_see(p_user_id) then
    null; -- Asked already.
  else
    -- Also where a request is pending with somebody who hid since: if repeating it cost nothing, the caller could tell
    -- somebody who hides from somebody who left.
    perform private.limit_rate('send_friend_request', 50, '1 day');
    -- Somebody who blocked or hides, and somebody who does not exist, all look like success: the caller cannot tell them apart.
    if private.may_see(p_user_id) then
      insert into private.friendships (user_low, user_high, requester, status)
      values (low, high, me, case when exists (
        select from private.declined_requests d
        where d.requester = me and d.receiver = p_user_id and d.declined_at > now() - interval '30 days'
      ) then 'declined'::private.friendship_status else 'pending' end)
      on conflict do nothing;
    end if;
  end if;
  result := to_jsonb(private.friendship_state(p_user_id));
  if result = to_jsonb('none'::text) then
    result := to_jsonb('outgoing'::text);
  end if;
  return private.store_idempotent_result(p_key, result) #>> '{}';
end
$$;

create or replace function public.export_user_data(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'user', to_jsonb(u),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'dogs', (select coalesce(jsonb_agg(to_jsonb(d) - 'owner' order by d.created_at), '[]') from public.dogs d where d.owner = u.id),
    'friends', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending' else f.status::text end,
        'requested_by_me', f.requester = u.id, 'since', coalesce(f.accepted_at, f.created_at)) order by f.created_at), '[]')
      from private.friendships f join public.users o on o.id = case when f.user_low = u.id then f.user_high else f.user_low end
      where u.id in (f.user_low, f.user_high) and (f.status <> 'declined' or f.requester = u.id) and (f.status = 'accepted' or f.requester <> u.id or not o.hidden)),
    'blocked', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'since', b.created_at) order by b.created_at), '[]')
      from private.listed_blocks(u.id) b join public.users o on o.id = b.blocked),
    'check_ins', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(c.park_id, u.language), 'dog_count', c.dog_count,
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at) order by c.started_at), '[]')
      from public.check_ins c where c.user_id = u.id),
    'reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from public.reviews r where r.author = u.id),
    'live_reports', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'reported_at', l.reported_at) order by l.reported_at), '[]')
      from private.live_reports l where l.reporter = u.id),
    'favourite_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'since', f.created_at) order by f.created_at), '[]')
      from public.favourite_parks f where f.user_id = u.id),
    'submitted_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(p.id, u.language), 'status', p.status, 'created_at', p.created_at) order by p.id), '[]')
      from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = u.id),
    'suggestions', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]') from public.park_suggestions s where s.user_id = u.id),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'receiver_id' - 'sender_id' order by n.created_at), '[]') from public.notifications n where n.receiver_id = u.id and n.is_ready),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id),
    'devices', (select coalesce(jsonb_agg(jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)), '[]') from public.device_tokens d where d.user_id = u.id),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name) order by o.name), '[]')
      from storage.objects o
      where (o.bucket_id = 'users' and o.name >= u.id || '/' and o.name < u.id || '0')
        or (o.bucket_id = 'parks' and o.name in (select x.path from private.photo_uploaders x where x.user_id = u.id)))
  )
  from public.users u where u.id = p_user_id
$$;

-- Views ----------------------------------------------------------------------------------------------------------

-- In the order of their random ids: unordered rows come in the order in which they were written, and the place of an
-- anonymous review between two others with a time would tell its time.
create or replace view public.park_reviews with (security_barrier) as
  select r.id, r.park_id, r.title, r.content, r.rank, r.anonymous,
    case when shown.author then u.id end as author_id,
    case when shown.author then u.name end as author_name,
    shown.mine,
    -- The day only: a minute tells who just left the park.
    case when shown.mine then r.created_at else date_trunc('day', r.created_at, 'Asia/Jerusalem') end as created_at,
    case when shown.mine then r.updated_at else date_trunc('day', r.updated_at, 'Asia/Jerusalem') end as updated_at
  from public.reviews r
  join public.parks p on p.id = r.park_id and p.status = 'approved'
  left join public.users u on u.id = r.author
  cross join lateral (
    select coalesce(u.id = (select private.uid()), false) as mine,
      not r.anonymous and (
        u.id is not distinct from (select private.uid())
        or ((not u.hidden or u.id in (select private.known_ids())) and u.id not in (select private.blocked_ids())
          -- A person who is blocked and logs out must not read the name either, and anonymous callers are all alike.
          and ((select private.uid()) is not null or not exists (select from public.blocks b where b.blocker = u.id)))
      ) as author
  ) shown
  where r.hidden_at is null
    -- Reviews without an author stay whoever is blocked: one that disappeared after a block would name its author.
    and (r.anonymous or u.hidden or u.id not in (select private.listed_block_ids()))
  order by r.id;

comment on view public.park_reviews is 'Reviews as readers see them: anonymous ones have no author, and neither have those of hidden users for callers who do not know them, and of users who blocked the caller, or anybody where the caller is anonymous.';

comment on column public.park_reviews.created_at is 'The day only, except for the author; never null';

comment on column public.park_reviews.updated_at is 'The day only, except for the author; never null';

create or replace function public.user_reviews(p_user_id uuid)
returns table (id uuid, park_id bigint, park_name text, title text, content text, rank integer, created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select r.id, r.park_id, private.park_name(r.park_id, private.my_language()), r.title, r.content, r.rank::integer,
    date_trunc('day', r.created_at, 'Asia/Jerusalem'), date_trunc('day', r.updated_at, 'Asia/Jerusalem')
  from public.reviews r join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.author = p_user_id and not r.anonymous and r.hidden_at is null and private.may_see(p_user_id)
  order by 7 desc, r.id
$$;

comment on function public.user_reviews is 'A user''s reviews that carry the name, for whoever may see the user; with their days only.';

comment on table private.rate_limits is 'How often somebody did something in the current window; see private.limit_rate and private.limit_address.';

comment on column private.rate_limits.user_id is 'A user, or the hash of an anonymous caller''s address.';

-- Functions ------------------------------------------------------------------------------------------------------

create function private.limit_subject(p_subject uuid, p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  used integer;
begin
  insert into private.rate_limits as r (user_id, operation) values (p_subject, p_operation)
  on conflict (user_id, operation) do update set
    count = case when r.window_start < now() - p_window then 1 else r.count + 1 end,
    window_start = case when r.window_start < now() - p_window then now() else r.window_start end
  returning r.count into used;
  if used > p_limit then
    perform private.fail('too_many', 'Too many attempts. Try again later.');
  end if;
end
$$;

comment on function private.limit_subject is 'Refuses with too_many when this was done more than p_limit times in p_window in the name of p_subject.';

create or replace function private.limit_rate(p_operation text, p_limit integer, p_window interval) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.limit_subject(auth.uid(), p_operation, p_limit, p_window)
$$;

comment on function private.limit_rate is 'Refuses with too_many when the caller did this more than p_limit times in p_window.';

create function private.limit_address(p_operation text, p_limit integer, p_window interval) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
  address text;
begin
  -- No request over HTTP: an operator or a job.
  if headers is null then
    return;
  end if;
  -- The host writes the address itself; on Supabase, what is in front of it adds the first of these headers.
  address := coalesce(headers ->> 'cf-connecting-ip', btrim(split_part(headers ->> 'x-forwarded-for', ',', -1)), '');
  -- Of IPv6 one person has a whole network.
  if address ~ '^[0-9a-f:]+$' and address like '%:%' then
    begin
      address := network(set_masklen(address::inet, 64))::text;
    exception when invalid_text_representation then
      null;
    end;
  end if;
  perform private.limit_subject(md5('address ' || address)::uuid, p_operation, p_limit, p_window);
end
$$;

comment on function private.limit_address is 'Refuses with too_many when this was done more than p_limit times in p_window from the address of the caller.';

-- RPCs -----------------------------------------------------------------------------------------------------------

create or replace function public.search_users_with_dogs(input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(btrim(regexp_replace(left(search_users_with_dogs.input, 80), '\s+', ' ', 'g')));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  unwanted uuid[] := array_remove(array(select private.blocked_ids()) || private.uid(), null);
  signed_in boolean := private.uid() is not null;
  found_ids uuid[];
begin
  if coalesce(char_length(typed), 0) < 2 then
    return;
  end if;
  if auth.uid() is null then
    perform private.limit_address('search_people', 60, '10 minutes');
  else
    perform private.limit_rate('search_people', 600, '1 hour');
  end if;
  -- Anonymous callers do not find people who have blocked somebody: that one could just log out.
  -- Exact names and beginnings of names first, by index. Only where these are few: similar names.
  found_ids := array(
    (select u.id from public.users u
    where lower(u.name) like pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) order by lower(u.name) limit 40)
    union
    (select u.id from public.users u
    where lower(u.name) like '% ' || pattern || '%' and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) limit 40)
    union
    (select d.owner from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id))
    where d.deleted_at is null and lower(d.name) like pattern || '%' and d.owner <> all (unwanted) order by lower(d.name) limit 40)
  );
  if cardinality(found_ids) < 20 and char_length(typed) > 2 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.4', true);
    found_ids := found_ids || array(
      select near.id from (
        (select u.id, extensions.word_similarity(typed, lower(u.name)) as likeness
        from public.users u
        where typed operator(extensions.<%) lower(u.name) and not u.hidden and u.id <> all (unwanted)
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id)) limit 2000)
        union all
        (select d.owner, extensions.word_similarity(typed, lower(d.name))
        from public.dogs d join public.users u on u.id = d.owner and not u.hidden
      and (signed_in or not exists (select from public.blocks b where b.blocker = u.id))
        where d.deleted_at is null and typed operator(extensions.<%) lower(d.name) and d.owner <> all (unwanted) limit 2000)
      ) near
      order by near.likeness desc, near.id limit 40
    );
  end if;
  return query
    select u.id, u.name, private.dogs_of(u.id)
    from public.users u
    where u.id = any (found_ids)
    order by greatest(
      private.name_similarity(typed, lower(u.name)) + 0.01,
      (select max(private.name_similarity(typed, lower(d.name))) from public.dogs d where d.owner = u.id and d.deleted_at is null)
    ) desc, u.name, u.id
    limit 20;
end
$$;

comment on function public.search_users_with_dogs is 'People by their own or their dogs'' names, best first, at most 20; never hidden or blocked ones, nor the caller. From two characters on; limited per user, and per address for anonymous callers.';
