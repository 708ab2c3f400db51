// Benchmark: ten thousand users look at the map of the large dataset while others check in. Control: a plain HTTP server.
import type { Result } from './goals.ts';
import { startControl } from './lib/bench-host.ts';
import { databaseSeconds, startLargeDatasetHost } from './lib/large-dataset.ts';
import { userId } from './lib/large-dataset-sizes.ts';
import { atConstantRate } from './lib/load.ts';
import { tokenOf } from './lib/users.ts';
import { countingAgent, makePhone, type Phone } from './lib/phone.ts';
import { processorSeconds } from './lib/processor-time.ts';
import { send } from './lib/request.ts';
import { percentile, round } from './lib/statistics.ts';

const VIEWERS = 10_000;
const POLL_MS = 15_000;
const SECONDS = 60;
const CHECK_INS_PER_MINUTE = 60;
/** The number of viewers whose view is checked. */
const WATCHED = 300;
const SOCKETS = 200;

interface Visit {
  park: number;
  dogs: number;
  at: number;
  seenBy: Set<Phone>;
}

export async function run(): Promise<Result | Result[]> {
  const host = await startLargeDatasetHost('full');
  const { agent, bytes } = countingAgent(SOCKETS);
  const own = countingAgent(8);
  async function checkIn(user: string, park: number, dogs: number) {
    const { status, text } = await send(own.agent, `${host.url}/rest/v1/rpc/check_in`, {
      headers: { apikey: host.anonKey, authorization: `Bearer ${await tokenOf(user)}` },
      body: { p_park_id: park, p_dog_count: dogs, p_switch: true },
    });
    if (status !== 200) throw new Error(`check_in: ${status} ${text}`);
  }

  const phones = Array.from({ length: VIEWERS }, () => makePhone(agent, host.url, host.anonKey));
  const watched = new Set(phones.filter((_, n) => n % Math.floor(VIEWERS / WATCHED) === 0));
  // First, every viewer loads all parks, which happens once in ten minutes.
  await atConstantRate(
    { perSecond: 1500, seconds: VIEWERS / 1500 },
    (n) => phones[n]?.poll() ?? Promise.resolve(),
  );

  const visits: Visit[] = [];
  const delays: number[] = [];
  const look = async (phone: Phone) => {
    await phone.poll();
    if (!watched.has(phone)) return;
    for (const visit of visits) {
      if (visit.seenBy.has(phone)) continue;
      if ((phone.counts?.parks[visit.park]?.dogs_now ?? 0) < visit.dogs) continue;
      visit.seenBy.add(phone);
      delays.push(performance.now() - visit.at);
    }
  };
  const ownDelays: number[] = [];
  const arrive = async (n: number) => {
    // Parks without other visitors are chosen, so that all dogs there come from this visit.
    const park = 2 + ((n * 10) % 3000);
    const phone = makePhone(own.agent, host.url, host.anonKey);
    await phone.poll();
    await checkIn(userId(5000 + n), park, 2);
    const at = performance.now();
    visits.push({ park, dogs: 2, at, seenBy: new Set() });
    await phone.poll(true);
    if (phone.counts?.parks[park]?.dogs_now !== 2)
      throw new Error('One’s own check-in is missing.');
    ownDelays.push(performance.now() - at);
    // Half of them check out again, after every viewer has polled once more.
    const leaving = n - 40;
    if (n % 2 === 0 && leaving >= 0) await checkIn(userId(5000 + leaving), park + 1, 2);
  };

  const perSecond = VIEWERS / (POLL_MS / 1000);
  const used = () => ({
    processor: processorSeconds(host.pid),
    database: databaseSeconds(),
    bytes: bytes(),
  });
  const before = used();
  await Promise.all([
    atConstantRate({ perSecond, seconds: SECONDS }, (n) => look(phones[n % VIEWERS] as Phone)),
    atConstantRate({ perSecond: CHECK_INS_PER_MINUTE / 60, seconds: SECONDS }, arrive),
  ]);
  const after = used();
  // All viewers poll once more, because the last arrivals are visible only in the next poll.
  await atConstantRate({ perSecond, seconds: POLL_MS / 1000 + 3 }, (n) =>
    look(phones[n % VIEWERS] as Phone),
  );
  const missed = visits.reduce((sum, { seenBy }) => sum + watched.size - seenBy.size, 0);

  const sample = await send(
    own.agent,
    `${host.url}/rest/v1/rpc/live_counts?p_since=${Math.floor(Date.now() / 3000) - 5}&apikey=${host.anonKey}`,
  );
  const control = await baselineProcessorSeconds(perSecond, sample.text);

  const share = (seconds: number) => (seconds / SECONDS) * 100;
  return [
    {
      goal: 'live host',
      figure: share(after.processor - before.processor),
      control: share(control),
    },
    { goal: 'live database', figure: share(after.database - before.database) },
    { goal: 'live bytes', figure: (after.bytes - before.bytes) / VIEWERS / (SECONDS / 60) / 1000 },
    { goal: 'live own', figure: percentile(ownDelays, 0.99) },
    {
      goal: 'live others',
      figure: percentile(delays, 0.5) / 1000,
      note: `longest ${round(Math.max(...delays) / 1000, 1)} s`,
    },
    { goal: 'live missed', figure: missed },
  ];
}

/** Returns the processor time that a plain server needs for as many requests as the viewers send. */
async function baselineProcessorSeconds(perSecond: number, body: string): Promise<number> {
  const { port, pid } = await startControl('baseline-responses.ts', body);
  const { agent } = countingAgent(SOCKETS);
  const phones = Array.from({ length: 100 }, () =>
    makePhone(agent, `http://127.0.0.1:${port}`, 'key'),
  );
  const poll = (n: number) => phones[n % phones.length]?.poll() ?? Promise.resolve();
  await atConstantRate({ perSecond, seconds: 5 }, poll);
  const before = processorSeconds(pid);
  await atConstantRate({ perSecond, seconds: SECONDS / 3 }, poll);
  return (processorSeconds(pid) - before) * 3;
}
