-- A measure locks its item first, as all decisions do: undoing one and taking the next could wait for each other.

create or replace function public.desk_take_measure(
  p_kind text, p_id text, p_measure public.measure, p_reason public.decision_reason, p_until timestamptz default null
) returns uuid
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  me uuid := private.require_role();
  item record;
  measure_id uuid;
  decision_id uuid;
begin
  perform private.enter_desk(false);
  -- As all who decide do first: whoever undoes a measure has the person's row before the claim.
  perform pg_advisory_xact_lock(hashtextextended('desk:' || p_kind || ':' || p_id, 0));
  select i.* into item from private.waiting_item(p_kind, p_id) i;
  if item.id is null and p_kind = 'person' then
    -- From the list of people, without a report.
    select 'person' as kind, u.id::text as id, null::bigint as park_id, u.id as author, true as author_shown into item
    from public.users u where u.id = private.to_uuid(p_id);
  end if;
  if item.author is null then
    perform private.fail('nobody_there', 'There is nobody behind this, or no longer.');
  end if;
  -- A refusal would tell that a moderator wrote an anonymous review.
  if item.author_shown then
    perform private.require_power_over(item.author);
  end if;
  if p_measure is null or p_reason is null or p_until <= now() or (p_measure = 'suspend' and p_until is null)
    or (p_measure in ('warn', 'ban') and p_until is not null) then
    perform private.fail('invalid_input', 'A measure has a reason; a suspension ends at a moment to come, a warning and a ban at none.');
  end if;
  if not private.claim_item(p_kind, p_id, me) then
    perform private.fail('claimed_by_other', 'Another moderator looks at this.');
  end if;
  decision_id := private.begin_decision(item.kind, item.id, item.park_id, case when item.author_shown then item.author end,
    p_measure::text, p_reason, me);
  insert into private.measures (user_id, measure, reason, until, shown)
  values (item.author, p_measure, p_reason, p_until, item.author_shown) returning id into measure_id;
  if p_kind = 'person' then
    perform private.tell_reporters(p_kind, p_id, null, null);
    update private.user_reports x set resolved_at = now() where x.user_id = item.author and x.resolved_at is null;
    delete from private.desk_claims c where c.kind = p_kind and c.id = p_id;
  end if;
  perform set_config('packpark.decision', '', true);
  perform private.notify('measure', null, item.author, jsonb_strip_nulls(jsonb_build_object('measure', p_measure, 'reason', p_reason, 'until', p_until)));
  perform private.add_job('desk-mail', 'measure ' || measure_id, jsonb_build_object('user_id', item.author, 'measure_id', measure_id), item.author, interval '7 days');
  perform private.audit_decision(decision_id);
  return decision_id;
end
$$;
comment on function public.desk_take_measure is 'Acts on a person: the one of this id (kind person), or whoever is behind an item, known or not. Answers the decision''s id; undoing it lifts the measure.';
