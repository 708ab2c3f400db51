-- The operator's page of the desk (/desk/site): actions of administrators, alerts by mail, and errors of the app.

create table private.alarms (
  about text primary key,
  notified_at timestamptz not null default now()
);
comment on table private.alarms is 'When administrators were last notified of each problem; no personal data.';
alter table private.alarms enable row level security;

create table private.app_errors (
  type text not null check (type ~ '^[A-Za-z]{1,40}$'),
  version text not null check (version ~ '^[0-9A-Za-z.+-]{1,40}$'),
  day date not null default private.park_day(),
  count integer not null default 1,
  primary key (day, type, version)
);
comment on table private.app_errors is 'How often the app had an unexpected error. Neither messages nor users are stored.';
alter table private.app_errors enable row level security;

create function private.require_recent_login() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  methods text[] := array(
    select p.method from jsonb_to_recordset(coalesce(auth.jwt() -> 'amr', '[]')) p (method text, "timestamp" float8)
    where to_timestamp(p."timestamp") > now() - interval '5 minutes');
begin
  if not 'password' = any (methods) or not methods && '{totp,mfa/phone,recovery_code}' then
    perform private.fail('reauthentication_needed', 'This asks for the password and the second factor once more.');
  end if;
end
$$;
comment on function private.require_recent_login is
  'Rejects callers who have not entered password and second factor within the last five minutes, because a token may be stolen.';

