// Caches compiled reads by URL and headers. Apps repeat their requests, and compiling costs as much as executing.
import { LRUCache } from 'lru-cache';
import type { Plan } from '#/host/rest/prepare.ts';
import type { Schema } from '#/host/rest/schema-cache.ts';

const MAX_SIZE = 1_000_000;
const MAX_ENTRY = 2000;

/** The headers that affect the statement. */
const HEADERS = ['accept', 'accept-profile', 'prefer', 'range'] as const;

/** Returns the cache key of a read; null for all other requests. */
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
  /**
   * Deletes the plans of an earlier schema. A schema is large and is reloaded after each unknown name, so no plan may reference an
   * old one.
   */
  function follow(schema: Schema): void {
    if (schema === planned) return;
    plans.clear();
    planned = schema;
  }
  return {
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
