-- The traits that most dogs at a park have, without revealing their owners.

create table private.park_companies (
  park_id bigint primary key references public.parks (id) on delete cascade,
  slot bigint not null,
  company jsonb
);
comment on table private.park_companies is
  'The last published traits of the dogs at a park. They stay the same for ten minutes, so that nobody can derive the traits of single '
  'dogs from who comes and goes.';
alter table private.park_companies enable row level security;

create function private.min_company() returns integer language sql immutable set search_path = '' as $$ select 9 $$;
comment on function private.min_company is
  'The number of regulars who must be there before traits are published. With fewer, an attacker with four accounts could '
  'subtract their own dogs.';

create function private.min_carriers() returns integer language sql immutable set search_path = '' as $$ select 7 $$;
comment on function private.min_carriers is
  'The number of users who must have a trait before it is published. If one person controls four of them, three others remain.';

create function private.mostly(p_traits jsonb) returns text
language sql immutable set search_path = '' as $$
  -- Each user counts once, regardless of the number of dogs.
  with shares as (
    select t.trait, sum(1.0 / jsonb_array_length(v.value)) as users, count(distinct v.place) as carriers
    from jsonb_array_elements(p_traits) with ordinality v (value, place)
    cross join lateral jsonb_array_elements_text(v.value) t (trait) group by t.trait
  )
  select case when coalesce(jsonb_array_length(p_traits), 0) < private.min_company() then null
    else coalesce((
      select s.trait from shares s
      where s.users * 3 >= jsonb_array_length(p_traits) * 2 and s.carriers >= private.min_carriers()), 'MIXED') end
$$;
comment on function private.mostly is
  'The trait of two thirds of the users, otherwise MIXED; null if there are too few. p_traits has one list per user.';

create function private.how_many(p_carriers bigint, p_users bigint) returns text
language sql immutable set search_path = '' as $$
  select case when p_users < private.min_company() or p_carriers < private.min_carriers() then null
    when p_carriers * 3 >= p_users * 2 then 'MOST' else 'SOME' end
$$;
comment on function private.how_many is 'MOST or SOME of the users have a trait; null if it is not published.';

create function public.park_company(p_park_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  current_slot bigint := floor(extract(epoch from now()) / 600);
  told private.park_companies;
begin
  select * into told from private.park_companies c where c.park_id = p_park_id and c.slot = current_slot;
  if not found then
    insert into private.park_companies as c (park_id, slot, company)
    select p.id, current_slot, (
      select jsonb_strip_nulls(jsonb_build_object('size', private.mostly(jsonb_agg(v.sizes) filter (where v.sizes <> '[]')),
        'energy', private.mostly(jsonb_agg(v.energies) filter (where v.energies <> '[]')),
        'puppies', private.how_many(count(*) filter (where v.has_puppy), count(v.has_puppy))))
      from private.present x
      cross join lateral (
        select coalesce(jsonb_agg(d.size) filter (where d.size is not null), '[]') as sizes,
          coalesce(jsonb_agg(d.energy) filter (where d.energy is not null), '[]') as energies,
          bool_or(d.birthday > now() - interval '1 year') as has_puppy
        from public.check_in_dogs b join public.dogs d on d.id = b.dog_id and d.deleted_at is null where b.check_in_id = x.id
      ) v
      where x.park_id = p.id and x.counted and x.vouched)
    from public.parks p where p.id = p_park_id and p.status = 'approved'
    on conflict (park_id) do update set slot = excluded.slot, company = excluded.company where c.slot < excluded.slot;
    select * into told from private.park_companies c where c.park_id = p_park_id;
  end if;
  return nullif(told.company, '{}');
end
$$;
comment on function public.park_company is
  'Traits of the dogs at a park: {size?, energy?, puppies?}. Size and energy are the trait of most dogs or MIXED, puppies (dogs of '
  'less than a year) is MOST or SOME. Null while too few regulars there have entered them. The value stays the same for ten minutes.';

grant execute on function public.park_company(bigint) to anon, authenticated;
