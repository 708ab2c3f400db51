// What a request's URL says, as plain values: the shapes between parsing and planning.

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

export interface ColumnItem {
  kind: 'column';
  /** The name `*` stands for all columns. */
  field: Field;
  alias: string | null;
  cast: string | null;
}

export interface EmbedItem {
  kind: 'embed';
  /** A table or view, a foreign key's column, or a foreign key's name. */
  target: string;
  alias: string | null;
  hint: string | null;
  inner: boolean;
  /** `...target(columns)`: the columns become the parent's. */
  spread: boolean;
  items: SelectItem[];
}

export type SelectItem = ColumnItem | EmbedItem;

export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Test =
  | { kind: 'is'; value: IsValue }
  | { kind: 'in'; values: string[] }
  | { kind: 'search'; parser: string; config: string | null; value: string }
  | { kind: 'compare'; operator: string; quantifier: 'any' | 'all' | null; value: string };

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

export interface OrderTerm {
  /** Ordering by a column of this to-one embed, instead of by an own one. */
  relation: string | null;
  field: Field;
  descending: boolean;
  nulls: 'first' | 'last' | null;
}

/** What the URL asks of one resource; `embeds` by alias or name, for paths such as `actors.order`. */
export interface Level {
  conditions: Condition[];
  order: OrderTerm[];
  limit: number | null;
  offset: number;
  embeds: Map<string, Level>;
}

export interface ParsedQuery {
  select: SelectItem[];
  root: Level;
  columns: string[] | null;
  onConflict: string[] | null;
  /** Arguments of a function called by GET, in order; a name may repeat for a variadic one. */
  args: [name: string, value: string][];
}
