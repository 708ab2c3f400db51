// The connection pool, and the functions that run SQL in a transaction with the role of a request's caller.
import pg from 'pg';
import { createListener, type Listener } from '#/host/db/listener.ts';
import {
  ACQUIRE_TIMEOUT_MS,
  createCallerQuotas,
  type CallerQuotas,
} from '#/host/limits/caller-quotas.ts';
import { inTransaction } from '#/host/db/transaction.ts';
import { isStale, runBatch, type Rows, type Statement } from '#/host/db/batch.ts';
import { claimsText, type Claims } from '#/host/lib/tokens.ts';

interface BatchOptions {
  /** A read-only transaction: a write fails with 25006. */
  readOnly: boolean;
  /** True for a query of a table, whose filters the caller chooses; false for a function call. */
  isQuery: boolean;
  /** Additional settings for this transaction, such as `request.method`. */
  settings: Readonly<Record<string, string>>;
  /** Called with the results before the commit. If it throws, the transaction is rolled back. */
  check?: (results: Rows[]) => void;
}

export interface Database {
  pool: pg.Pool;
  /** Divides the connections among callers. Before a service runs SQL as a caller, it acquires a permit here. */
  quotas: CallerQuotas;
  /**
   * Runs `work` in one transaction with the caller's role and `request.jwt.claims`, so that row-level security applies. Commits if
   * it resolves and rolls back if it throws.
   */
  asCaller<T>(claims: Claims, work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * Like `asCaller`, but for statements that are known in advance: runs them in one transaction and one round trip.
   * @returns the rows of each statement, every column as text
   */
  batchAsCaller(
    claims: Claims,
    options: BatchOptions,
    statements: readonly Statement[],
  ): Promise<Rows[]>;
  /**
   * Calls `handler` for each NOTIFY on `channel` until the returned function is called, and `onReconnect` after a lost connection,
   * because notifications may have been missed.
   */
  listen: Listener['listen'];
  close(): Promise<void>;
}

/**
 * Statement timeouts, for anonymous and authenticated callers the same as on Supabase. Functions with the service key may read
 * whole tables, which takes longer on a small busy machine.
 */
const STATEMENT_TIMEOUT = { anon: '3s', authenticated: '8s', service_role: '60s' } as const;
/** Queries of tables have shorter timeouts, because callers control their cost by filters and embeds. */
const QUERY_TIMEOUT = { ...STATEMENT_TIMEOUT, anon: '1500ms', authenticated: '4s' } as const;

/**
 * Idle connections close after this time, so that the memory of a busy hour is released. The default of ten seconds closed warm
 * connections all the time, and the first calls on a new connection take five to twenty times the processor time.
 */
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Error codes of Node and PostgreSQL for a server that is missing, stopping or not ready. */
const DOWN_CODES = /^(ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$|08|57P0[1235]|53300$)/;

/** Returns true if the database cannot be reached, as opposed to a failed statement. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // After a FATAL error, the connection is closed.
  if ((error as pg.DatabaseError).severity === 'FATAL') return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined)
    return DOWN_CODES.test(code) && (code !== 'ENOENT' || syscall === 'connect');
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
    error.message,
  );
}

const BEGIN: Statement = { text: 'begin', values: [] };

/** Returns the settings that make the rest of a transaction run as the caller. */
const settingsOf = (claims: Claims, isQuery = false): Record<string, string> => ({
  role: claims.role,
  'request.jwt.claims': claimsText(claims),
  statement_timeout: (isQuery ? QUERY_TIMEOUT : STATEMENT_TIMEOUT)[claims.role],
  // Set in each transaction, because with a transaction pooler a session setting would not be kept.
  search_path: 'public, extensions',
});

const settingsTexts = new Map<string, string>();

/**
 * Returns a statement that calls `set_config` for each name and returns no row.
 * @param names separated by spaces; the statement is cached, because few combinations occur
 */
function settingsSql(names: string): string {
  let text = settingsTexts.get(names);
  if (text === undefined) {
    const calls = names.split(' ').map((name, i) => `set_config('${name}', $${i + 1}, true)`);
    text = `select where num_nulls(${calls.join(', ')}) > 0`;
    settingsTexts.set(names, text);
  }
  return text;
}

function callerSettings(claims: Claims, { readOnly, isQuery, settings }: BatchOptions): Statement {
  const readOnlyText = readOnly ? 'on' : 'off';
  const all = { ...settingsOf(claims, isQuery), transaction_read_only: readOnlyText, ...settings };
  return { text: settingsSql(Object.keys(all).join(' ')), values: Object.values(all) };
}

export function openDatabase(connectionString: string, poolSize = 16): Database {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    keepAlive: true,
  });
  // The pool replaces broken connections. Without a listener, the error event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const listener = createListener(connectionString);

  return {
    pool,
    quotas: createCallerQuotas(poolSize),
    asCaller: (claims, work) =>
      inTransaction(
        pool,
        work,
        `begin; select ${Object.entries(settingsOf(claims))
          .map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`)
          .join(', ')}`,
      ),
    async batchAsCaller(claims, options, statements) {
      const { check } = options;
      const client = await pool.connect();
      let broken = false;
      const all = [callerSettings(claims, options), ...statements];
      const run = async (role: string | null) => {
        if (!check) return (await runBatch(client, all, role)).slice(1);
        try {
          const results = (await runBatch(client, [BEGIN, ...all], role)).slice(2);
          check(results);
          await client.query('commit');
          return results;
        } catch (error) {
          await client.query('rollback').catch(() => (broken = true));
          throw error;
        }
      };
      try {
        return await run(claims.role).catch((error: unknown) => {
          // The cached plan is older than a change of the schema. Nothing was written, so the batch can run again with new plans.
          if (broken || !isStale(error)) throw error;
          return run(null);
        });
      } catch (error) {
        // After an error of the database, the server has rolled back. Any other error means that the connection is lost.
        if (!check) broken = !(error instanceof pg.DatabaseError);
        broken ||= isDatabaseDown(error);
        throw error;
      } finally {
        client.release(broken);
      }
    },
    listen: listener.listen,
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}
