-- Reviews: one per user and park. The author of an anonymous review is secret.

create table public.reviews (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  author uuid default auth.uid() references public.users (id) on delete cascade,
  title text not null default '' check (char_length(title) <= 120),
  content text not null default '' check (char_length(content) <= 4000),
  rank smallint not null check (rank between 1 and 5),
  public_rank smallint check (public_rank between 1 and 5),
  public_version jsonb,
  anonymous boolean not null default false,
  hidden_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  remove_at timestamptz,
  trust_level public.trust_level not null default 'regular_there',
  unique (author, park_id),
  check ((author is null) = (remove_at is not null))
);
comment on table public.reviews is 'Only the author may read and change a review; others read the view park_reviews.';
comment on column public.reviews.author is 'Null after an anonymous review or the account of its author was deleted.';
comment on column public.reviews.public_rank is
  'The rank that others see and the average counts. That of an anonymous review follows rank once a day, together with all others; '
  'until the first time, it is null and only the author sees the review.';
comment on column public.reviews.public_version is
  'Title, content and updated_at of an anonymous review before its edits since the last daily job, which only the author sees. Null '
  'without such edits.';
comment on column public.reviews.remove_at is
  'When a review without an author is deleted: on the next day, or after its author''s account was deleted at a random time, so that the '
  'review does not disappear together with the account.';
comment on column public.reviews.hidden_at is 'Set by a moderator.';
comment on column public.reviews.trust_level is
  'See private.review_level. It is raised once a day until it is regular_there. Only ranks with newcomer_there and regular_there count.';
alter table public.reviews enable row level security;

create table private.park_ratings (
  park_id bigint primary key references public.parks (id) on delete cascade,
  ranks integer[] not null default '{0,0,0,0,0}',
  review_count integer generated always as (ranks[1] + ranks[2] + ranks[3] + ranks[4] + ranks[5]) stored,
  newcomer_ranks integer[] not null default '{0,0,0,0,0}',
  average_rank numeric(3, 2) generated always as (private.average_rank(ranks, newcomer_ranks)) stored
);
comment on table private.park_ratings is
  'How many reviews that count have each public_rank. A trigger updates it, so that a list of parks need not count reviews.';
comment on column private.park_ratings.newcomer_ranks is 'How many of these ranks are by newcomers.';
alter table private.park_ratings enable row level security;

create table private.hidden_reviews (
  author uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  hidden_at timestamptz not null,
  primary key (author, park_id)
);
comment on table private.hidden_reviews is
  'Reviews that were deleted while a moderator had hidden them. The next review by the same author for the same park is hidden, too.';
alter table private.hidden_reviews enable row level security;

grant select, delete on public.reviews to authenticated;
grant insert (park_id, author, title, content, rank, anonymous), update (title, content, rank,
  anonymous) on public.reviews to authenticated;

create index reviews_of_park on public.reviews (park_id, id);
create index reviews_to_remove on public.reviews (remove_at) where remove_at is not null;
create index on private.hidden_reviews (park_id);

create trigger clean_row before insert or update of title, content on public.reviews
  for each row execute function private.clean_row('title', 'content');

create function private.review_level(p_author uuid, p_park_id bigint) returns public.trust_level
language sql stable security definer set search_path = '' as $$
  select case when e.trust_level = 'regular_there' then e.trust_level when e.has_stayed then 'newcomer_there' else 'newcomer' end
  from private.evidence_at(p_author, p_park_id) e
$$;
comment on function private.review_level is
  'The level with which the rank of a review counts. Only visits that can no longer be undone raise it. Otherwise the average '
  'would change when a visit is undone, which would reveal the author.';

create function private.check_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Without a caller, the seed or an operator writes the review; both are trusted.
  if not new.anonymous or auth.uid() is null then
    new.public_rank := new.rank;
  elsif tg_op = 'INSERT' or not old.anonymous then
    new.public_rank := null;
  end if;
  -- A change that others saw immediately would reveal to observers of the park who has just left it.
  if tg_op = 'UPDATE' then
    new.public_version := case when new.anonymous and old.anonymous and old.public_rank is not null and auth.uid() is not null
      then coalesce(old.public_version, private.pick(to_jsonb(old), 'title', 'content', 'updated_at')) end;
  end if;
  if auth.uid() is not null then
    perform private.require_consent();
    -- If the author already has a review, the insert of save_review becomes an update. The insert was already counted, so the
    -- update is not.
    if tg_op = 'INSERT' or current_setting('packpark.review', true) is distinct from pg_current_xact_id()::text then
      perform private.limit_action(new.author, 'review');
    end if;
    if tg_op = 'INSERT' then
      perform private.require_park(new.park_id);
      perform set_config('packpark.review', pg_current_xact_id()::text, true);
      new.trust_level := private.review_level(new.author, new.park_id);
    end if;
  end if;
  return new;
