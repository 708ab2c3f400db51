// The clustering worker: loads the parks, builds the index, responds to the map's requests.
import {
  fetchParkFile,
  type ParkListItem,
  refreshParkFile,
} from '#/entities/parks/park-list-file.ts';
import { createClusterIndex, type ClusterIndex } from './cluster-index.ts';
import type { FromWorker, LiveRow, ParkSource, ToWorker } from './cluster-protocol.ts';

let index: ClusterIndex | null = null;
let live: LiveRow[] = [];
let only: readonly number[] | null = null;
/** Counts loads, so the response of an earlier load (in another language) is dropped. */
let generation = 0;
/** Requests from before the index was built. The page does not repeat them, so they must be queued. */
let waiting: IndexCall[] = [];

type IndexCall = Extract<ToWorker, { type: 'call' }>;

const post = (message: FromWorker): void => self.postMessage(message);

async function load({ supabaseUrl, language, keep }: ParkSource): Promise<void> {
  const mine = ++generation;
  index = null;
  try {
    const parks = await fetchParkFile(supabaseUrl, language, keep);
    if (mine === generation) buildIndex(parks);
  } catch (error) {
    if (mine === generation) post({ type: 'failed', message: String(error) });
  }
}

/** Replaces the parks if the published list has changed. The loaded parks stay until then, and also if loading fails. */
async function refresh({ supabaseUrl, language }: ParkSource): Promise<void> {
  const mine = generation;
  const parks = await refreshParkFile(supabaseUrl, language).catch(() => null);
  if (parks && mine === generation && index) buildIndex(parks);
}

function buildIndex(parks: readonly ParkListItem[]): void {
  index = createClusterIndex(parks);
  index.setOnly(only);
  index.setLive(live);
  post({ type: 'loaded', count: parks.length });
  for (const call of waiting) respond(call, index);
  waiting = [];
}

function respond({ request, method, values }: IndexCall, from: ClusterIndex): void {
  const run = from[method] as (...values: unknown[]) => unknown;
  post({ type: 'result', request, result: run(...values) });
}

self.addEventListener('message', ({ data: message }: MessageEvent<ToWorker>) => {
  switch (message.type) {
    case 'load':
      void load(message.source);
      break;
    case 'refresh':
      void refresh(message.source);
      break;
    case 'live':
      live = message.rows;
      if (index?.setLive(live)) post({ type: 'changed' });
      break;
    case 'only':
      only = message.ids;
      if (index?.setOnly(only)) post({ type: 'changed' });
      break;
    case 'query':
      // Before the index is built, drop the query: the page repeats it after 'loaded'.
      if (index)
        post({ type: 'items', request: message.request, items: index.query(message.view) });
      break;
    case 'call':
      if (index) respond(message, index);
      else waiting.push(message);
  }
});
