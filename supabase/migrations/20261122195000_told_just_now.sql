-- Reports that come in bursts read the whole queue once, and not each time.

-- desk.sql
create or replace function private.tell_desk() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  member record;
  told integer := 0;
begin
  for member in
    -- Read once for all of them: thousands of items may wait, and dozens of people be told of them.
    with items as materialized (
      select i.kind, i.author, i.since, i.urgent, i.kind in ('person', 'review', 'photo_report')
        and exists (select from public.user_roles r where r.user_id = i.author) as of_member
      from private.desk_items i
    )
    select r.user_id, r.told_at, waiting.* from public.user_roles r
    cross join lateral (
      select count(*) as items, max(i.since) as newest, max(i.since) filter (where i.urgent) as newest_urgent,
        floor(extract(epoch from now() - min(i.since)) / 3600)::integer as hours
      from items i
      -- A number that counts what is not in their queue would tell them that they were reported.
      where not i.of_member or private.may_decide(i.kind, i.author, r.user_id)
    ) waiting
    -- Where everybody was told just now nothing is read at all: reports may come in bursts.
    where r.told_at < now() - interval '15 minutes' and not private.is_limited(r.user_id) for update of r skip locked
  loop
    if member.newest_urgent > member.told_at
      or (member.newest > member.told_at and member.told_at < now() - interval '6 hours') then
      update public.user_roles r set told_at = now() where r.user_id = member.user_id;
      delete from public.notifications n where n.receiver_id = member.user_id and n.type = 'deskWaiting' and n.seen_at is null;
      perform private.notify('deskWaiting', null, member.user_id, jsonb_build_object('waiting', member.items, 'hours', member.hours));
      perform private.add_job('desk-mail', 'waiting ' || member.user_id, jsonb_build_object('user_id', member.user_id), member.user_id, interval '1 day');
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;
comment on function private.tell_desk is 'Tells each moderator what came since they were told last, of what they may decide: of urgent things after 15 minutes at the earliest, of others after 6 hours. Run every 15 minutes, and when something urgent comes.';
