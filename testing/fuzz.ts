#!/usr/bin/env node
// The long fuzz: hostile requests to every route of a built host of its own, whose memory is watched.
import { parseArgs } from 'node:util';
import { SignJWT, type JWTPayload } from 'jose';
import { startBenchHost, type BenchHost } from '../bench/lib/bench-host.ts';
import { hostileRun } from './hostile-run.ts';
import { watchMemory, type MemoryReading } from './live-memory.ts';

const HELP = `
Usage: npm run fuzz -- [--requests 100000] [--seed 1] [--from 0] [--connections 12]

Sends malformed and hostile requests to every route of a host that it starts for itself on a throw-away PostgreSQL.
Fails on a status of 500 or more (but 503 and 504, and 502 of functions whose outside service does not answer), on a
request without an answer, on a host that has ended or is not well afterwards, and on memory that grows: what is alive
after a collection, and what the process holds then. The same seed makes the same requests: --from N --requests 1 sends
number N alone.
`;

/** Memory may settle in the first quarter of the run; afterwards each kind may grow by so many MB, whatever the length. */
const GROWTH = { live: 8, resident: 25 };
const SECRET = 'a secret of the fuzz run with 32 characters';

/** Sentences about what grew between the first quarter and the end of the readings. */
function growth(readings: MemoryReading[]): string[] {
  const settled = readings.slice(0, Math.ceil(readings.length / 4));
  return (['live', 'resident'] as const).flatMap((kind) => {
    const before = Math.max(...settled.map((reading) => reading[kind]));
    const end = readings.at(-1)?.[kind] ?? 0;
    if (end <= before + GROWTH[kind]) return [];
    return [`Memory (${kind}) grew from ${Math.round(before)} MB to ${Math.round(end)} MB.`];
  });
}

function sign(claims: JWTPayload, secret = SECRET) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret));
}

/** Good, expired and forged tokens; the anonymous key first. */
async function makeTokens(host: BenchHost): Promise<string[]> {
  const response = await fetch(`${host.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: host.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'fuzz@example.test', password: 'correct horse' }),
  });
  const { access_token: person, user } = await response.json();
  const claims = { role: 'authenticated', sub: user.id, aud: 'authenticated' };
  return [
    host.anonKey,
    person,
    await sign({ ...claims, exp: 4_000_000_000 }),
    await sign({ role: 'service_role' }),
    await sign({ ...claims, exp: 1 }),
    await sign({ ...claims, sub: "'" }),
    await sign({ ...claims, role: 'postgres' }),
    await sign(claims, 'the secret of somebody else, 32 long'),
    'a.b.c',
    '',
  ];
}

async function main() {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      connections: { type: 'string', default: '12' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(HELP.trim());
    return 0;
  }
  const numberOf = (name: 'requests' | 'seed' | 'from' | 'connections') => {
    if (!/^\d+$/.test(values[name])) throw new Error(`--${name} must be a whole number.`);
    return Number(values[name]);
  };
  const requests = numberOf('requests');
  const seed = numberOf('seed');
  const from = numberOf('from');
  const connections = numberOf('connections');
  const host = await startBenchHost({
    JWT_SECRET: SECRET,
    AUTH_MAIL_INTERVAL: '0',
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
  });
  const memory = await watchMemory(host.inspector ?? '');
  try {
    const readings: Promise<MemoryReading>[] = [];
    const each = Math.max(1, Math.floor(requests / 20));
    const began = performance.now();
    const { failures, statuses } = await hostileRun({
      url: host.url,
      seed,
      from,
      requests,
      connections,
      tokens: await makeTokens(host),
      onProgress(done) {
        if (done % each !== 0) return;
        const seconds = Math.round((performance.now() - began) / 1000);
        const reading = memory.read().then(({ live, resident }) => {
          const figures = `${Math.round(live)} MB alive, ${Math.round(resident)} MB resident`;
          console.log(`${done} requests, ${seconds} s, ${figures}`);
          return { live, resident };
        });
        reading.catch(() => undefined);
        readings.push(reading);
      },
    });
    failures.push(...(await Promise.all(readings).then(growth, (error: Error) => [error.message])));
    console.log('Statuses:', JSON.stringify(statuses));
    for (const failure of failures) console.log(failure);
    console.log(`${requests} requests of seed ${seed}: ${failures.length} failures.`);
    return failures.length === 0 ? 0 : 1;
  } finally {
    memory.close();
    await host.stop();
  }
}

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message);
  return 2;
});
