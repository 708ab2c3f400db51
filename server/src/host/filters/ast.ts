// Parsed filters: plain values that REST compiles to SQL and realtime matches against records.

/** One step into a JSON value: `->key`, `->0`, or with `text` `->>key`. */
export interface JsonStep {
  text: boolean;
  key: string | number;
}

/** A column, or a path into a JSON column. */
export interface Field {
  name: string;
  path: JsonStep[];
}

/** The values of a statement. Each method adds a value and returns its placeholder. */
interface SqlParameters {
  add(value: string): string;
  addArray(values: readonly string[]): string;
}

/** The meaning of an operator and its value. */
export interface Test {
  /** @param type the column's type, as PostgreSQL names it; null for a path into JSON */
  sql: (left: string, parameters: SqlParameters, type: string | null) => string;
  /** Tests a record's value. Returns null if SQL's result is null. Missing if only PostgreSQL can evaluate it. */
  holds?: (value: unknown) => boolean | null;
  /** The only values for which the test is true. */
  oneOf?: readonly string[];
  /** The only value for which the test is true. */
  equals?: string;
  testsNull?: 'null' | 'not_null';
  /** The cost for each row, relative to a comparison, which costs 1. */
  cost?: number;
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
