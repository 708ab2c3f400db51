// Benchmark: each call of the app on the large dataset and on a tenth of it, with 16 connections. Control: the tenth.
import type { Result } from './goals.ts';
import { databaseSeconds, startLargeDatasetHost } from './lib/large-dataset.ts';
import { largeDatasetCalls, type Call } from './lib/large-dataset-calls.ts';
import type { Scale } from './lib/large-dataset-sizes.ts';
import { throughput } from './lib/load.ts';
import { tokenOf } from './lib/users.ts';
import { keepAlive, send } from './lib/request.ts';
import { median, percentile, round } from './lib/statistics.ts';

const CONNECTIONS = 16;
/** Number of warm-up calls, because a new host still compiles its code and opens connections. */
const FIRST = 2000;
/** Number of calls of each type, before and during the measurement. */
const WARM = 64;
const CALLS = 2000;
/**
 * Number of parts of a measurement. The p99 is the median over the parts: one pause of the machine stalls all 16 connections, which
 * is 4 % of the calls in a part.
 */
const PARTS = 5;

function rowsIn(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : 1;
  } catch {
    return 0;
  }
}

type Kind = ReturnType<typeof largeDatasetCalls>[number];

async function openLargeDataset(scale: Scale, only: RegExp) {
  const host = await startLargeDatasetHost(scale, { TRUST_PROXY: 'true' });
  const agent = keepAlive(CONNECTIONS);
  const tokens = new Map<string, string>();
  async function tokenFor({ user, as }: Call) {
    if (as !== 'service' && user === null) return host.anonKey;
    const name = `${as ?? ''} ${user}`;
    const known = tokens.get(name);
    if (known) return known;
    const claims = as === 'service' ? { role: 'service_role' } : { aal: as ?? 'aal1' };
    const made = await tokenOf(user ?? '', claims);
    tokens.set(name, made);
    return made;
  }

  async function prepare(kind: Kind) {
    const part = kind.calls ?? CALLS / PARTS;
    const connections = kind.connections ?? CONNECTIONS;
    const warm = Math.min(WARM, part);
    const most = warm + (kind.calls ?? CALLS);
    // Tokens are signed before the measurement, so that a call's time does not include it.
    const calls: { call: Call; headers: Record<string, string> }[] = [];
    for (let index = 0; index < most; index += 1) {
      const call = kind.call(index);
      const authorization = `Bearer ${await tokenFor(call)}`;
      calls.push({ call, headers: { apikey: host.anonKey, authorization } });
    }
    let next = 0;
    const sizes: number[] = [];
    const rows: number[] = [];
    const times: number[][] = [];
    let seconds = 0;
    async function one(): Promise<number> {
      const { call, headers } = calls[(next += 1) - 1] ?? {};
      if (!call || !headers) throw new Error(`${kind.name} has no more calls.`);
      const began = performance.now();
      const { method, body } = call;
      const response = await send(agent, host.url + call.path, {
        method,
        body,
        headers: { ...headers, ...call.headers },
      });
      const took = performance.now() - began;
      sizes.push(response.bytes);
      // Only responses of the warm-up are parsed, because parsing takes longer than the host needs to send them.
      if (times.length === 0) rows.push(rowsIn(response.text));
      if (response.status >= 400)
        throw new Error(`${kind.name}: ${response.status} ${response.text.slice(0, 300)}`);
      return took;
    }
    return {
      async warm() {
        await throughput(one, { calls: warm, connections });
      },
      async measure() {
        const own: number[] = [];
        times.push(own);
        const before = databaseSeconds();
        await throughput(async () => own.push(await one()), { calls: part, connections });
        seconds += databaseSeconds() - before;
      },
      figures() {
        const all = times.flat();
        const figures = {
          // PostgreSQL's processor time per call in milliseconds. It does not depend on other load on the machine.
          database: (seconds * 1000) / all.length,
          p50: percentile(all, 0.5),
          p99: median(times.map((own) => percentile(own, 0.99))),
          bytes: percentile(sizes, 0.5),
          rows: percentile(rows, 0.5),
        };
        console.log(
          scale.padEnd(6),
          kind.name.padEnd(44),
          ...Object.values(figures).map((value) => String(round(value, 1)).padStart(9)),
        );
        return figures;
      },
    };
  }

  const start = `${host.url}/rest/v1/parks?select=id&limit=1`;
  const headers = { apikey: host.anonKey };
  await throughput(() => send(agent, start, { headers }), {
    calls: FIRST,
    connections: CONNECTIONS,
  });
  const kinds = largeDatasetCalls(scale).filter(({ name }) => only.test(name));
  return { kinds, prepare };
}

export async function run(): Promise<Result | Result[]> {
  const only = new RegExp(process.env.BENCH_ONLY ?? '');
  const rows: Result[] = [];
  const tenth = await openLargeDataset('tenth', only);
  const full = await openLargeDataset('full', only);
  for (const [index, kind] of full.kinds.entries()) {
    const smallKind = tenth.kinds[index];
    if (smallKind?.name !== kind.name) throw new Error(`${kind.name} has no control.`);
    const control = await tenth.prepare(smallKind);
    const whole = await full.prepare(kind);
    await control.warm();
    await whole.warm();
    // The two measurements are interleaved, so that a change of the machine's load affects both.
    for (let part = 0; part < (kind.calls ? 1 : PARTS); part += 1) {
      await control.measure();
      await whole.measure();
    }
    const small = control.figures();
    const large = whole.figures();
    rows.push({
      goal: 'call',
      of: kind.name,
      figure: large.p99,
      control: small.p99,
      note: `p50 ${round(large.p50, 1)} ms, PostgreSQL ${round(large.database, 1)} ms, ${round(small.database, 1)} ms with a tenth of the data, ${large.rows} rows, ${large.bytes} bytes`,
    });
  }
  return rows;
}
