// Benchmark: the compressed size of long REST responses, and the throughput of short ones, which are not compressed.
import type { Dispatcher } from 'undici';
import type { Result } from './goals.ts';
import { startBenchHost, type BenchHost } from './lib/bench-host.ts';
import { throughput } from './lib/load.ts';
import { keepAlive, send } from './lib/request.ts';
import { median, repeat } from './lib/statistics.ts';

const CONNECTIONS = 16;
const CALLS = 2000;
const ROUNDS = 32;
/**
 * The app's requests whose responses have 4 KB or more, except responses that are the same for everybody and published as files.
 */
const LONG = [
  'parks?select=*,park_translations(*)',
  'park_translations?select=park_id,language,name,city,address',
  'park_reviews?select=*&limit=40',
];
const SHORT = 'parks?select=id,lat,long&order=id&limit=5';
const OFFERED = { compressed: 'br, gzip', identity: 'identity' };

async function get(agent: Dispatcher, host: BenchHost, path: string, coding: keyof typeof OFFERED) {
  const headers = { apikey: host.anonKey, 'accept-encoding': OFFERED[coding] };
  const response = await send(agent, `${host.url}/rest/v1/${path}`, { headers });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return { bytes: response.bytes, coding: response.headers['content-encoding'] };
}

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost();
  const agent = keepAlive(CONNECTIONS);
  const rows: Result[] = [];
  for (const path of LONG) {
    const compressed = await get(agent, host, path, 'compressed');
    const identity = await get(agent, host, path, 'identity');
    if (identity.bytes < 4096) throw new Error(`${path} has ${identity.bytes} bytes only`);
    if (!compressed.coding || identity.coding) throw new Error(`${path}: ${compressed.coding}`);
    rows.push({
      goal: 'compressed responses',
      of: path,
      figure: compressed.bytes,
      control: identity.bytes,
      note: compressed.coding,
    });
  }
  const short = await get(agent, host, SHORT, 'compressed');
  if (short.coding || short.bytes >= 4096) throw new Error('The short response is compressed');
  const speed = (coding: keyof typeof OFFERED, calls: number) =>
    throughput(() => get(agent, host, SHORT, coding), { calls, connections: CONNECTIONS });
  await speed('compressed', 2000);
  // The two throughputs of a pair are measured under the same load of the machine, which may differ between pairs.
  const pairs = await repeat(ROUNDS, async (index) => {
    const codings = ['compressed', 'identity'] as const;
    const pair = { compressed: 0, identity: 0 };
    for (const coding of index % 2 === 0 ? codings : codings.toReversed())
      pair[coding] = await speed(coding, CALLS);
    return pair;
  });
  const figure = median(pairs.map(({ compressed }) => compressed));
  const control = figure / median(pairs.map(({ compressed, identity }) => compressed / identity));
  return [...rows, { goal: 'short responses', figure, control }];
}
