// The job queue: runs the due jobs of private.jobs, each on one host at a time (docs/decisions/queue-in-sql.md).
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#/host/db/database.ts';
import type { Log } from '#/host/lib/log.ts';

export interface Job {
  id: string;
  payload: unknown;
  attempts: number;
}

/**
 * An error of a job whose message is stored for operators. Other errors may contain personal data, so `describeError` stores only
 * their codes.
 */
export class JobError extends Error {
  /** True if a retry would also fail. */
  readonly final: boolean;

  /** @param message for operators, without personal data */
  constructor(message: string, { final = false, ...options }: ErrorOptions & { final?: boolean }) {
    super(message, options);
    this.final = final;
  }
}

interface NewJob {
  /** A later job of the same type and key replaces the earlier one. */
  key: string;
  payload: unknown;
  /** The account that the job concerns. Deleting the account deletes the job. */
  userId?: string;
  /** Seconds after which the job expires. */
  lifetime: number;
}

interface JobRunner {
  /** For a recurring job, which has no payload: seconds between two runs. */
  every?: number;
  /** Maximum number of concurrent jobs on this host; 1 by default. */
  concurrency?: number;
  /** @throws JobError or another error; the job is then retried unless the error is final */
  run(job: Job): Promise<unknown>;
}

/** A running host extends its leases. If a lease expires, the host was killed, and another host runs the job. */
const LEASE_SECONDS = 60;
/** Milliseconds between two attempts to reach the database. */
const RETRY_MS = 250;
/** Milliseconds between two corrections of timestamps that were stored while a clock was wrong. */
const BOUND_TIMES_MS = 60_000;
/** Maximum milliseconds between two checks. Retries that other hosts schedule are not announced by NOTIFY. */
const MAX_PAUSE_MS = 15_000;

/**
 * Returns the part of an error that operators may see. Messages of databases and servers may quote personal data, but their codes
 * do not.
 */
function describeError(error: unknown): string {
  if (error instanceof JobError) return error.message;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `It failed with ${code}` : 'It failed';
}