end
$$;
create trigger check_review before insert or update of title, content, rank, anonymous on public.reviews
  for each row when (current_setting('packpark.undo', true) is distinct from 'on') execute function private.check_review();

create function private.add_rank(p_ranks integer[], p_rank smallint, p_by integer) returns integer[]
language sql immutable set search_path = '' as $$
  select array(select n + case when i = p_rank then p_by else 0 end from unnest(p_ranks) with ordinality u (n, i) order by i)
$$;
comment on function private.add_rank is 'Adds p_by to the count of a rank; does nothing without a rank.';

create function private.count_review() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_park bigint := case when tg_op = 'DELETE' then old.park_id else new.park_id end;
  before_rank smallint := case when tg_op <> 'INSERT' and old.hidden_at is null and old.trust_level in ('newcomer_there', 'regular_there')
    then old.public_rank end;
  after_rank smallint := case when tg_op <> 'DELETE' and new.hidden_at is null and new.trust_level in ('newcomer_there', 'regular_there')
    then new.public_rank end;
  before_newcomer smallint := case when tg_op <> 'INSERT' and old.trust_level = 'newcomer_there' then before_rank end;
  after_newcomer smallint := case when tg_op <> 'DELETE' and new.trust_level = 'newcomer_there' then after_rank end;
begin
  if (before_rank, before_newcomer) is distinct from (after_rank, after_newcomer) then
    -- If deleting a park deletes its reviews, the row of counts has already been deleted.
    insert into private.park_ratings (park_id) select p.id from public.parks p where p.id = of_park on conflict do nothing;
    update private.park_ratings r set
      ranks = private.add_rank(private.add_rank(r.ranks, before_rank, -1), after_rank, 1),
      newcomer_ranks = private.add_rank(private.add_rank(r.newcomer_ranks, before_newcomer, -1), after_newcomer, 1)
    where r.park_id = of_park;
    insert into private.park_list_changes (due_at) values (now() + interval '1 hour') on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger count_review after insert or delete or update of rank, anonymous, public_rank, hidden_at, trust_level on public.reviews
  for each row execute function private.count_review();

-- If a moderator hid a review, deleting it and writing another one does not make it visible.
create function private.record_hidden_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Inserts nothing if the author or the park is being deleted, because no new review can follow.
  insert into private.hidden_reviews (author, park_id, hidden_at)
  select u.id, p.id, old.hidden_at from public.users u, public.parks p
  where u.id = old.author and p.id = old.park_id
  on conflict do nothing;
  return null;
end
$$;
create trigger record_hidden_review after delete on public.reviews
  for each row when (old.hidden_at is not null) execute function private.record_hidden_review();

create function private.hide_resubmitted_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.hidden_at := coalesce(new.hidden_at, (
    select h.hidden_at from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id));
  return new;
end
$$;
create trigger hide_resubmitted_review before insert on public.reviews for each row execute function private.hide_resubmitted_review();

create function private.clear_hidden_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id;
  return null;
end
$$;
create trigger clear_hidden_review after update of hidden_at on public.reviews
  for each row when (new.hidden_at is null and old.hidden_at is not null) execute function private.clear_hidden_review();

create trigger touch_updated_at before update of title, content, rank, anonymous on public.reviews
  for each row execute function private.touch_updated_at();

-- A review that becomes anonymous gets a new ID and date, because readers who saw it with its author's name would recognise the old
-- ones.
create function private.reset_anonymous_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.id := gen_random_uuid();
  new.created_at := now();
  return new;
end
$$;
create trigger reset_anonymous_review before update of anonymous on public.reviews
  for each row when (new.anonymous and not old.anonymous) execute function private.reset_anonymous_review();

-- Anonymous reviews lose their author and are deleted later. If they disappeared together with the account, that would reveal their
-- author.
create function private.detach_anonymous_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.reviews r set author = null, remove_at = now() + random() * interval '30 days'
  where r.author = old.id and r.anonymous;
  return old;
end
$$;
create trigger detach_anonymous_reviews before delete on public.users
  for each row execute function private.detach_anonymous_reviews();

-- The text is deleted immediately. The stars are deleted by the daily job, because an average that changed while a user leaves the park
-- would reveal the author. Until then, a new review by the same author counts too. If it did not, that would also reveal the author.
create function private.defer_removal_of_stars() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.author is distinct from private.uid() then
    return old;
  end if;
  -- Deleting is not an edit, which counts towards the author's quota.
  perform set_config('packpark.undo', 'on', true);
  update public.reviews r set author = null, title = '', content = '', public_version = null,
    remove_at = private.day_start(now() + interval '1 day')
  where r.id = old.id;
  perform set_config('packpark.undo', '', true);
  return null;
