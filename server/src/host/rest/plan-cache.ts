// Compiled statements of reads by address and headers: apps ask the same again and again, and compiling costs as much as answering.
import { LRUCache } from 'lru-cache';
import type { Plan } from '#/host/rest/prepare.ts';
import type { Schema } from '#/host/rest/schema-cache.ts';

const MAX_SIZE = 1_000_000;
const MAX_ENTRY = 2000;

/** The headers that say what is wanted, with the address. */
const HEADERS = ['accept', 'accept-profile', 'prefer', 'range'] as const;

/** Names a read without a body; null for anything else. @param anonymous whether the caller is anonymous */
export function planKey(request: Request, url: URL, anonymous: boolean): string | null {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return null;
  const values = HEADERS.map((name) => headers.get(name) ?? '');
  return [method, anonymous ? 'anon' : '', url.pathname, url.search, ...values].join('\n');
}

export function createPlanCache() {
  const plans = new LRUCache<string, Plan>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_ENTRY,
    sizeCalculation: (_, key) => key.length,
  });
  let planned: Schema | undefined;
  /** A schema is large, and read anew for each unknown name: no plan may hold an earlier one in memory. */
  function follow(schema: Schema): void {
    if (schema === planned) return;
    plans.clear();
    planned = schema;
  }
  return {
    /** What was compiled for the same key on this very schema. */
    find(key: string | null, schema: Schema): Plan | undefined {
      follow(schema);
      return key === null ? undefined : plans.get(key);
    },
    add(key: string | null, schema: Schema, plan: Plan): void {
      follow(schema);
      if (key !== null) plans.set(key, plan);
    },
  };
}