create function private.mail_administrators(p_about text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job('desk-mail', p_about || ' ' || r.user_id, jsonb_build_object('user_id', r.user_id, 'about', p_about), r.user_id,
    interval '1 day')
  from public.user_roles r where r.role = 'administrator' and not private.is_limited(r.user_id)
$$;

create function private.raise_alarm(p_about text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.alarms as a (about) values (p_about)
  on conflict (about) do update set notified_at = now() where a.notified_at < now() - interval '1 day';
  if found then
    perform private.mail_administrators(p_about);
  end if;
end
$$;
comment on function private.raise_alarm is 'Notifies administrators by mail, at most once a day for each problem.';

create function private.watch_site(p_disk_fills boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_disk_fills then
    perform private.raise_alarm('disk');
  end if;
  -- Without any backup, the age counts from the first account.
  if coalesce((select j.done_at from private.jobs j where j.type = 'backup' and j.key = ''), (select min(a.created_at) from auth.users a))
    < now() - interval '2 days' then
    perform private.raise_alarm('backup');
  end if;
  if exists (select from private.waiting_items() w where w.overdue) then
    perform private.raise_alarm('overdue');
  end if;
end
$$;
comment on function private.watch_site is 'Checks the site and notifies administrators of problems. A host calls it every 15 minutes.';

create function private.operator_mail(p_user_id uuid, p_about text)
returns table (email text, language public.language, subject text, lines text[], path text)
language sql stable security definer set search_path = '' as $$
  select a.email::text, u.language, t.said ->> 0, array[t.said ->> 1], '/desk/' || case p_about when 'overdue' then '' when 'own_card' then 'decisions' else 'site' end
  from public.users u join auth.users a on a.id = u.id
  join public.user_roles r on r.user_id = u.id and (r.role = 'administrator' or (p_about = 'own_card' and r.role = 'moderator'))
  cross join lateral (select private.messages(u.language) -> ('operator.' || p_about) as said) t
  where u.id = p_user_id and a.email_confirmed_at is not null
$$;
comment on function private.operator_mail is
  'A mail to an administrator about the site, only to a confirmed email address. For own_card, the host sends it to CONTACT_EMAIL '
  'instead.';

insert into private.retention (name, run_order, statement) values
  ('errors of the app: 30 days', 50, $$delete from private.app_errors e where e.day < private.park_day() - 30$$);

create function public.report_app_error(p_type text, p_version text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_ip_address('report_app_error', 20, '1 hour');
  -- The number of rows per day is limited, because a caller could fill the disk with invented types and versions.
  -- Errors that are in the table already are still counted then.
  if (select count(*) from private.app_errors e where e.day = private.park_day()) < 200 or exists (
    select from private.app_errors e where e.day = private.park_day() and (e.type, e.version) = (p_type, p_version)) then
    insert into private.app_errors as e (type, version) values (p_type, p_version)
    on conflict (day, type, version) do update set count = e.count + 1;
  end if;
end
$$;

create function public.desk_app_errors() returns table (type text, version text, count integer, last_day date)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select e.type, e.version, sum(e.count)::integer, max(e.day) from private.app_errors e
    group by e.type, e.version order by 3 desc, 1, 2 limit 50;
end
$$;

create function public.desk_back_up() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  perform private.limit_rate('desk_back_up', 1, '1 minute');
  perform private.add_job('backup-now', '');
  perform private.audit('back_up');
end
$$;
comment on function public.desk_back_up is 'Requests a backup from the host.';

create function public.desk_allow_download() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  perform private.require_recent_login();
  perform private.mail_administrators('download');
  perform private.audit('download_backup');
end
$$;
comment on function public.desk_allow_download is
  'The host calls it before it sends a backup: rejects the caller, or notifies all administrators and writes to the audit log.';

create function public.desk_send_test_mail() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_role('administrator');
begin
  perform private.limit_rate('desk_send_test_mail', 1, '1 minute');
  perform private.add_job('desk-mail', 'test ' || me, jsonb_build_object('user_id', me, 'about', 'test'), me, interval '10 minutes');
end
$$;
comment on function public.desk_send_test_mail is 'Sends a mail to the caller''s own confirmed email address.';

create function public.desk_remove_factors(p_user_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  address text;
begin
  if private.require_role('administrator') is not null then
    perform private.require_recent_login();
    if exists (select from public.user_roles r where r.user_id = p_user_id) then
      perform private.fail('not_allowed', 'Factors of moderators and administrators are removed by the operator''s command.', '42501');
    end if;
  end if;
  delete from auth.mfa_factors f where f.user_id = p_user_id;
  if not found then
    return false;
  end if;
  delete from auth.sessions s where s.user_id = p_user_id;
  select a.email into address from auth.users a where a.id = p_user_id;
  -- Only the one-machine host sends these mails.
  if address is not null and to_regclass('auth.account_changes') is not null then
    execute $sql$
      with change as (insert into auth.account_changes (user_id, email) values ($1, $2) returning id)
      select private.add_job('send-change-mail', c.id::text, jsonb_build_object('changeId', c.id, 'userId', $1, 'to', $2), $1,
        interval '72 hours') from change c $sql$ using p_user_id, address;
  end if;
  perform private.audit('remove_factors', private.item_name('user', p_user_id::text));
  return true;
end
$$;
comment on function public.desk_remove_factors is
  'For a user who lost their device: removes the second factor and ends all sessions, and notifies the user by mail. Returns false if '
  'there was no second factor.';

create function public.desk_numbers() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  since timestamptz := now() - interval '30 days';
begin
  perform private.require_role('administrator');
  return jsonb_build_object(
    'users', (select count(*) from public.users), 'new_users', (select count(*) from public.users u where u.created_at > since),
    'parks', (select count(*) from public.parks p where p.status = 'approved'), 'new_parks', (select count(*) from public.parks p
      where p.created_at > since),
    'visits', (select count(*) from public.check_ins c where c.started_at > since and c.type = 'visit'),
    'reviews', (select count(*) from public.reviews r where r.created_at > since),
    'live_reports', (select count(*) from private.live_reports l where l.reported_at > since),
    'reports', (
      select count(*)
      from (
        select created_at from private.review_reports union all select created_at from private.user_reports
        union all select created_at from private.photo_reports union all select created_at from private.pack_time_reports
        union all select created_at from private.lost_dog_reports
      ) x where x.created_at > since),
    'decisions', (select count(*) from private.desk_decisions d where d.decided_at > since));
end
$$;
comment on function public.desk_numbers is 'Counts of the last 30 days, and totals of users and parks, without anything about individuals.';

grant execute on function public.report_app_error(text, text) to anon, authenticated;
grant execute on function
  public.desk_numbers(),
  public.desk_app_errors(),
  public.desk_back_up(),
  public.desk_allow_download(),
  public.desk_send_test_mail(),
  public.desk_remove_factors(uuid)
to authenticated, service_role;
