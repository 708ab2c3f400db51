// How long /healthz takes while 20 people log in at once, against the idle host.
import type { Result } from './goals.ts';
import { startBenchHost } from './lib/bench-host.ts';
import { byTurns, median, percentile } from './lib/statistics.ts';

const LOGINS = 20;
const PROBES = 400;
const ROUNDS = 5;
const PASSWORD = 'correct horse';

async function timed(url: string) {
  const began = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.status}`);
  return performance.now() - began;
}

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
  const people = Array.from({ length: LOGINS }, (_, i) => ({
    email: `bench${i}@example.test`,
    password: PASSWORD,
  }));
  for (const person of people) await post('/signup', person);

  /** The 99th percentile of probes one after the other, in milliseconds. */
  async function probes() {
    const times: number[] = [];
    for (let i = 0; i < PROBES; i += 1) times.push(await timed(`${host.url}/healthz`));
    return percentile(times, 0.99);
  }
  const rates: number[] = [];
  async function underLogins() {
    let logging = true;
    let done = 0;
    const began = performance.now();
    const crowd = people.map(async (person) => {
      for (; logging; done += 1) await post('/token?grant_type=password', person);
    });
    const p99 = await probes();
    logging = false;
    await Promise.all(crowd);
    rates.push(done / ((performance.now() - began) / 1000));
    return p99;
  }

  await probes();
  await underLogins();
  return {
    goal: 'logins',
    ...(await byTurns(ROUNDS, underLogins, probes)),
    note: `${Math.round(median(rates))} logins/s`,
  };
}
