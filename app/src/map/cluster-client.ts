// The page's side of the clustering worker: one worker for the life of the page, so that coming back to the map costs nothing.
import type { LatLong } from '#/core/distance.ts';
import type {
  City,
  FromWorker,
  LiveRow,
  MapItem,
  MapPark,
  ParkSource,
  ToWorker,
  View,
} from '#/map/cluster-protocol.ts';
import { createRequestQueue } from '#/map/request-queue.ts';

export type ParksState =
  | { state: 'loading' }
  | { state: 'ready'; count: number }
  | { state: 'failed' };

interface ClusterListener {
  onItems?(items: MapItem[], view: View): void;
  onState?(state: ParksState): void;
}

interface ClusterClient {
  /** Loads parks unless these are loaded; `again` loads them anyway, after a failure. */
  load(source: ParkSource, again?: boolean): void;
  setLive(rows: LiveRow[]): void;
  /** Draws these parks alone; null: all. */
  setOnly(ids: readonly number[] | null): void;
  /** Asks for what a view shows; spaced by the queue, and only the newest question is answered. */
  query(view: View): void;
  expansionZoom(cluster: number): Promise<number>;
  /** The nearest parks, the nearest first; once parks are loaded. @param drawn only among those that are drawn */
  nearest(place: LatLong, count: number, drawn?: boolean): Promise<MapPark[]>;
  find(id: number): Promise<MapPark | null>;
  cities(text: string): Promise<City[]>;
  state(): ParksState;
  listen(listener: ClusterListener): () => void;
}

function createClusterClient(): ClusterClient {
  const worker = new Worker(new URL('./cluster-worker.ts', import.meta.url), { type: 'module' });
  const post = (message: ToWorker): void => worker.postMessage(message);
  const listeners = new Set<ClusterListener>();
  const zooms = new Map<number, (zoom: number) => void>();
  const cities = new Map<number, (found: City[]) => void>();
  const finds = new Map<number, (parks: MapPark[]) => void>();
  let request = 0;
  let questions = 0;
  let lastView: View | null = null;
  let loaded: ParkSource | null = null;
  let state: ParksState = { state: 'loading' };

  function ask(view: View): void {
    request += 1;
    post({ type: 'query', request, view });
  }
  const queue = createRequestQueue(ask);

  function setState(next: ParksState): void {
    state = next;
    for (const listener of listeners) listener.onState?.(state);
  }

  function take(message: FromWorker): void {
    switch (message.type) {
      case 'loaded':
        setState({ state: 'ready', count: message.count });
        if (lastView) ask(lastView);
        break;
      case 'failed':
        console.warn('The list of parks cannot be loaded:', message.message);
        setState({ state: 'failed' });
        break;
      case 'changed':
        if (lastView) ask(lastView);
        break;
      case 'items':
        if (message.request !== request || !lastView) break;
        for (const listener of listeners) listener.onItems?.(message.items, lastView);
        break;
      case 'zoom':
        zooms.get(message.request)?.(message.zoom);
        zooms.delete(message.request);
        break;
      case 'found':
        finds.get(message.request)?.(message.parks);
        finds.delete(message.request);
        break;
      case 'cities':
        cities.get(message.request)?.(message.cities);
        cities.delete(message.request);
    }
  }

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => take(data));

  return {
    load(source, again = false) {
      if (!again && loaded && JSON.stringify(loaded) === JSON.stringify(source)) return;
      loaded = source;
      setState({ state: 'loading' });
      post({ type: 'load', source });
    },
    setLive: (rows) => post({ type: 'live', rows }),
    setOnly: (ids) => post({ type: 'only', ids }),
    query(view) {
      lastView = view;
      queue.request(view);
    },
    expansionZoom(cluster) {
      questions += 1;
      const request = questions;
      post({ type: 'expand', request, cluster });
      return new Promise((resolve) => zooms.set(request, resolve));
    },
    nearest(place, count, drawn = false) {
      questions += 1;
      const request = questions;
      post({ type: 'nearest', request, place, count, drawn });
      return new Promise((resolve) => finds.set(request, resolve));
    },
    find(id) {
      questions += 1;
      const request = questions;
      post({ type: 'find', request, id });
      return new Promise((resolve) => finds.set(request, ([park = null]) => resolve(park)));
    },
    cities(text) {
      questions += 1;
      const request = questions;
      post({ type: 'cities', request, text });
      return new Promise((resolve) => cities.set(request, resolve));
    },
    state: () => state,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

let client: ClusterClient | null = null;

/** The one worker of the page, started by the first call. */
export function clusterClient(): ClusterClient {
  client ??= createClusterClient();
  return client;
}
