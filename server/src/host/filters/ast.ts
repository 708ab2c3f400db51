// What a filter says, as plain values: parsed once, then compiled to SQL by REST or matched against records by realtime.
import type { Operator, SearchOperator } from '#/host/filters/operators.ts';

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

export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Test =
  | { kind: 'is'; value: IsValue }
  | { kind: 'in'; values: string[] }
  | { kind: 'search'; operator: SearchOperator; config: string | null; value: string }
  | { kind: 'compare'; operator: Operator; quantifier: 'any' | 'all' | null; value: string };

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
