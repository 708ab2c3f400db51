-- A person's folder has room for 300 photos, and the photos of a deleted dog are listed for its owner only.

create function private.limit_photos() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  folder text := split_part(new.name, '/', 1) || '/';
begin
  -- A photo that replaces itself needs no more room.
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'users' and o.name >= folder and o.name < left(folder, -1) || '0' and o.name <> new.name
  ) >= 300 then
    perform private.fail('too_many', 'There is room for 300 photos.');
  end if;
  return new;
end
$$;
comment on function private.limit_photos is 'At most 300 photos in a person''s folder of the bucket users.';
create trigger limit_photos before insert on storage.objects
  for each row when (new.bucket_id = 'users') execute function private.limit_photos();

create function private.may_see_photo_of_dog(p_owner text, p_dog text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_see_folder_of(p_owner) and (p_owner = private.uid()::text or exists (
    select from public.dogs d
    where d.owner::text = p_owner and d.deleted_at is null
      and d.id = case when p_dog ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_dog::uuid end))
$$;
grant execute on function private.may_see_photo_of_dog(text, text) to authenticated;

alter policy "photos of dogs are listed for whoever sees the owner" on storage.objects
  using (bucket_id = 'users' and private.may_see_photo_of_dog((storage.foldername(name))[1], (storage.foldername(name))[3]));
