// The types of a parsed query, as passed from the parser to the compiler.
import type { Condition, Field } from '#/host/filters/ast.ts';

export interface ColumnItem {
  type: 'column';
  /** The field `*` means all columns. */
  field: Field;
  alias: string | null;
  cast: string | null;
}

export interface EmbedItem {
  type: 'embed';
  /** The name of a table, a view, a foreign key's column or a foreign key. */
  target: string;
  alias: string | null;
  hint: string | null;
  inner: boolean;
  /** True for `...target(columns)`, whose columns become columns of the parent. */
  spread: boolean;
  items: SelectItem[];
}

export type SelectItem = ColumnItem | EmbedItem;

export const ALL: SelectItem[] = [
  { type: 'column', field: { name: '*', path: [] }, alias: null, cast: null },
];

export interface OrderTerm {
  /** The to-one embed to which the column belongs; null for a column of the level itself. */
  relation: string | null;
  field: Field;
  descending: boolean;
  nulls: 'first' | 'last' | null;
}

/** The query of one resource. `embeds` are keyed by alias or name, for paths such as `actors.order`. */
export interface Level {
  conditions: Condition[];
  order: OrderTerm[];
  limit: number | null;
  offset: number;
  embeds: Map<string, Level>;
}

export const emptyLevel = (): Level => ({
  conditions: [],
  order: [],
  limit: null,
  offset: 0,
  embeds: new Map(),
});

export interface ParsedQuery {
  select: SelectItem[];
  root: Level;
  columns: string[] | null;
  onConflict: string[] | null;
  /** Arguments of a function that is called by GET, in order. The name of a variadic argument is repeated. */
  args: [name: string, value: string][];
}
