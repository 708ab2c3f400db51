// Benchmark: the resident memory of the host after 10,000 requests, without PostgreSQL. Control: the same host right after its
// start.
import type { Result } from './goals.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { throughput } from './lib/load.ts';
import { residentMegabytes } from './lib/processor-time.ts';

const REQUESTS = 10_000;

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost();
  const before = residentMegabytes(host.pid);
  const headers = { apikey: host.anonKey };
  const paths = [
    '/',
    '/rest/v1/rpc/live_counts',
    '/rest/v1/parks?select=id,size,park_translations(name,city)&limit=20',
    '/storage/v1/object/public/parks/parks-en.json',
    '/config.json',
    '/auth/v1/.well-known/jwks.json',
  ];
  await throughput(
    async (index) => {
      const path = paths[index % paths.length];
      const response = await fetch(`${host.url}${path}`, { headers });
      await response.arrayBuffer();
      if (response.status >= 500) throw new Error(`${path}: ${response.status}`);
    },
    { calls: REQUESTS, connections: 16 },
  );
  return { goal: 'memory', figure: residentMegabytes(host.pid), control: before };
}
