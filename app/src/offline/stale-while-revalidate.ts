// Stale-while-revalidate: returns the cached value and refreshes it in the background. Used for the park list in the app and its
// service worker.

/**
 * @param cached resolves to undefined if nothing is cached
 * @param fetchAndCache fetches the value and caches it; called even if a value is cached
 * @param outlives gets the promise of a refresh that continues after the cached value was returned
 * @throws the error of `fetchAndCache` if nothing is cached
 */
export async function staleWhileRevalidate<Value>(
  cached: () => Promise<Value | undefined>,
  fetchAndCache: () => Promise<Value>,
  outlives: (refresh: Promise<unknown>) => void = () => undefined,
): Promise<Value> {
  const found = await cached().catch(() => undefined);
  const fresh = fetchAndCache();
  if (found === undefined) return fresh;
  outlives(fresh.catch(() => undefined));
  return found;
}
