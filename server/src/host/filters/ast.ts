// What a filter says, as plain values: parsed once, then compiled to SQL by REST or matched against records by realtime.

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

/** What an operator and its value say of a column. */
export interface Test {
  /** @param type the column's, as PostgreSQL names it; null for a place inside JSON */
  sql: (left: string, parameters: SqlParameters, type: string | null) => string;
  /** The same of a record's value, null where SQL says neither yes nor no. Without it only PostgreSQL can tell. */
  holds?: (value: unknown) => boolean | null;
  /** It holds only for one of these. */
  oneOf?: readonly string[];
  /** It holds for this one, and for no other. */
  equals?: string;
  testsNull?: 'null' | 'not_null';
  /** What it costs is the caller's choice, whatever index there is: a regular expression, a text parsed for each row. */
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
