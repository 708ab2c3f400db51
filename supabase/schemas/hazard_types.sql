-- Types of hazards and their durations.

create type public.park_hazard as enum ('poison', 'glass', 'looseDog', 'caterpillars', 'ticks', 'awns', 'brokenFence', 'noWater',
  'kennelCough', 'stomachBug', 'parvovirus');

create function private.hazard_types() returns table (hazard public.park_hazard, lasts interval, is_illness boolean, is_severe boolean)
language sql immutable set search_path = '' as $$
  values ('looseDog'::public.park_hazard, interval '3 hours', false, true),
    ('noWater', '2 days', false, false),
    ('poison', '3 days', false, true),
    ('glass', '3 days', false, true),
    ('brokenFence', '7 days', false, false),
    ('kennelCough', '14 days', true, false),
    ('stomachBug', '14 days', true, false),
    ('parvovirus', '14 days', true, false),
    ('awns', '30 days', false, false)
$$;
comment on function private.hazard_types is
  'Hazards with their own lifetime, illnesses (reported only by users who were there), and hazards whose notifications are severe. All '
  'others last 14 days.';

create function private.hazard_duration(p_hazard public.park_hazard) returns interval
language sql immutable set search_path = '' as $$
  select coalesce((select k.lasts from private.hazard_types() k where k.hazard = p_hazard), interval '14 days')
$$;
