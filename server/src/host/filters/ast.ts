// Parsed filters. REST compiles them to SQL, and realtime matches them against records.

/** One step of a path into a JSON value: `->key`, `->0`, or with `text` `->>key`. */
export interface JsonStep {
  text: boolean;
  key: string | number;
}

/** A column, or a path into a JSON column. */
export interface Field {
  name: string;
  path: JsonStep[];
}

/** Collects the values of a statement. Each method adds a value and returns its placeholder. */
interface SqlParameters {
  add(value: string): string;
  addArray(values: readonly string[]): string;
}

/** The condition that an operator and its value express. */
export interface Test {
  /** @param type the column's type in PostgreSQL; null for a path into JSON */
  sql: (left: string, parameters: SqlParameters, type: string | null) => string;
  /** Tests a record's value. Returns null if the result in SQL is null. Undefined if only PostgreSQL can evaluate the condition. */
  holds?: (value: unknown) => boolean | null;
  /** The only values that satisfy the condition. */
  oneOf?: readonly string[];
  /** The only value that satisfies the condition. */
  equals?: string;
  testsNull?: 'null' | 'not_null';
  /** Cost per row, relative to a simple comparison, which costs 1. */
  cost?: number;
}

export interface Filter {
  type: 'filter';
  field: Field;
  negated: boolean;
  test: Test;
}

export interface Logic {
  type: 'logic';
  operator: 'and' | 'or';
  negated: boolean;
  conditions: Condition[];
}

export type Condition = Filter | Logic;
