// Benchmark: the response time of /healthz while 20 users log in at the same time. Control: the idle host.
import type { Result } from './goals.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { underLoad } from './lib/load.ts';
import { interleaved, median, milliseconds, percentile, repeat } from './lib/statistics.ts';

const LOGINS = 20;
const PROBES = 400;
const ROUNDS = 5;
const PASSWORD = 'correct horse';

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost({ AUTH_CONFIRM_EMAIL: 'false' });
  const headers = { apikey: host.anonKey, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${host.url}/auth/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
  const users = Array.from({ length: LOGINS }, (_, i) => ({
    email: `bench${i}@example.test`,
    password: PASSWORD,
  }));
  for (const user of users) await post('/signup', user);

  /** Returns the 99th percentile of sequential requests, in milliseconds. */
  async function probes() {
    const probe = async () => {
      const response = await fetch(`${host.url}/healthz`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.status}`);
    };
    return percentile(await repeat(PROBES, () => milliseconds(probe)), 0.99);
  }
  const rates: number[] = [];
  async function underLogins() {
    let done = 0;
    const began = performance.now();
    const logins = users.map((user) => async () => {
      await post('/token?grant_type=password', user);
      done += 1;
    });
    const p99 = await underLoad(logins, probes);
    rates.push(done / ((performance.now() - began) / 1000));
    return p99;
  }

  await probes();
  await underLogins();
  return {
    goal: 'logins',
    ...(await interleaved(ROUNDS, underLogins, probes)),
    note: `${Math.round(median(rates))} logins/s`,
  };
}
