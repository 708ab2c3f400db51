-- A user keeps the ten devices that registered last: one request could have registered ten thousand.

create function private.limit_devices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.device_tokens d using (
    select t.device_id, row_number() over (partition by t.user_id order by t.updated_at desc, t.device_id) as place
    from public.device_tokens t where t.user_id in (select i.user_id from inserted i)
  ) ranked
  where ranked.device_id = d.device_id and ranked.place > 10;
  return null;
end
$$;
create trigger limit_devices after insert on public.device_tokens
  referencing new table as inserted for each statement execute function private.limit_devices();
