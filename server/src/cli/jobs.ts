// `packpark jobs list|retry|drop`: lists the jobs in the queue and the dead letters.
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { printable } from '#/cli/printable.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { readSettings } from '#/product/settings.ts';

interface JobType {
  type: string;
  running: number;
  failing: number;
  waiting: number;
  next: Date;
  error: string | null;
}

interface DeadLetter {
  id: string;
  type: string;
  failed_at: Date;
  attempts: number;
  error: string;
  user_id: string | null;
}

const minute = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ');

async function list(client: pg.Client): Promise<void> {
  const { rows: types } = await client.query<JobType>(
    `select type, count(*) filter (where lease is not null)::integer as running,
       count(*) filter (where lease is null and error is not null)::integer as failing,
       count(*) filter (where lease is null and error is null)::integer as waiting,
       min(due_at) as next, max(error) as error
     from private.jobs where failed_at is null group by type order by type`,
  );
  for (const { type, next, error, ...counts } of types) {
    const states = Object.entries(counts).filter(([, count]) => count > 0);
    const summary = states.map(([state, count]) => `${count} ${state}`).join(', ');
    const reason = error === null ? '' : `: ${printable(error)}`;
    console.log(`${type.padEnd(16)}${summary}, next at ${minute(next)}${reason}`);
  }
  const { rows: letters } = await client.query<DeadLetter>(
    `select id, type, failed_at, attempts, error, user_id from private.jobs where failed_at is not null order by id`,
  );
  console.log(
    letters.length === 0 ? 'There are no dead letters.' : `Dead letters (${letters.length}):`,
  );
  for (const { id, type, failed_at, attempts, error, user_id } of letters) {
    const whose = user_id === null ? '' : ` for ${user_id}`;
    console.log(
      `${id}  ${type}${whose}, given up at ${minute(failed_at)} after ${attempts} attempts: ${printable(error)}`,
    );
  }
}

const ACTIONS: Record<string, { sql: string; done: string }> = {
  retry: {
    // A retried job expires after a day, which is enough to repair a mail server. If the job has become obsolete by then, its
    // runner detects it.
    sql: `with retried as (
        update private.jobs set failed_at = null, error = null, attempts = 0, lost_leases = 0, due_at = now(),
          expires_at = now() + interval '1 day' where failed_at is not null and ($1 or id = any ($2)) returning id, type
      ) select id, pg_notify('jobs', type) from retried order by id`,
    done: 'Retrying',
  },
  drop: {
    sql: 'delete from private.jobs where failed_at is not null and ($1 or id = any ($2)) returning id',
    done: 'Dropped',
  },
};

export const command: Command = {
  summary: 'list queued jobs and dead letters, and retry or drop these',
  help: `
Usage: npx packpark jobs list
       npx packpark jobs retry ID...   retries dead letters, or all of them ("all")
       npx packpark jobs drop ID...    deletes dead letters, or all of them ("all")

Mails, pushes and recurring tasks are jobs of one queue. A job that fails is retried after a pause. A job that
failed permanently or expired is a dead letter for 30 days.`,
  async run({ positionals: [action = '', ...ids] }) {
    const settings = readSettings(process.env);
    if (action === 'list') return withDatabase(settings, list);
    const chosen = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!chosen || ids.length === 0)
      throw new StartError('Name the action: packpark jobs list, retry ID or drop ID.');
    const all = ids.length === 1 && ids[0] === 'all';
    const wrong = all ? undefined : ids.find((id) => !/^\d{1,18}$/.test(id));
    if (wrong !== undefined)
      throw new StartError(`${wrong} is not the number of a job: see "packpark jobs list".`);
    await withDatabase(settings, async (client) => {
      const { rows } = await client.query<{ id: string }>(chosen.sql, [all, all ? [] : ids]);
      const done = rows.map(({ id }) => id);
      for (const id of done) console.log(`${chosen.done} ${id}`);
      console.log(`${chosen.done} ${done.length} jobs.`);
      const unknown = all ? undefined : ids.find((id) => !done.includes(id));
      if (unknown !== undefined)
        throw new StartError(
          `There is no dead letter with the number ${unknown}: see "packpark jobs list".`,
        );
    });
  },
};
