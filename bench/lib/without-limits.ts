// Lets a few users send as many requests as a large user base: attempts are counted, but reset immediately.

/** SQL for a benchmark's own database. */
export const WITHOUT_LIMITS = `
  create function private.forget_attempts() returns trigger language plpgsql as $$ begin new.count := 1; return new; end $$;
  create trigger forget_attempts before insert or update on private.rate_limits
    for each row execute function private.forget_attempts()`;
