// What is cached at once, and a newer one fetched behind it: how the list of parks is read, in the app and in its service worker.

/**
 * @param cached undefined where there is nothing
 * @param fetchAndCache fetches it and stores it for the next time; it is asked in both cases
 * @param outlives told of the renewal that goes on after the answer
 * @throws what `fetchAndCache` throws, where nothing was cached
 */
export async function staleWhileRevalidate<Value>(
  cached: () => Promise<Value | undefined>,
  fetchAndCache: () => Promise<Value>,
  outlives: (renewal: Promise<unknown>) => void = () => undefined,
): Promise<Value> {
  const found = await cached().catch(() => undefined);
  const fresh = fetchAndCache();
  if (found === undefined) return fresh;
  outlives(fresh.catch(() => undefined));
  return found;
}
