// The page's side of the clustering worker. One worker serves all visits to the map, so returning to the map is cheap.
import type { LatLong } from '#/core/distance.ts';
import { once } from '#/core/once.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import type { ClusterIndex } from '#/map/cluster-index.ts';
import type {
  IndexMethod,
  FromWorker,
  LiveRow,
  MapItem,
  ParkSource,
  ToWorker,
  View,
} from '#/map/cluster-protocol.ts';
import { throttle } from '#/map/throttle.ts';
import { getConfig } from '#/platform/config.ts';
import { nativePlatform } from '#/platform/native.ts';

export type ParksState =
  | { state: 'loading' }
  | { state: 'ready'; count: number }
  | { state: 'failed' };

interface ClusterListener {
  onItems?(items: MapItem[], view: View): void;
  onState?(state: ParksState): void;
}

/** The site's park list in the page's language. `keep` is true in native apps, which a worker cannot detect. */
const siteParks = (): ParkSource => ({
  supabaseUrl: getConfig().supabaseUrl,
  language: currentLanguage(),
  keep: nativePlatform() !== null,
});

export const clusterClient = once(() => {
  const worker = new Worker(new URL('./cluster-worker.ts', import.meta.url), { type: 'module' });
  const post = (message: ToWorker): void => worker.postMessage(message);
  const listeners = new Set<ClusterListener>();
  const pending = new Map<number, (result: unknown) => void>();
  let queries = 0;
  let calls = 0;
  let lastView: View | null = null;
  let loaded: ParkSource | null = null;
  let state: ParksState = { state: 'loading' };

  function query(view: View): void {
    queries += 1;
    post({ type: 'query', request: queries, view });
  }
  const queryThrottled = throttle(query);

  function call<Method extends IndexMethod>(
    method: Method,
    ...values: Parameters<ClusterIndex[Method]>
  ) {
    calls += 1;
    const request = calls;
    post({ type: 'call', request, method, values });
    return new Promise<ReturnType<ClusterIndex[Method]>>((resolve) =>
      pending.set(request, resolve as (result: unknown) => void),
    );
  }

  function setState(next: ParksState): void {
    state = next;
    for (const listener of listeners) listener.onState?.(state);
  }

  function take(message: FromWorker): void {
    switch (message.type) {
      case 'loaded':
        setState({ state: 'ready', count: message.count });
        if (lastView) query(lastView);
        break;
      case 'failed':
        console.warn('The list of parks cannot be loaded:', message.message);
        setState({ state: 'failed' });
        break;
      case 'changed':
        if (lastView) query(lastView);
        break;
      case 'items':
        if (message.request !== queries || !lastView) break;
        for (const listener of listeners) listener.onItems?.(message.items, lastView);
        break;
      case 'result':
        pending.get(message.request)?.(message.result);
        pending.delete(message.request);
    }
  }

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => take(data));

  return {
    /** Loads parks unless the same ones are loaded; `again` reloads them after a failure. */
    load(again = false, source = siteParks()): void {
      if (!again && loaded && JSON.stringify(loaded) === JSON.stringify(source)) return;
      loaded = source;
      setState({ state: 'loading' });
      post({ type: 'load', source });
    },
    /** Loads the parks again if the published list has changed. */
    refresh(): void {
      if (loaded && state.state === 'ready') post({ type: 'refresh', source: loaded });
    },
    setLive: (rows: LiveRow[]) => post({ type: 'live', rows }),
    /** Draws only these parks; null draws all. */
    setOnly: (ids: readonly number[] | null) => post({ type: 'only', ids }),
    /** Queries the items in a view. Calls are throttled, and only the latest one gets a response. */
    query(view: View): void {
      lastView = view;
      queryThrottled(view);
    },
    /** Returns the parks nearest to a place, sorted by distance. @param drawn true to consider only parks that are drawn */
    nearest: (place: LatLong, count: number, drawn = false) => call('nearest', place, count, drawn),
    find: (id: number) => call('find', id),
    cities: (text: string) => call('cities', text),
    state: () => state,
    listen(listener: ClusterListener) {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
  };
});
