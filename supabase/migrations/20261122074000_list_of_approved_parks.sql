-- A park that somebody submits is in no list yet: the lists are not published anew for it.

create or replace function private.mark_park_list_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'parks' then
    if not exists (
      select from after a join before b using (id)
      where (a.status, a.lat, a.long) is distinct from (b.status, b.lat, b.long)
    ) then
      return null;
    end if;
  elsif tg_op in ('INSERT', 'UPDATE') then
    if not exists (select from changed c join public.parks p on p.id = c.park_id where p.status = 'approved') then
      return null;
    end if;
  elsif tg_op = 'DELETE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into private.park_list_changes default values on conflict (transaction) do update set due_at = excluded.due_at;
  perform pg_notify('park_list', '');
  return null;
end
$$;
