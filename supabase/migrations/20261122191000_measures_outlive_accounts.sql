-- A measure outlives the account: it holds for whoever comes back with the same email.

-- measures.sql
create table private.kept_measures (
  id uuid primary key default gen_random_uuid(),
  salt uuid not null,
  email_hash bytea not null,
  measure public.measure not null,
  reason public.decision_reason not null,
  until timestamptz,
  shown boolean not null,
  taken_at timestamptz not null,
  remove_at timestamptz not null
);
comment on table private.kept_measures is 'What was in force about somebody when their account went, so that it holds for whoever comes back with the same email; it is in private.measures again from then on.';
comment on column private.kept_measures.email_hash is 'private.salted_hash of the email, which is stored nowhere.';
comment on column private.kept_measures.remove_at is 'When the measure ends, or one year after the account did.';
alter table private.kept_measures enable row level security;

-- Without rights and a search_path of its own it becomes part of the statement that asks it.
create function private.measures_in_force(p_user_id uuid) returns setof private.measures
language sql stable
as $$
  select m.* from private.measures m
  where m.user_id = p_user_id and m.measure <> 'warn' and m.lifted_at is null and coalesce(m.until, 'infinity') > now()
$$;
comment on function private.measures_in_force is 'What limits, suspends or bans a person now.';

create or replace function private.is_limited(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.measures_in_force(p_user_id))
$$;

create or replace function private.apply_measures() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  person uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  ends timestamptz;
begin
  select max(coalesce(m.until, now() + interval '100 years')) into ends
  from private.measures_in_force(person) m where m.measure in ('suspend', 'ban');
  -- Not infinity: the platform's auth service cannot read it.
  update auth.users a set banned_until = ends where a.id = person and a.banned_until is distinct from ends;
  return null;
end
$$;

create function private.salted_hash(p_salt uuid, p_text text) returns bytea
language sql immutable set search_path = ''
as $$
  select sha256(uuid_send(p_salt) || convert_to(lower(p_text), 'utf8'))
$$;

create function private.keep_measures() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  salt uuid := gen_random_uuid();
begin
  insert into private.kept_measures (salt, email_hash, measure, reason, until, shown, taken_at, remove_at)
  select salt, private.salted_hash(salt, a.email), m.measure, m.reason, m.until, m.shown, m.taken_at,
    least(coalesce(m.until, 'infinity'), now() + interval '1 year')
  from private.measures_in_force(old.id) m join auth.users a on a.id = m.user_id
  where a.email is not null;
  return old;
end
$$;
comment on function private.keep_measures is 'Whichever half of an account goes first: with the other one there is nothing left to keep.';
create trigger keep_measures before delete on public.users for each row execute function private.keep_measures();
create trigger keep_measures before delete on auth.users for each row execute function private.keep_measures();

create function private.return_measures() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with returned as (
    delete from private.kept_measures k using auth.users a
    where a.id = new.id and k.email_hash = private.salted_hash(k.salt, a.email) and k.remove_at > now()
    returning k.*
  )
  insert into private.measures (user_id, measure, reason, until, shown, taken_at)
  select new.id, r.measure, r.reason, r.until, r.shown, r.taken_at from returned r;
  return null;
end
$$;
comment on function private.return_measures is 'For an account whose email was proved, where the site asks for that: the public half is made then. Nobody else''s typing of it takes a measure away.';
create trigger return_measures after insert on public.users for each row execute function private.return_measures();

-- desk.sql
create or replace function public.desk_people(p_search text)
returns table (id uuid, name text, joined date, role public.role, reports integer, limited boolean)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_search, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  found_ids uuid[];
begin
  perform private.require_role();
  perform private.audit('search_people');
  -- Each by its own index; together with "or" none of them would be used.
  found_ids := array(
    select a.id from auth.users a where a.id = private.to_uuid(p_search)
    union all
    select a.id from auth.users a where lower(a.email) = lower(btrim(p_search)));
  if typed <> '' then
    found_ids := found_ids || array(
      select u.id from public.users u where lower(u.name) like pattern || '%' order by lower(u.name) using ~<~, u.id limit 30);
    -- Only where those whose name begins with it are few.
    if cardinality(found_ids) < 30 then
      found_ids := found_ids || array(select u.id from public.users u where lower(u.name) like '%' || pattern || '%' limit 30);
    end if;
  end if;
  return query
    select u.id, u.name, (u.created_at at time zone 'Asia/Jerusalem')::date, r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id and private.may_decide('person', u.id)),
      exists (select from private.measures_in_force(u.id) m where m.shown)
    from public.users u left join public.user_roles r on r.user_id = u.id
    where u.id = any (found_ids)
    order by lower(u.name) = typed desc, starts_with(lower(u.name), typed) desc, lower(u.name), u.id limit 30;
end
$$;

-- retention.sql
create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Before the others are ended, so that the index of open visits finds them.
  delete from public.check_ins c where c.planned and c.ended_at is null and c.expires_at < now();
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from private.fact_answers a where a.answered_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from private.cancelled_meetings c where not private.is_meeting_open(c.meet_at);
  delete from public.reviews r where r.remove_at < now();
  delete from private.kept_measures k where k.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Of what was decided: the copies for undoing, the files of rejected photos, and then the decision itself.
  delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id and d.decided_at < now() - interval '30 days';
  delete from private.desk_moves m using private.desk_decisions d where d.id = m.decision_id and d.decided_at < now() - interval '30 days';
  perform private.move_photo(f.path, null) from public.park_photos f
  where f.status = 'rejected' and not exists (
    select from private.desk_decisions d
    where d.decided_at > now() - interval '30 days' and ((d.kind in ('photo', 'photo_report') and d.item_id = f.path)
      or (d.kind = 'hazard' and d.item_id in (select h.report_id::text from private.hazard_photos h where h.path = f.path))));
  delete from private.desk_decisions d where d.decided_at < now() - interval '1 year';
  delete from private.desk_claims c where c.expires_at < now();
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  -- No device repeats what it sent a thousand commands ago; a program that sends keys without end fills no disk.
  delete from private.idempotency_keys k using (
    select n.user_id, n.key, row_number() over (partition by n.user_id order by n.created_at desc, n.key) as place from private.idempotency_keys n
    where n.user_id in (select m.user_id from private.idempotency_keys m group by m.user_id having count(*) > 1000)
  ) ranked
  where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000;
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
