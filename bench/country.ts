// Goal 22: each call of the app at a country's size, at a tenth of it and whole, at 16 connections. Control: the tenth.
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { SignJWT } from 'jose';
import { databaseSeconds, plansOf, startCountryHost } from './lib/country.ts';
import { countryCalls, type Call } from './lib/country-calls.ts';
import type { Scale } from './lib/country-numbers.ts';
import { throughput } from './lib/load.ts';
import { send } from './lib/request.ts';
import { percentile, round } from './lib/statistics.ts';

const CONNECTIONS = 16;
/** Before the first kind of calls: a host that has just started still compiles its own code, and opens its connections. */
const FIRST = 2000;
/** Of each kind, before and while it is measured: of so many, a pause of the machine that holds all connections once is below 1 %. */
const WARM = 64;
const CALLS = 2000;
/** More of them, one after the other: a statement that takes longer leaves its plan. */
const EXPLAINED = 4;
const SLOW_MS = 10;
const PLANS = path.join(import.meta.dirname, 'results/country-plans.txt');
const SECRET = 'a secret of the benchmark with at least 32 characters';

interface Figures {
  /** Processor time of PostgreSQL for each call, in ms: other work on the machine does not change it. */
  database: number;
  p50: number;
  p99: number;
  bytes: number;
  rows: number;
}

function rowsIn(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : 1;
  } catch {
    return 0;
  }
}

interface Measured {
  figures: Map<string, Figures>;
  plans: string;
}

async function measure(scale: Scale, only: RegExp): Promise<Measured> {
  const host = await startCountryHost(scale, { JWT_SECRET: SECRET, TRUST_PROXY: 'true' });
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const key = new TextEncoder().encode(SECRET);
  const tokens = new Map<string, string>();
  async function tokenOf({ person, as }: Call) {
    if (as !== 'service' && person === null) return host.anonKey;
    const name = `${as ?? ''} ${person}`;
    const known = tokens.get(name);
    if (known) return known;
    const claims =
      as === 'service'
        ? { role: 'service_role' }
        : { role: 'authenticated', sub: person ?? '', aud: 'authenticated', aal: as ?? 'aal1' };
    const made = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime('1h')
      .sign(key);
    tokens.set(name, made);
    return made;
  }
  const figures = new Map<string, Figures>();
  let plans = '';
  try {
    const start = `${host.url}/rest/v1/parks?select=id&limit=1`;
    const headers = { apikey: host.anonKey };
    await throughput(() => send(agent, start, { headers }), {
      calls: FIRST,
      connections: CONNECTIONS,
    });
    for (const kind of countryCalls(scale)) {
      if (!only.test(kind.name)) continue;
      // A call's own time does not hold the making of tokens.
      const measured = kind.calls ?? CALLS;
      const warm = Math.min(WARM, measured);
      const calls: { call: Call; headers: Record<string, string> }[] = [];
      for (let index = 0; index < warm + measured + EXPLAINED; index += 1) {
        const call = kind.call(index);
        const authorization = `Bearer ${await tokenOf(call)}`;
        calls.push({ call, headers: { apikey: host.anonKey, authorization } });
      }
      const times: number[] = [];
      const sizes: number[] = [];
      const rows: number[] = [];
      const one = (from: number) => async (index: number) => {
        const { call, headers } = calls[from + index] ?? {};
        if (!call || !headers) return;
        const began = performance.now();
        const { method, body } = call;
        const answer = await send(agent, host.url + call.path, {
          method,
          body,
          headers: { ...headers, ...call.headers },
        });
        // Reading an answer takes this process longer than the host takes to make it: only those before are read.
        if (from > 0) times.push(performance.now() - began);
        else rows.push(rowsIn(answer.text));
        sizes.push(answer.bytes);
        if (answer.status >= 400)
          throw new Error(`${kind.name}: ${answer.status} ${answer.text.slice(0, 300)}`);
      };
      await throughput(one(0), { calls: warm, connections: CONNECTIONS });
      const before = databaseSeconds();
      await throughput(one(warm), { calls: measured, connections: CONNECTIONS });
      const found = {
        database: ((databaseSeconds() - before) * 1000) / measured,
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        bytes: percentile(sizes, 0.5),
        rows: percentile(rows, 0.5),
      };
      figures.set(kind.name, found);
      console.log(
        scale.padEnd(6),
        kind.name.padEnd(44),
        ...Object.values(found).map((value) => String(round(value, 1)).padStart(9)),
      );
      const slow = await plansOf(host, SLOW_MS, async () => {
        for (let index = 0; index < EXPLAINED; index += 1) await one(warm + measured)(index);
      });
      if (slow.includes('plan:')) plans += `== ${kind.name} (${scale})\n\n${slow}\n`;
    }
  } finally {
    agent.destroy();
    await host.stop();
  }
  return { figures, plans };
}

export async function run() {
  const only = new RegExp(process.env.BENCH_ONLY ?? '');
  const tenth = await measure('tenth', only);
  const full = await measure('full', only);
  if (process.env.BENCH_ONLY === undefined)
    writeFileSync(
      PLANS,
      tenth.plans + full.plans || 'No statement took longer than 10 ms alone.\n',
    );
  return countryCalls('full')
    .filter(({ name }) => only.test(name))
    .map(({ name, limit }) => {
      const [small, large] = [tenth.figures.get(name), full.figures.get(name)];
      if (!small || !large) throw new Error(`${name} was not measured.`);
      const ratio = large.p99 / small.p99;
      return {
        goal: 22,
        what: `${name}: p99 (p50 ${round(large.p50, 1)} ms, ${round(large.database, 1)} ms of PostgreSQL, ${round(small.database, 1)} at a tenth, ${large.rows} rows, ${large.bytes} bytes)`,
        figure: round(large.p99, 1),
        unit: 'ms',
        control: 'a tenth of the data',
        controlFigure: round(small.p99, 1),
        ratio: round(ratio),
        pass: large.p99 <= limit && ratio <= 2,
      };
    });
}
