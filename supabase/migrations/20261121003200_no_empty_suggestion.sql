-- A user's update of a park that changes nothing writes nothing: one request would have rewritten every park.

create or replace function private.turn_update_into_suggestion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.role() is distinct from 'authenticated' then
    return new;
  end if;
  if (new.size, new.materials, new.shade, new.has_facilities) is not distinct from (old.size, old.materials, old.shade, old.has_facilities) then
    return null;
  end if;
  if old.status = 'pending' and old.id in (select private.submitted_park_ids()) then
    return new;
  end if;
  perform private.add_suggestion(old.id,
    case when new.size is distinct from old.size then new.size end,
    case when new.materials is distinct from old.materials then new.materials end,
    case when new.shade is distinct from old.shade then new.shade end,
    case when new.has_facilities is distinct from old.has_facilities then new.has_facilities end);
  return old;
end
$$;
