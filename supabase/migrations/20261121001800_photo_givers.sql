-- Supabase's storage writes the row of an upload with the service's rights, and so does whoever has a signed upload link:
-- who gave a photo stands in the row's owner_id there, and only on the one-machine host in the token as well.

create or replace function private.keep_park_photos() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  of_park bigint;
  giver uuid;
begin
  if tg_op <> 'INSERT' and old.bucket_id = 'parks' then
    update public.parks p set primary_photo = null where p.primary_photo = old.name and p.id = (regexp_match(old.name, '^(\d{1,18})/'))[1]::bigint;
    delete from public.park_photos f where f.path = old.name;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id = 'parks' then
    of_park := (regexp_match(new.name, '^(\d{1,18})/(?:primary|other)/[^/]+$'))[1]::bigint;
    giver := coalesce(auth.uid(), case when new.owner_id ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then new.owner_id::uuid end);
    if not exists (select from public.parks p where p.id = of_park) then
      return null;
    end if;
    if new.name like '%/primary/%' then
      update public.parks p set primary_photo = new.name where p.id = of_park;
    else
      insert into public.park_photos (path, park_id, status)
      values (new.name, of_park, case when giver is null then 'approved'::public.park_status else 'pending' end)
      on conflict do nothing;
      if giver is not null then
        insert into private.photo_uploaders (path, user_id)
        select new.name, u.id from public.users u where u.id = giver
        on conflict do nothing;
      end if;
    end if;
  end if;
  return null;
end
$$;
