-- Operator settings that SQL needs: one row, which the host writes when it starts, and a function for each setting.

create table private.site_settings (
  only_row boolean primary key default true check (only_row),
  time_zone text not null default 'Asia/Jerusalem',
  weekend smallint[] not null default '{5,6}' check (weekend <@ '{0,1,2,3,4,5,6}'::smallint[]),
  hour_cycle smallint not null default 24 check (hour_cycle in (12, 24)),
  minimum_age smallint not null default 13 check (minimum_age >= 13),
  languages text[] not null default '{en,he,ar}' check (languages <> '{}')
);
comment on table private.site_settings is 'Set by private.set_site_settings; no personal data.';
comment on column private.site_settings.weekend is 'Days of the week, 0 is Sunday.';
comment on column private.site_settings.languages is 'The offered languages, the default first.';
alter table private.site_settings enable row level security;
insert into private.site_settings default values;

create function private.time_zone() returns text
language sql stable security definer set search_path = '' as $$
  select s.time_zone from private.site_settings s
$$;

create function private.is_weekend(p_day date) returns boolean
language sql stable security definer set search_path = '' as $$
  select extract(dow from p_day)::smallint = any (s.weekend) from private.site_settings s
$$;

create function private.park_time(p_at timestamptz default now()) returns timestamp
language sql stable as $$
  select p_at at time zone private.time_zone()
$$;
comment on function private.park_time is 'The local time at the parks.';

create function private.format_time(p_at timestamptz, p_format text, p_months jsonb) returns text
language sql stable security definer set search_path = '' as $$
  select to_char(private.park_time(p_at),
    replace(case s.hour_cycle when 12 then replace(p_format, 'HH24:MI', 'FMHH12:MI am') else p_format end,
      'Mon', '"' || (p_months ->> extract(month from private.park_time(p_at))::int - 1) || '"'))
  from private.site_settings s
$$;
comment on function private.format_time is
  'Formats a timestamp in the parks'' local time, in a format of to_char. HH24:MI becomes the local clock format, and Mon becomes a name from p_months.';

create function private.park_day(p_at timestamptz default now()) returns date
language sql stable as $$
  select private.park_time(p_at)::date
$$;
comment on function private.park_day is 'The local date at the parks.';

create function private.day_start(p_at timestamptz default now()) returns timestamptz
language sql stable as $$
  select date_trunc('day', p_at, private.time_zone())
$$;
comment on function private.day_start is 'The local midnight before a timestamp. Used if the time of day would reveal too much.';

create function private.set_site_settings(
  p_time_zone text, p_weekend smallint[], p_hour_cycle int default 24, p_minimum_age int default 13,
  p_languages text[] default '{en,he,ar}'
) returns void
language plpgsql set search_path = '' as $$
begin
  if not exists (select from pg_catalog.pg_timezone_names z where z.name = p_time_zone) then
    perform private.fail('unknown_time_zone', format('There is no time zone "%s".', p_time_zone));
  end if;
  -- The time zone cannot change after the first visit, because the hours of visits were counted in it.
  if p_time_zone <> private.time_zone()
    and (exists (select from public.check_ins) or exists (select from private.busy_hours)) then
    perform private.fail('time_zone_is_fixed',
      format('The time zone is %s and cannot change once there are visits.', private.time_zone()));
  end if;
  if p_minimum_age > (select s.minimum_age from private.site_settings s) then
    update private.user_consents set age_confirmed_at = null where age_confirmed_at is not null;
  end if;
  update private.site_settings
  set time_zone = p_time_zone, weekend = p_weekend, hour_cycle = p_hour_cycle, minimum_age = p_minimum_age,
    languages = p_languages;
end
$$;

grant execute on function private.time_zone(), private.park_time(timestamptz), private.park_day(timestamptz), private.day_start(timestamptz)
to anon, authenticated, service_role;

create function private.site_language() returns public.language
language sql stable security definer set search_path = '' as $$
  select s.languages[1]::public.language from private.site_settings s
$$;
comment on function private.site_language is 'The language of users who did not choose one.';
