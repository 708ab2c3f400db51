-- Of photos that come into a dog's folder primary at once, the server says which one is the main photo: the last.

-- storage.sql
create or replace function private.set_dog_photo() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  place record;
begin
  for place in
    select distinct path[1]::uuid as owner, path[2]::uuid as dog
    from unnest(array[old.name, new.name]) changed (name)
    cross join lateral regexp_match(changed.name, '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/dogs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/primary/') path
    where path is not null
    order by dog
  loop
    -- Of two changes at once neither would see the other's file: the second waits here, and then sees both.
    perform from public.dogs d where d.id = place.dog and d.owner = place.owner for no key update;
    update public.dogs d set photo = last.name
    from (select (
      select o.name from storage.objects o
      where o.bucket_id = 'users'
        and o.name >= place.owner || '/dogs/' || place.dog || '/primary/' and o.name < place.owner || '/dogs/' || place.dog || '/primary0'
      order by o.updated_at desc, o.name desc limit 1) as name) last
    where d.id = place.dog and d.owner = place.owner and d.photo is distinct from last.name;
  end loop;
  return null;
end
$$;
comment on function private.set_dog_photo is 'A dog''s main photo is the file that came last into its folder primary, by an upload or a move.';
