-- Who asked the caller can be blocked and reported, hidden by now or not; and a review that a moderator hid stays hidden
-- when its author deletes it and writes another.

create function private.has_turned_to_me(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- Only what the other one did, and the caller was told with a name: one's own deeds would tell who hides from who blocked.
  select exists (
      select from private.friendships f
      where f.user_low = least(p_user_id, private.uid()) and f.user_high = greatest(p_user_id, private.uid()) and f.requester = p_user_id)
    or exists (select from private.declined_requests d where d.requester = p_user_id and d.receiver = private.uid())
    or exists (select from public.notifications n where n.sender_id = p_user_id and n.receiver_id = private.uid() and n.is_ready)
$$;
comment on function private.has_turned_to_me is 'Whether this user asked, answered or invited the caller.';

create or replace function public.block_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.me();
begin
  perform private.lock_pair(p_user_id);
  -- Whom one does not know, one cannot block: otherwise my_blocks would tell hidden users' names.
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_turned_to_me(p_user_id)) then
    insert into public.blocks (blocker, blocked) values (me, p_user_id) on conflict do nothing;
  end if;
end
$$;

create or replace function public.report_user(p_user_id uuid, p_reason public.report_reason, p_note text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.me();
begin
  perform private.limit_rate('report', 30, '1 day');
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_turned_to_me(p_user_id)) then
    insert into private.user_reports (user_id, reporter, reason, note) values (p_user_id, me, p_reason, left(btrim(p_note), 1000));
  end if;
end
$$;

create table private.hidden_reviews (
  author uuid not null references public.users (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  hidden_at timestamptz not null,
  primary key (author, park_id)
);
comment on table private.hidden_reviews is 'Reviews that were deleted while a moderator had them hidden: the next one of the same author and park starts hidden.';
alter table private.hidden_reviews enable row level security;
create index on private.hidden_reviews (park_id);

create function private.keep_review_hidden() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    -- With its author or its park gone there is nobody to write another.
    insert into private.hidden_reviews (author, park_id, hidden_at)
    select u.id, p.id, old.hidden_at from public.users u, public.parks p
    where u.id = old.author and p.id = old.park_id and old.hidden_at is not null
    on conflict do nothing;
    return null;
  end if;
  new.hidden_at := coalesce(new.hidden_at, (
    select h.hidden_at from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id));
  return new;
end
$$;
create trigger keep_review_hidden before insert on public.reviews for each row execute function private.keep_review_hidden();
create trigger remember_hidden_review after delete on public.reviews for each row execute function private.keep_review_hidden();

create function private.forget_hidden_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.hidden_reviews h where h.author = new.author and h.park_id = new.park_id;
  return null;
end
$$;
create trigger forget_hidden_review after update of hidden_at on public.reviews
  for each row when (new.hidden_at is null and old.hidden_at is not null) execute function private.forget_hidden_review();
