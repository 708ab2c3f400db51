-- The search answers one value, so that a request that fails on purpose neither escapes the counting nor reads rows in its error;
-- and what one person can write again and again has its end.

drop function public.search_users_with_dogs(text);
create function private.find_people(p_input text) returns table (id uuid, name text, dogs jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_input, 80)));
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
comment on function private.find_people is 'People by their own or their dogs'' names, best first, at most 20; never hidden or blocked ones, nor the caller. From two characters on; limited per user, and per address for anonymous callers.';

create function public.search_users_with_dogs(input text) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  -- One value and no rows: a request can choose and cast columns of rows so that it fails, which would undo the counting and
  -- tell the rows in its error.
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') from private.find_people(input) f
$$;
comment on function public.search_users_with_dogs is 'See private.find_people: [{id, name, dogs}].';
grant execute on function public.search_users_with_dogs(text) to anon, authenticated;

create or replace function private.check_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Without a caller it is the seed or an operator who writes: they are trusted.
  if auth.uid() is not null then
    perform private.require_consent();
    -- save_review inserts over what is there: the insert has been counted, the update that it becomes is not another one.
    if tg_op = 'INSERT' or current_setting('packpark.review', true) is distinct from pg_current_xact_id()::text then
      perform private.limit_action(new.author, 'review');
    end if;
    if tg_op = 'INSERT' then
      perform private.require_park(new.park_id);
      perform set_config('packpark.review', pg_current_xact_id()::text, true);
      new.standing := private.standing_at(new.author, new.park_id);
    end if;
  end if;
  return new;
end
$$;

create or replace function private.limit_dogs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The policy refuses to write for others.
  if new.owner is distinct from coalesce(auth.uid(), new.owner) then
    return new;
  end if;
  -- Parallel inserts would each count without the others.
  perform pg_advisory_xact_lock(hashtextextended('dogs:' || new.owner, 0));
  if (select count(*) from public.dogs d where d.owner = new.owner and d.deleted_at is null) >= private.most_dogs() then
    perform private.fail('too_many', format('A profile has room for %s dogs.', private.most_dogs()));
  end if;
  -- Deleted ones stay for a while: adding and deleting in turns must not fill the disk.
  if auth.uid() is not null then
    perform private.limit_rate('add_dog', 100, '1 day');
  end if;
  return new;
end
$$;

create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  delete from public.check_ins c where c.planned and c.expires_at < now();
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from private.fact_answers a where a.answered_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Of what was decided: the copies for undoing, the files of rejected photos, and then the decision itself.
  delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id and d.decided_at < now() - interval '30 days';
  perform private.move_photo(f.path, null) from public.park_photos f
  where f.status = 'rejected' and not exists (
    select from private.desk_decisions d where d.kind = 'photo' and d.item_id = f.path and d.decided_at > now() - interval '30 days');
  delete from private.desk_decisions d where d.decided_at < now() - interval '1 year';
  delete from private.desk_claims c where c.expires_at < now();
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  -- No device repeats what it sent a thousand commands ago; a program that sends keys without end fills no disk.
  delete from private.idempotency_keys k using (
    select n.user_id, n.key, row_number() over (partition by n.user_id order by n.created_at desc, n.key) as place from private.idempotency_keys n
  ) ranked
  where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000;
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
