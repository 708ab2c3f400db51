-- Users at the desk: search, history, sanctions.

create function private.require_power_over(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_decide('user', p_user_id) then
    perform private.fail('not_allowed', 'Only an administrator can sanction a moderator, and no user can sanction themself.', '42501');
  end if;
end
$$;

create function public.desk_users(p_search text)
returns table (id uuid, name text, joined date, role public.role, reports integer, limited boolean)
language plpgsql volatile security definer set search_path = '' as $$
declare
  typed text := private.fold_text(left(p_search, 80));
  found_ids uuid[];
  -- A variable, so that it is evaluated once instead of for each user found.
  barred uuid[] := array(select b.author from private.barred_authors(private.uid()) b where b.type = 'user');
begin
  perform private.require_role();
  -- Two queries, because each can use its own index; with "or", neither index would be used.
  found_ids := array(
    select a.id from auth.users a where a.id = private.to_uuid(p_search)
    union all
    select a.id from auth.users a
      where lower(a.email collate "C") = lower(normalize(btrim(p_search), nfc) collate "C"));
  if typed <> '' then
    found_ids := found_ids || array(
      select u.id from public.users u where private.fold_text(u.name) like typed || '%'
      order by private.fold_text(u.name) using ~<~, u.id limit 30);
    -- Searches inside names only if fewer than 30 names start with the search text.
    if cardinality(found_ids) < 30 then
      found_ids := found_ids || array(select u.id from public.users u where private.fold_text(u.name) like '%' || typed || '%' limit 30);
    end if;
  end if;
  return query
    select u.id, u.name, private.park_day(u.created_at), r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id and x.user_id <> all (barred)),
      exists (select from private.sanctions_in_force(u.id) m where m.shown)
    from public.users u left join public.user_roles r on r.user_id = u.id cross join lateral private.fold_text(u.name) f (name)
    where u.id = any (found_ids)
    order by f.name = typed desc, starts_with(f.name, typed) desc, f.name, u.id limit 30;
  perform private.audit('search_users');
end
$$;
comment on function public.desk_users is
  'Users by a part of the name, the whole email address, or the ID, including hidden users. The search is recorded in the audit log.';

create function public.desk_user(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  details jsonb;
begin
  perform private.require_role();
  details := (
    select jsonb_build_object('id', u.id, 'name', u.name, 'joined', private.park_day(u.created_at), 'role', r.role,
      'dogs', (select count(*) from public.dogs d where d.owner = u.id and d.deleted_at is null),
      'reports', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'at', x.created_at, 'resolved_at',
          x.resolved_at) order by x.created_at desc), '[]')
        from private.user_reports x where x.user_id = u.id and private.may_decide('user', u.id)),
      'history', private.user_history(u.id),
      'may_act', private.may_decide('user', u.id),
      'second_factor', private.my_role() = 'administrator' and r.role is null
        and exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'))
    from public.users u left join public.user_roles r on r.user_id = u.id where u.id = p_user_id);
  perform private.audit('view_user', private.item_name('user', p_user_id::text));
  return details;
end
$$;

create function public.desk_impose_sanction(
  p_type text, p_id text, p_sanction public.sanction, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  me uuid := private.require_role();
  item private.waiting_item;
  sanction public.sanction := p_sanction;
  ends_at timestamptz := p_until;
  sanction_id uuid;
  decision_id uuid;
begin
  perform private.enter_desk(p_alone => false);
  -- Locks in the same order as all decisions, because undoing a sanction locks the user's row before the claim.
  perform private.lock_items(p_type, array[p_id]);
  select i.* into item from private.waiting_items(array[p_type], array[p_id]) i;
  if item.id is null and p_type = 'user' then
    -- A user who was not reported has no item, so the values come from public.users.
    select u.id::text, null, u.id, true into item.id, item.park_id, item.author, item.author_shown
    from public.users u where u.id = private.to_uuid(p_id);
  end if;
  if item.author is null then
    perform private.fail('nobody_there', case p_type when 'user' then 'The account was deleted, or has not confirmed its email yet.'
      else 'The item has no author, or the account was deleted.' end);
  end if;
  -- Skipped for an anonymous review, because an error would reveal that a member of the desk wrote it.
  if item.author_shown then
    perform private.require_power_over(item.author);
  end if;
  if p_sanction is null or p_reason is null or p_until <= now() or (p_sanction = 'suspend' and p_until is null)
    or (p_sanction in ('warn', 'ban') and p_until is not null) then
    perform private.fail('invalid_input', 'A sanction has a reason; a suspension ends in the future; a warning and a ban have no end.');
  end if;
  if not private.claim_item(p_type, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  decision_id := private.begin_decision(p_type, item.id, item.park_id, case when item.author_shown then item.author end,
    p_sanction::text, p_reason, me);
  -- An author who is unknown to the moderator may be a member of the desk. In that case the sanction becomes a warning: a ban would
  -- lock the member out, and an error would reveal the author.
  if not private.may_decide('user', item.author) then
    sanction := 'warn';
    ends_at := null;
  end if;
  insert into private.sanctions (user_id, sanction, reason, until, shown)
  values (item.author, sanction, p_reason, ends_at, item.author_shown) returning id into sanction_id;
  if p_type = 'user' then
    perform private.notify_reporters(p_type, array_agg(r.reporter), array_agg(null::bigint), null)
    from private.open_reports(p_type, array[item.id]) r having count(*) > 0;
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.type = p_type and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('sanction', null, item.author, jsonb_strip_nulls(jsonb_build_object('sanction', sanction, 'reason', p_reason,
    'until', ends_at)));
  perform private.add_job('desk-mail', 'sanction ' || sanction_id, jsonb_build_object('user_id', item.author, 'sanction_id', sanction_id),
    item.author, interval '7 days');
  perform private.audit_decisions(array[decision_id]);
  return decision_id;
end
$$;
comment on function public.desk_impose_sanction is
  'Imposes a sanction on a user: the one with this ID (type user), or the author of an item, known or not. Returns the ID of the '
  'decision; undoing it revokes the sanction.';

create function public.desk_revoke_sanction(p_sanction_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  sanctioned uuid;
begin
  perform private.require_role();
  select m.user_id into sanctioned from private.sanctions m where m.id = p_sanction_id and m.shown and m.revoked_at is null for update;
  if sanctioned is null then
    return false;
  end if;
  perform private.require_power_over(sanctioned);
  update private.sanctions m set revoked_at = now() where m.id = p_sanction_id;
  perform private.audit('revoke', private.item_name('user', sanctioned::text), jsonb_build_object('sanction', p_sanction_id));
  return true;
end
$$;

create function public.desk_revoke_sanctions(p_user_id uuid) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  revoked integer;
begin
  update private.sanctions m set revoked_at = now() where m.user_id = p_user_id and m.revoked_at is null and m.sanction <> 'warn';
  get diagnostics revoked = row_count;
  update auth.users a set banned_until = null where a.id = p_user_id and a.banned_until > now();
  revoked := revoked + case when found then 1 else 0 end;
  perform private.audit('revoke', private.item_name('user', p_user_id::text));
  return revoked;
end
$$;
comment on function public.desk_revoke_sanctions is
  'For operators: revokes every pause, suspension and ban of a user, including those that are hidden from moderators.';

grant execute on function
  public.desk_users(text),
  public.desk_user(uuid),
  public.desk_impose_sanction(text, text, public.sanction, public.decision_reason, timestamptz),
  public.desk_revoke_sanction(uuid)
to authenticated, service_role;

grant execute on function public.desk_revoke_sanctions(uuid) to service_role;
