// Runs several statements in one round trip, with cached plans. In PostgreSQL's extended protocol they form one implicit
// transaction.
import pg from 'pg';
import { LRUCache } from 'lru-cache';

/** One statement. All values are strings or null, and all result columns are returned as text. */
export interface Statement {
  text: string;
  values: readonly (string | null)[];
}

/** The rows of one statement. Each is an array of texts in column order. */
export type Rows = (string | null)[][];

/** The members of pg's connection that this file uses. pg's own types omit them. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly (string | null)[] }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
  sendCopyFail(message: string): void;
  on(event: 'readyForQuery' | 'end', listener: () => void): void;
  off(event: 'readyForQuery' | 'end', listener: () => void): void;
}

/** The statements that one connection has prepared for one role. */
interface Plans {
  /** The name of each prepared statement, by its SQL text. */
  names: LRUCache<string, string>;
  /** Names of prepared statements that were evicted from the cache. The next batch closes them. */
  evicted: string[];
  next: number;
}

/**
 * Maximum total length, in characters, of the statements that a connection caches for a role, and maximum length of one cached
 * statement.
 */
const MAX_CHARACTERS = 200_000;
const MAX_STATEMENT = 20_000;

const plansOn = new WeakMap<Wire, Map<string, Plans>>();

/** PostgreSQL replans statements with row-level security when the role changes, so each role has its own plans. */
function plansFor(wire: Wire, role: string): Plans {
  const byRole = plansOn.get(wire) ?? new Map<string, Plans>();
  plansOn.set(wire, byRole);
  const known = byRole.get(role);
  if (known) return known;
  const evicted: string[] = [];
  const names = new LRUCache<string, string>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
    dispose: (name) => evicted.push(name),
  });
  const plans = { names, evicted, next: 0 };
  byRole.set(role, plans);
  return plans;
}

/** Returns true if a plan that was cached for an earlier schema may have caused the error. */
export const isStale = (error: unknown): boolean =>
  /^(42P01|42703|42704|42804|42883|0A000|26000)$/.test((error as { code?: string }).code ?? '');

/**
 * A query object for pg's client. PostgreSQL executes all statements up to the only Sync message as one transaction: an error in
 * any of them (or in a deferred constraint at the end) rolls back all. The callback is called once, when the server is ready for
 * the next query or the connection has ended.
 */
class Batch {
  readonly #statements: readonly Statement[];
  readonly #role: string | null;
  readonly #results: Rows[] = [[]];
  readonly #callback: (error: Error | null, results: Rows[]) => void;
  /** SQL texts of the statements with a cached plan, and of those whose plan this batch creates. */
  #cached: string[] = [];
  #fresh: string[] = [];
  #wire: Wire | null = null;
  /** pg requires a callback property. */
  callback = (): void => undefined;

  constructor(
    statements: readonly Statement[],
    role: string | null,
    callback: (error: Error | null, results: Rows[]) => void,
  ) {
    this.#statements = statements;
    this.#role = role;
    this.#callback = callback;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    this.#wire = wire;
    wire.stream.cork();
    try {
      for (const { text, values } of this.#statements) {
        const isCached = this.#role !== null && text.length <= MAX_STATEMENT;
        const name = isCached ? this.#plan(wire, plansFor(wire, this.#role), text) : '';
        if (name === '') wire.parse({ name, text });
        wire.bind({ statement: name, values });
        wire.execute({});
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  /** Returns the name of the prepared statement, and prepares it if this connection has not. */
  #plan(wire: Wire, plans: Plans, text: string): string {
    const known = plans.names.get(text);
    this.#cached.push(text);
    if (known !== undefined) return known;
    const name = `${this.#role}_${(plans.next += 1)}`;
    plans.names.set(text, name);
    for (const old of plans.evicted.splice(0)) wire.close({ type: 'S', name: old });
    wire.parse({ name, text });
    this.#fresh.push(text);
    return name;
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.#results.at(-1)?.push(message.fields);
  }
  handleCommandComplete(): void {
    this.#results.push([]);
  }
  handleError(error: Error): void {
    // It is unknown whether the server prepared a new statement before the error, so its name is not used again. The same applies
    // to statements whose plan may be stale.
    const suspect = isStale(error) ? this.#cached : this.#fresh;
    const wire = this.#wire;
    if (wire && this.#role !== null)
      for (const text of suspect) plansFor(wire, this.#role).names.delete(text);
    // pg drops a query after an error. If the error is not a response of the server, the connection is lost.
    if (wire && error instanceof pg.DatabaseError) this.#failWhenReady(wire, error);
    else this.#callback(error, []);
  }
  /** The server needs time to roll back before it is ready again. After a FATAL error it closes the connection instead. */
  #failWhenReady(wire: Wire, error: Error): void {
    const settle = () => {
      wire.off('readyForQuery', settle);
      wire.off('end', settle);
      this.#callback(error, []);
    };
    wire.on('readyForQuery', settle);
    wire.on('end', settle);
  }
  handleReadyForQuery(): void {
    // Each completed statement opens the list of the next one, so the last list belongs to no statement.
    this.#callback(null, this.#results.slice(0, -1));
  }
  handleRowDescription(): void {
    // Never called, because a batch sends no Describe message.
  }
  handlePortalSuspended(): void {
    // Never called, because rows are not fetched in portions.
  }
  handleEmptyQuery(): void {
    this.#results.push([]);
  }
  handleCopyInResponse(connection: unknown): void {
    (connection as Wire).sendCopyFail('COPY is not possible here');
  }
  handleCopyData(): void {
    // Ignored, because the statement's own error follows.
  }
}

/**
 * Runs statements as one transaction in one round trip.
 * @param role the role whose prepared statements are cached on the connection; null disables the cache
 * @returns the rows of each statement
 * @throws the database's error, after everything was rolled back
 */
export const runBatch = (
  client: pg.ClientBase,
  statements: readonly Statement[],
  role: string | null = null,
): Promise<Rows[]> =>
  new Promise((resolve, reject) => {
    client.query(
      new Batch(statements, role, (error, results) => (error ? reject(error) : resolve(results))),
    );
  });
