-- Reports of photos count among those of the last 30 days.

-- desk.sql
create or replace function public.desk_numbers() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  since timestamptz := now() - interval '30 days';
begin
  perform private.require_role('administrator');
  return jsonb_build_object(
    'people', (select count(*) from public.users), 'new_people', (select count(*) from public.users u where u.created_at > since),
    'parks', (select count(*) from public.parks p where p.status = 'approved'), 'new_parks', (select count(*) from public.parks p where p.created_at > since),
    'visits', (select count(*) from public.check_ins c where c.started_at > since and not c.planned),
    'reviews', (select count(*) from public.reviews r where r.created_at > since),
    'live_reports', (select count(*) from private.live_reports l where l.reported_at > since),
    'reports', (select count(*) from private.review_reports x where x.created_at > since) + (select count(*) from private.user_reports x where x.created_at > since)
      + (select count(*) from private.photo_reports x where x.created_at > since),
    'decisions', (select count(*) from private.desk_decisions d where d.decided_at > since));
end
$$;
comment on function public.desk_numbers is 'Counts of the last 30 days, and of all people and parks; nothing about anybody.';
