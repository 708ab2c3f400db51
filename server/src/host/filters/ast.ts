// Parsed filters: plain values that REST compiles to SQL and realtime matches against records.

/** One step into a JSON value: `->key`, `->0`, or with `text` `->>key`. */
export interface JsonStep {
  text: boolean;
  key: string | number;
}

/** A column, or a place inside a JSON column. */
export interface Field {
  name: string;
  path: JsonStep[];
}

/** The values of a statement. Each method returns the placeholder of what it added. */
interface SqlParameters {
  add(value: string): string;
  addArray(values: readonly string[]): string;
}

/** The meaning of an operator and its value. */
export interface Test {
  /** @param type the column's, as PostgreSQL names it; null for a place inside JSON */
  sql: (left: string, parameters: SqlParameters, type: string | null) => string;
  /** Tests a record's value; null where SQL's result is null. Without it, only PostgreSQL can evaluate the filter. */
  holds?: (value: unknown) => boolean | null;
  /** It holds only for one of these. */
  oneOf?: readonly string[];
  /** The only value for which the test is true. */
  equals?: string;
  testsNull?: 'null' | 'not_null';
  /** The caller controls the cost, whatever indexes exist: a regular expression, or text parsed for each row. */
  isCostly?: true;
}

export interface Filter {
  kind: 'filter';
  field: Field;
  negated: boolean;
  test: Test;
}

export interface Logic {
  kind: 'logic';
  operator: 'and' | 'or';
  negated: boolean;
  conditions: Condition[];
}

export type Condition = Filter | Logic;
