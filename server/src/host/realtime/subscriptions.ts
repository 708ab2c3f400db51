// Indexes subscriptions by table and, for equality filters, by value, so that a change is compared with few subscriptions.
import type { Filter } from '#/host/filters/ast.ts';
import { matches, requiredTexts, type Row } from '#/host/filters/match.ts';
import { textOf } from '#/host/filters/values.ts';
import type { Channel } from '#/host/realtime/channel.ts';

export type ChangeType = 'INSERT' | 'UPDATE' | 'DELETE';

export interface Subscription {
  /** Sent to the client when it joins, and with each change. */
  id: number;
  channel: Channel;
  event: ChangeType | '*';
  schema: string;
  /** `*` for all tables of the schema. */
  table: string;
  filters: Filter[];
}

interface TableIndex {
  /** Maps a column and a value to the subscriptions whose filter requires exactly this value. */
  byValue: Map<string, Map<string, Set<Subscription>>>;
  others: Set<Subscription>;
}

const tableKey = (schema: string, table: string) => `${schema}.${table}`;

export function createSubscriptions() {
  const tables = new Map<string, TableIndex>();

  function indexOf(subscription: Subscription): TableIndex {
    const key = tableKey(subscription.schema, subscription.table);
    const known = tables.get(key);
    if (known) return known;
    const made: TableIndex = { byValue: new Map(), others: new Set() };
    tables.set(key, made);
    return made;
  }

  function setsFor(subscription: Subscription): Set<Subscription>[] {
    const index = indexOf(subscription);
    const required = requiredTexts(subscription.filters);
    if (!required) return [index.others];
    let values = index.byValue.get(required.column);
    if (!values) index.byValue.set(required.column, (values = new Map()));
    return required.values.map((value) => {
      const set = values.get(value) ?? new Set();
      values.set(value, set);
      return set;
    });
  }

  return {
    add(subscription: Subscription): void {
      for (const set of setsFor(subscription)) set.add(subscription);
    },
    remove(subscription: Subscription): void {
      for (const set of setsFor(subscription)) set.delete(subscription);
      const { column, values } = requiredTexts(subscription.filters) ?? { column: '', values: [] };
      const byValue = indexOf(subscription).byValue.get(column);
      for (const value of values) if (byValue?.get(value)?.size === 0) byValue.delete(value);
    },
    /** Returns the subscriptions whose event and filter match. Visibility is checked later. */
    find(schema: string, table: string, type: ChangeType, record: Row): Set<Subscription> {
      const found = new Set<Subscription>();
      const consider = (subscription: Subscription) => {
        const { event, filters } = subscription;
        if ((event === '*' || event === type) && matches(filters, record)) found.add(subscription);
      };
      for (const key of [tableKey(schema, table), tableKey(schema, '*')]) {
        const index = tables.get(key);
        index?.others.forEach(consider);
        for (const [column, values] of index?.byValue ?? [])
          values.get(textOf(record[column]) ?? '')?.forEach(consider);
      }
      return found;
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
