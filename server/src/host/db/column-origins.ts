// Finds the table and column that each column of a query comes from. PostgreSQL reports them for a parsed statement, so nothing is
// planned or executed.
import type pg from 'pg';

/** The OID of a table or view, and the number of a column in it. */
export interface Origin {
  relation: number;
  column: number;
}

/** The members of pg's connection that this file uses. pg's own types omit them. */
interface Wire {
  parse(message: { name: string; text: string }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

type Callback = (error: Error | null, origins: (Origin | null)[][]) => void;

/** A query object for pg's client that parses statements and collects the descriptions of their rows. */
class Describe {
  readonly #texts: readonly string[];
  readonly #callback: Callback;
  readonly #origins: (Origin | null)[][] = [];
  /** Required by pg. */
  callback = (): void => undefined;

  constructor(texts: readonly string[], callback: Callback) {
    this.#texts = texts;
    this.#callback = callback;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    for (const text of this.#texts) {
      wire.parse({ name: '', text });
      wire.describe({ type: 'S', name: '' });
    }
    wire.sync();
  }

  handleRowDescription({ fields }: { fields: { tableID: number; columnID: number }[] }): void {
    this.#origins.push(
      fields.map(({ tableID, columnID }) =>
        tableID === 0 ? null : { relation: tableID, column: columnID },
      ),
    );
  }
  handleError(error: Error): void {
    this.#callback(error, []);
  }
  handleReadyForQuery(): void {
    this.#callback(null, this.#origins);
  }
}

export const columnOrigins = (
  client: pg.ClientBase,
  selects: readonly string[],
): Promise<(Origin | null)[][]> =>
  new Promise((resolve, reject) => {
    client.query(
      new Describe(selects, (error, origins) => (error ? reject(error) : resolve(origins))),
    );
  });
