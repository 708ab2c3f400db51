// The parsed query: plain values between parsing and planning.
import type { Condition, Field } from '#/host/filters/ast.ts';

export interface ColumnItem {
  kind: 'column';
  /** `*` means all columns. */
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

export const ALL: SelectItem[] = [
  { kind: 'column', field: { name: '*', path: [] }, alias: null, cast: null },
];

export interface OrderTerm {
  /** Ordering by a column of this to-one embed, instead of by an own one. */
  relation: string | null;
  field: Field;
  descending: boolean;
  nulls: 'first' | 'last' | null;
}

/** The query of one resource; `embeds` by alias or name, for paths such as `actors.order`. */
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
  /** Arguments of a function called by GET, in order; a name may repeat for a variadic one. */
  args: [name: string, value: string][];
}
