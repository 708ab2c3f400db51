-- Idempotency keys: a mutation that is sent twice with the same key runs once, because devices repeat requests that got no
-- response.

create table private.idempotency_keys (
  user_id uuid not null,
  key uuid not null,
  operation text not null,
  result jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
comment on table private.idempotency_keys is
  'Results of mutations with a key. A second call with the same key returns the first result and changes nothing.';
alter table private.idempotency_keys enable row level security;

create index on private.idempotency_keys (created_at);

create function private.claim_idempotency_key(p_key uuid, p_operation text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  existing private.idempotency_keys;
begin
  if p_key is null then
    return null;
  end if;
  -- A concurrent second call waits here for the transaction of the first. It then finds the result or, after a rollback, runs the
  -- operation.
  insert into private.idempotency_keys (user_id, key, operation) values ((select auth.uid()), p_key, p_operation)
  on conflict do nothing;
  if found then
    return null;
  end if;
  select * into existing from private.idempotency_keys k where k.user_id = (select auth.uid()) and k.key = p_key;
  if existing.operation is distinct from p_operation then
    perform private.fail('invalid_input', 'This key was already used for something else.');
  end if;
  return existing.result;
end
$$;
comment on function private.claim_idempotency_key is 'The stored result of a key; null if the mutation has to run now.';

create function private.store_idempotent_result(p_key uuid, p_result jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if p_key is not null then
    update private.idempotency_keys k set result = p_result where k.user_id = (select auth.uid()) and k.key = p_key;
  end if;
  return p_result;
end
$$;
comment on function private.store_idempotent_result is 'Stores the result for later calls with the same key, and returns it.';

insert into private.retention (name, run_order, statement) values
  ('idempotency keys: 30 days', 50, $$delete from private.idempotency_keys k where k.created_at < now() - interval '30 days'$$),
  ('idempotency keys: the newest thousand of each user', 55, $$delete from private.idempotency_keys k using (
      select n.user_id, n.key, row_number() over (partition by n.user_id order by n.created_at desc, n.key) as place
        from private.idempotency_keys n
      where n.user_id in (select m.user_id from private.idempotency_keys m group by m.user_id having count(*) > 1000)
    ) ranked
    where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000$$);

insert into private.exports (relation, part, statement) values
  ('private.idempotency_keys', 'recent_commands',
    $$select k.created_at, k.key::text, jsonb_build_object('operation', k.operation, 'created_at', k.created_at)
    from private.idempotency_keys k where k.user_id = $1$$);