/** Creates this host's part of the queue. It starts checking for jobs when the first runner is added. */
export function createJobs({ pool, listen }: Database, log: Log) {
  const work = new Map<string, () => Promise<unknown>>();
  const running = new Map<string, Promise<void>>();
  /** Job types that were notified while they were being processed, so they must be checked again. */
  const again = new Set<string>();
  /** Job types that could not be claimed, and the time until which they are paused. */
  const paused = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let plannedFor = Infinity;
  let boundTimesAt = -Infinity;
  let checking: Promise<void> = Promise.resolve();
  let stopListening: Promise<() => Promise<void>> | null = null;
  let stopped = false;

  /** Stores the result of a job, and retries if the connection broke. Otherwise the job would wait until its lease expires. */
  async function untilStored(store: () => Promise<unknown>): Promise<void> {
    const deadline = performance.now() + LEASE_SECONDS * 1000;
    for (;;) {
      try {
        await store();
        return;
      } catch (error) {
        if (stopped || performance.now() > deadline) throw error;
        await delay(RETRY_MS, null, { ref: false });
      }
    }
  }

  /** Extends the lease while the job runs. The lease shows that the host is alive; it does not limit the job's duration. */
  async function runOne(type: string, runner: JobRunner, lease: string, job: Job): Promise<void> {
    const extending = setInterval(
      () => {
        pool
          .query('select private.extend_job($1, $2, $3)', [job.id, lease, LEASE_SECONDS])
          .catch(() => undefined);
      },
      (LEASE_SECONDS * 1000) / 3,
    );
    let failure: { error: string; final: boolean } | null = null;
    try {
      await runner.run(job);
    } catch (error) {
      failure = { error: describeError(error), final: error instanceof JobError && error.final };
      log.warn({ job: type, attempts: job.attempts, error: failure.error }, 'a job failed');
    } finally {
      clearInterval(extending);
    }
    const outcome = [job.id, lease, failure?.error ?? null, failure?.final ?? false];
    await untilStored(() => pool.query('select private.finish_job($1, $2, $3, null, $4)', outcome));
  }

  async function runDue(type: string, runner: JobRunner): Promise<void> {
    const claim = async () => {
      const { rows } = await pool.query<Job & { lease: string }>(
        'select * from private.claim_jobs($1, $2, $3)',
        [type, runner.concurrency ?? 1, LEASE_SECONDS],
      );
      return rows;
    };
    for (let jobs = await claim(); jobs.length > 0; jobs = stopped ? [] : await claim())
      await Promise.all(jobs.map(({ lease, ...job }) => runOne(type, runner, lease, job)));
  }

  const isPaused = (type: string) => (paused.get(type) ?? 0) > performance.now();

  function wake(type: string): void {
    const start = work.get(type);
    if (stopped || !start) return;
    if (running.has(type)) {
      again.add(type);
      return;
    }
    const done = start()
      .catch((error: unknown) => {
        paused.set(type, performance.now() + MAX_PAUSE_MS);
        log.warn({ job: type, error: describeError(error) }, 'jobs cannot be run');
      })
      .then(() => {
        running.delete(type);
        if (again.delete(type) && !isPaused(type)) wake(type);
        else plan(0);
      });
    running.set(type, done);
  }

  /** Starts the job types that have due jobs, and schedules the next check. */
  async function check(): Promise<void> {
    if (performance.now() - boundTimesAt > BOUND_TIMES_MS) {
      await pool.query('select private.bound_stored_times()');
      boundTimesAt = performance.now();
    }
    const { rows } = await pool.query<{ type: string; wait: number }>(
      `select type, extract(epoch from min(due_at) - now())::float8 * 1000 as wait from private.jobs
       where type = any ($1) and failed_at is null group by type`,
      [[...work.keys()].filter((type) => !running.has(type) && !isPaused(type))],
    );
    for (const { type, wait } of rows) if (wait <= 0) wake(type);
    const waits = rows.map(({ wait }) => wait).filter((wait) => wait > 0);
    plan(Math.min(MAX_PAUSE_MS, ...waits));
  }

  /**
   * Schedules the next check, unless an earlier one is scheduled. A new job type needs another check, because a check in progress
   * does not see its jobs.
   */
  function plan(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (stopped || at >= plannedFor) return;
    clearTimeout(timer);
    plannedFor = at;
    timer = setTimeout(() => {
      plannedFor = Infinity;
      // The database cannot be reached, so the check is repeated later.
      checking = check().catch(() => plan(MAX_PAUSE_MS));
    }, milliseconds);
    timer.unref();
  }

  async function start(type: string, run: () => Promise<unknown>): Promise<void> {
    work.set(type, run);
    stopListening ??= listen('jobs', wake, () => {
      // The database is reachable again, so paused job types are checked immediately.
      paused.clear();
      plan(0);
    });
    await stopListening;
    plan(0);
  }

  return {
    /**
     * Stores a job, which then survives a crash of this host.
     * @param db the transaction to use; the job runs after its commit
     */
    async add(
      type: string,
      { key, payload, userId, lifetime }: NewJob,
      db: Pick<Database['pool'], 'query'> = pool,
    ): Promise<void> {
      const values = [type, key, JSON.stringify(payload), userId ?? null, lifetime];
      await db.query('select private.add_job($1, $2, $3, $4, make_interval(secs => $5))', values);
      wake(type);
    },
    /** Makes a recurring job due now. */
    request: (type: string) =>
      untilStored(() => pool.query(`select private.add_job($1, '')`, [type])),
    async run(type: string, runner: JobRunner): Promise<void> {
      if (runner.every !== undefined)
        await pool.query('select private.schedule_job($1, make_interval(secs => $2))', [
          type,
          runner.every,
        ]);
      await start(type, () => runDue(type, runner));
    },
    /** Calls `run` whenever jobs of a type are due. `run` claims the jobs itself. */
    drain: start,
    /** Stops claiming jobs and waits for the running ones. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await (
        await stopListening
      )?.();
      await checking;
      await Promise.all(running.values());
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
