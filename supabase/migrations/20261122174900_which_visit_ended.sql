-- A check-out answers the name of the park and the beginning of the visit that it ended.

-- check_ins.sql
create or replace function public.check_out(p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  result jsonb := private.claim_idempotency_key(p_key, 'check_out');
  visit public.check_ins;
begin
  if result is not null then
    return result;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('check_in:' || me, 0));
  delete from public.check_ins c where c.user_id = me and c.ended_at is null and c.planned;
  update public.check_ins c set ended_at = least(c.expires_at, clock_timestamp())
  where c.user_id = me and c.ended_at is null
  returning c.* into visit;
  -- Which visit it was: another device may have switched parks since the caller's screen was told.
  return private.store_idempotent_result(p_key, jsonb_build_object(
    'status', case when visit.id is null then 'not_checked_in' else 'checked_out' end,
    'park_id', visit.park_id,
    'park_name', private.park_name(visit.park_id, private.my_language()),
    'started_at', visit.started_at,
    'offer_review', visit.id is not null and not exists (
      select from public.reviews r where r.author = me and r.park_id = visit.park_id)
  ));
end
$$;