end
$$;
create trigger defer_removal_of_stars before delete on public.reviews
  for each row when (old.anonymous and old.hidden_at is null and old.public_rank is not null and old.author is not null)
  execute function private.defer_removal_of_stars();

-- All levels are raised at the same time of day. If an average changed when a user checked in, that would reveal the author of a
-- review.
create function private.raise_review_levels() returns void
language sql volatile security definer set search_path = '' as $$
  update public.reviews r set trust_level = l.level
  from (
    select o.id, private.review_level(o.author, o.park_id) as level from public.reviews o
    where o.author is not null and o.trust_level <> 'regular_there'
  ) l
  where r.id = l.id and l.level in ('newcomer_there', 'regular_there') and r.trust_level is distinct from l.level
    and (l.level = 'regular_there' or r.trust_level <> 'newcomer_there')
$$;
comment on function private.raise_review_levels is
  'Raises the levels of reviews whose authors have stayed at the park since, or have become regulars there. A level is never '
  'lowered.';

create function private.publish_anonymous_reviews() returns void
language sql volatile security definer set search_path = '' as $$
  update public.reviews r set public_rank = r.rank, public_version = null
  where r.anonymous and (r.public_rank is distinct from r.rank or r.public_version is not null) and r.updated_at < private.day_start()
$$;
comment on function private.publish_anonymous_reviews is
  'Publishes the ranks and edits of anonymous reviews of earlier days, in one batch. Otherwise an average that changes while a user '
  'leaves the park would reveal the author.';

create policy "authors see their own reviews" on public.reviews for select to authenticated
  using (author = (select auth.uid()));
create policy "authors write their own reviews" on public.reviews for insert to authenticated
  with check (author = (select auth.uid()));
create policy "authors edit their own reviews" on public.reviews for update to authenticated
  using (author = (select auth.uid())) with check (author = (select auth.uid()));
create policy "authors delete their own reviews" on public.reviews for delete to authenticated
  using (author = (select auth.uid()));
create policy "nothing before the second factor" on public.reviews as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

-- Ordered by random IDs. Without an order, rows come in the order in which they were written, which would reveal the time of an
-- anonymous review.
create view public.park_reviews with (security_barrier) as
  -- Evaluated once instead of for each column that depends on it.
  with me as materialized (
    select private.uid() as id, array(select private.blocked_ids()) as blocked, array(select private.listed_block_ids()) as listed
  )
  select r.id, r.park_id,
    coalesce(shown.version ->> 'title', r.title) as title, coalesce(shown.version ->> 'content', r.content) as content,
    case when shown.mine then r.rank else r.public_rank end as rank, r.anonymous,
    case when shown.author then u.id end as author_id,
    case when shown.author then u.name end as author_name,
    shown.mine,
    -- Only the day is returned, because the time would reveal who has just left the park.
    case when shown.mine then r.created_at else private.day_start(r.created_at) end as created_at,
    case when shown.mine then r.updated_at
      else private.day_start(coalesce((shown.version ->> 'updated_at')::timestamptz, r.updated_at)) end as updated_at,
    case when shown.author and me.id is not null then u.picture end as author_picture
  from me cross join public.reviews r
  join public.parks p on p.id = r.park_id and (p.status = 'approved' or exists (
    select from public.removed_parks f where f.park_id = p.id and f.reason = 'closed'))
  left join public.users u on u.id = r.author
  cross join lateral (
    select coalesce(u.id = me.id, false) as mine,
      case when u.id is distinct from me.id then r.public_version end as version,
      not r.anonymous and (
        u.id is not distinct from me.id
        or ((not u.hidden or u.id in (select private.known_ids())) and u.id <> all (me.blocked)
          -- Anonymous callers never see authors who have blocked anybody, because a blocked user could log out to read the name.
          and (me.id is not null or not exists (select from public.blocks b where b.blocker = u.id)))
      ) as author
    -- `offset 0` makes PostgreSQL evaluate this once per review.
    offset 0
  ) shown
  where r.hidden_at is null and (shown.mine or r.public_rank is not null)
    -- Reviews without an author are shown to all callers. If one disappeared after a block, that would reveal its author.
    and (r.anonymous or u.hidden or u.id <> all (me.listed))
  order by r.id;
comment on view public.park_reviews is
  'Reviews as readers see them; an anonymous one appears on the day after it was written. The author is missing from anonymous reviews, from those of hidden users unless the caller knows them, '
  'and from those of users who blocked the caller, or anybody if the caller is anonymous.';
