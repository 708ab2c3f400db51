-- Retention of history: each table's own file adds the statement that deletes old rows, and one daily job runs them all. The job
-- also publishes anonymous ranks.

create table private.retention (
  name text primary key,
  run_order smallint not null default 50,
  statement text not null
);
comment on table private.retention is 'The statements that private.reduce_history runs; no personal data.';
comment on column private.retention.run_order is 'Lower numbers run first, because later statements depend on them.';
alter table private.retention enable row level security;

create function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  statement text;
begin
  for statement in select r.statement from private.retention r order by r.run_order, r.name loop
    execute statement;
  end loop;
end
$$;
comment on function private.reduce_history is
  'Runs daily: a host calls it or, on Supabase, pg_cron. After 90 days, only anonymous hourly counts remain of a visit.';
