// The clustering worker: loads the parks, builds the index, answers the map's requests.
import { fetchParkFile } from '#/offline/park-file.ts';
import { createClusterIndex, type ClusterIndex } from '#/map/cluster-index.ts';
import type { FromWorker, LiveRow, ParkSource, ToWorker } from '#/map/cluster-protocol.ts';

let index: ClusterIndex | null = null;
let live: LiveRow[] = [];
let only: readonly number[] | null = null;
/** Counts loads, so that the answer of an older one (another language) is dropped. */
let generation = 0;
/** Asked for before the index was built. */
let waiting: Question[] = [];

type Question = Extract<ToWorker, { type: 'nearest' | 'find' | 'cities' }>;

const post = (message: FromWorker): void => self.postMessage(message);

async function load(source: ParkSource): Promise<void> {
  const mine = ++generation;
  index = null;
  try {
    const parks =
      'parks' in source
        ? source.parks
        : await fetchParkFile(source.supabaseUrl, source.language, source.keep);
    if (mine !== generation) return;
    index = createClusterIndex(parks);
    index.setOnly(only);
    index.setLive(live);
    post({ type: 'loaded', count: parks.length });
    for (const question of waiting) answerQuestion(question, index);
    waiting = [];
  } catch (error) {
    if (mine === generation) post({ type: 'failed', message: String(error) });
  }
}

function answerQuestion(question: Question, from: ClusterIndex): void {
  if (question.type === 'cities') {
    post({ type: 'cities', request: question.request, cities: from.cities(question.text) });
    return;
  }
  const parks =
    question.type === 'nearest'
      ? from.nearest(question.place, question.count, question.drawn)
      : [from.find(question.id)].filter((park) => park !== null);
  post({ type: 'found', request: question.request, parks });
}

/** Requests before the index is built get no answer: the map asks again after 'loaded'. */
function answer(message: Exclude<ToWorker, { type: 'load' }>): void {
  if (message.type === 'live') {
    live = message.rows;
    if (index?.setLive(live)) post({ type: 'changed' });
  } else if (message.type === 'only') {
    only = message.ids;
    if (index?.setOnly(only)) post({ type: 'changed' });
  } else if (message.type === 'query') {
    if (index) post({ type: 'items', request: message.request, items: index.query(message.view) });
  } else if (message.type === 'nearest' || message.type === 'find' || message.type === 'cities') {
    // Before the index is built they wait: the page asked once, and nothing else would answer it.
    if (index) answerQuestion(message, index);
    else waiting.push(message);
  } else if (index) {
    const zoom = index.expansionZoom(message.cluster);
    post({ type: 'zoom', request: message.request, zoom });
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'load') void load(data.source);
  else answer(data);
});