comment on column public.park_reviews.id is 'never null';
comment on column public.park_reviews.park_id is 'never null';
comment on column public.park_reviews.title is 'never null';
comment on column public.park_reviews.content is 'never null';
comment on column public.park_reviews.rank is 'never null';
comment on column public.park_reviews.anonymous is 'never null';
comment on column public.park_reviews.mine is 'never null';
comment on column public.park_reviews.created_at is 'Only the day, except for the author; never null';
comment on column public.park_reviews.author_picture is 'Null for an anonymous caller.';
comment on column public.park_reviews.updated_at is 'Only the day, except for the author; never null';

grant select on public.park_reviews to anon, authenticated;

create function public.save_review(
  p_park_id bigint, p_title text, p_content text, p_rank integer, p_anonymous boolean default false, p_key uuid default null,
  p_based_on timestamptz default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
  result jsonb := private.claim_idempotency_key(p_key, 'save_review');
  review_id uuid := result #>> '{}';
begin
  if result is null then
    if p_rank is null or p_rank not between 1 and 5 or char_length(p_title) > 120 or char_length(p_content) > 4000 then
      perform private.fail('invalid_input', 'A rank of 1 to 5, at most 120 characters of title and 4000 of text.');
    end if;
    insert into public.reviews as r (park_id, author, title, content, rank, anonymous)
    values (p_park_id, me, btrim(coalesce(p_title, '')), btrim(coalesce(p_content, '')), p_rank, coalesce(p_anonymous, false))
    on conflict (author, park_id) do update
      set title = excluded.title, content = excluded.content, rank = excluded.rank, anonymous = excluded.anonymous
      -- The author does not see a review that a moderator hid, and so does not know its version. Such a review may be overwritten.
      where p_based_on is null or r.updated_at <= p_based_on or r.hidden_at is not null
    returning id into review_id;
    if review_id is null then
      perform private.fail('review_changed', 'There is a newer review than the one that this one was written over.');
    end if;
    perform private.store_idempotent_result(p_key, to_jsonb(review_id));
  end if;
  -- Only the ID is stored with the key, and the row is read again. A stored copy of the text would remain after the review is
  -- deleted.
  return (select to_jsonb(r) from public.park_reviews r where r.id = review_id);
end
$$;
comment on function public.save_review is
  'Returns the row of park_reviews as its author reads it; null if a moderator hid it. p_based_on is the updated_at of the review that '
  'the author saw, 1970 if there was none: a newer one is kept and review_changed is raised, so that a review queued on a device does not '
  'overwrite it. Null overwrites any review.';

create function public.delete_review(p_review_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.reviews r where r.id = p_review_id and r.author = private.require_user()
$$;

create function public.my_reviews()
returns table (id uuid, park_id bigint, park_name text, title text, content text, rank integer, anonymous boolean,
  created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.park_id, private.park_name(r.park_id, private.my_language()), r.title, r.content, r.rank::integer, r.anonymous,
    r.created_at, r.updated_at
  from public.reviews r where r.author = private.uid()
  order by r.created_at desc
$$;

create function public.user_reviews(p_user_id uuid)
returns table (id uuid, park_id bigint, park_name text, title text, content text, rank integer, created_at timestamptz,
  updated_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.park_id, private.park_name(r.park_id, private.my_language()), r.title, r.content, r.rank::integer,
    private.day_start(r.created_at), private.day_start(r.updated_at)
  from public.reviews r join public.parks p on p.id = r.park_id and p.status = 'approved'
  where r.author = p_user_id and not r.anonymous and r.hidden_at is null and private.may_see(p_user_id)
  order by 7 desc, r.id
$$;
comment on function public.user_reviews is
  'A user''s reviews that carry their name, for callers who may see the user. Dates are without the time.';

grant execute on function
  public.delete_review(uuid),
  public.my_reviews(),
  public.user_reviews(uuid),
  public.save_review(bigint, text, text, integer, boolean, uuid, timestamptz)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('trust levels of reviews: raised daily', 30, $$select private.raise_review_levels()$$),
  ('anonymous reviews: published daily', 30, $$select private.publish_anonymous_reviews()$$),
  ('reviews without an author: the day after their deletion, or within 30 days of the account''s', 50, $$delete from public.reviews r where r.remove_at < now()$$);

insert into private.exports (relation, part, statement) values
  ('public.reviews', 'reviews',
    $$select r.created_at, r.id::text, to_jsonb(r) - array['author', 'public_rank'] || jsonb_build_object('park', private.park_name(r.park_id, $2))
    from public.reviews r where r.author = $1$$),
  ('private.hidden_reviews', 'hidden_reviews',
    $$select h.hidden_at, h.park_id::text, jsonb_build_object('park', private.park_name(h.park_id, $2), 'hidden_at', h.hidden_at)
    from private.hidden_reviews h where h.author = $1$$);

insert into private.exports (relation, left_out) values
  ('private.park_ratings', 'counts of all reviews');
