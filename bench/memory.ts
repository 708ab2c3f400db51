// Goal 20: resident memory of the host after 10,000 requests, without PostgreSQL. Control: the same host right after its start.
import { startBenchHost } from './lib/bench-host.ts';
import { throughput } from './lib/load.ts';
import { residentMegabytes } from './lib/processor-time.ts';
import { round } from './lib/statistics.ts';

const REQUESTS = 10_000;

export async function run() {
  const host = await startBenchHost();
  try {
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
    const after = residentMegabytes(host.pid);
    return {
      goal: 20,
      what: `resident memory after ${REQUESTS} requests`,
      figure: round(after, 0),
      unit: 'MB',
      control: 'right after the start',
      controlFigure: round(before, 0),
      ratio: round(after / before),
      pass: after <= 140,
    };
  } finally {
    await host.stop();
  }
}
