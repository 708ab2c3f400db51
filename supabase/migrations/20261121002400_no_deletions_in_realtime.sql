-- Realtime tells of deletions to whoever listens to a table, because policies cannot be asked about a row that is gone.
-- A request that is declined or a user who is blocked takes notifications away: whoever sent the request would hear it.
-- Nothing here listens for deletions, so none are told.

alter publication supabase_realtime set (publish = 'insert, update');
