// The pool of connections and the one way to run a request's SQL: in a transaction, as the caller.
import pg from 'pg';
import { createListener, type Listener } from '#/host/db/listener.ts';
import { ACQUIRE_TIMEOUT_MS, createShares, type Shares } from '#/host/db/shares.ts';
import { inTransaction } from '#/host/db/transaction.ts';
import { runBatch, type Rows, type Statement } from '#/host/db/batch.ts';
import { perObject } from '#/host/lib/per-object.ts';
import { claimsText, type Claims } from '#/host/lib/tokens.ts';

/** How a batch runs. */
interface BatchOptions {
  /** A read-only transaction: a write fails with 25006. */
  readOnly: boolean;
  /** Settings for this transaction only, such as `request.method`; statements are kept by the very list of names. */
  settings: { names: readonly string[]; values: readonly string[] };
  /** Looks at the results before they are committed: when it throws, nothing was changed. */
  check?: (results: Rows[]) => void;
}

export interface Database {
  pool: pg.Pool;
  /** For services: whose requests get how many of the connections. Who runs SQL as a caller asks it first. */
  shares: Shares;
  /**
   * Runs `work` in one transaction with the caller's role and `request.jwt.claims`, so that row-level security
   * decides; commits when it resolves, rolls back when it throws.
   */
  asCaller<T>(claims: Claims, work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * The same for statements that are known beforehand, in a single round trip: all of them or none.
   * @returns the rows of each statement, every column as text
   */
  batchAsCaller(
    claims: Claims,
    options: BatchOptions,
    statements: readonly Statement[],
  ): Promise<Rows[]>;
  /**
   * Calls `handler` for each NOTIFY on `channel` until the returned function is called; `onReconnect` after a break,
   * in which some may have been missed.
   */
  listen: Listener['listen'];
  close(): Promise<void>;
}

/**
 * How long a statement may take: as on the platform for anonymous and signed-in callers. Functions with the service key may
 * read whole tables, which takes a small busy machine longer than anybody would wait for a page.
 */
const STATEMENT_TIMEOUT = { anon: '3s', authenticated: '8s', service_role: '60s' } as const;
const statementTimeout = ({ role }: Claims): string => STATEMENT_TIMEOUT[role];

/** Node's and PostgreSQL's codes for a server that is not there, is going away or is not yet up. */
const DOWN_CODES = /^(ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$|08|57P0[1235]|53300$)/;

/** Whether an error says that the database itself cannot be reached, rather than that a statement failed. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // FATAL ends the connection, whatever the reason.
  if ((error as pg.DatabaseError).severity === 'FATAL') return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined)
    return DOWN_CODES.test(code) && (code !== 'ENOENT' || syscall === 'connect');
  return /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message);
}

const BEGIN: Statement = { text: 'begin', values: [], prepare: true };

const CALLER_SETTINGS = ['role', 'request.jwt.claims', 'statement_timeout'] as const;

const settingTexts = (more: readonly string[]) =>
  perObject((names: readonly string[]) => {
    const calls = [...CALLER_SETTINGS, ...names, ...more].map(
      (name, index) => `set_config('${name.replaceAll("'", "''")}', $${index + 1}, true)`,
    );
    // All of them are called, and no row comes back with what the caller knows.
    return `select where num_nulls(${calls.join(', ')}) > 0`;
  });
const readingText = settingTexts(['transaction_read_only']);
const writingText = settingTexts([]);

/** The statement that makes the rest of a transaction the caller's. Its text depends on the settings' names only. */
function callerSettings(claims: Claims, { readOnly, settings }: BatchOptions): Statement {
  const { names } = settings;
  const own = [claims.role, claimsText(claims), statementTimeout(claims), ...settings.values];
  return readOnly
    ? { text: readingText(names), values: [...own, 'on'], prepare: true }
    : { text: writingText(names), values: own, prepare: true };
}

/** Opens a pool on a connection string. */
export function openDatabase(connectionString: string, poolSize = 16): Database {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that breaks, idle or between two statements, is replaced by the pool; without a listener the break
  // would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const listener = createListener(connectionString);

  return {
    pool,
    shares: createShares(poolSize),
    asCaller: (claims, work) =>
      inTransaction(
        pool,
        work,
        `begin; select set_config('role', ${pg.escapeLiteral(claims.role)}, true), set_config('request.jwt.claims', ${pg.escapeLiteral(JSON.stringify(claims))}, true), set_config('statement_timeout', '${statementTimeout(claims)}', true)`,
      ),
    async batchAsCaller(claims, options, statements) {
      const client = await pool.connect();
      let broken = false;
      try {
        const all = [callerSettings(claims, options), ...statements];
        if (!options.check) return (await runBatch(client, all)).slice(1);
        const results = (await runBatch(client, [BEGIN, ...all])).slice(2);
        options.check(results);
        await client.query('commit');
        return results;
      } catch (error) {
        // Without `begin` the server has rolled back by itself; any other error means that the connection is lost.
        if (options.check) await client.query('rollback').catch(() => (broken = true));
        else broken = !(error instanceof pg.DatabaseError);
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
