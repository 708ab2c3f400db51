#!/usr/bin/env node
// The long fuzz: hostile requests to every route of a built host of its own, whose resident memory is watched.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SignJWT } from 'jose';
import { startBenchHost } from '../bench/lib/bench-host.mjs';
import { hostileRun } from './lib/hostile-run.mjs';

const HELP = `
Usage: node scripts/fuzz.mjs [--requests 100000] [--seed 1] [--from 0] [--connections 12]

Sends malformed and hostile requests to every route of a host that it starts for itself on a throw-away PostgreSQL.
Fails on a status of 500 or more (but 503 and 504, and 502 of functions whose outside service does not answer), on a
request without an answer, on a host that has ended or is not well afterwards, and on memory that grows. The same seed
makes the same requests: --from N --requests 1 sends number N alone.
`;

/** Memory may settle in the first quarter of the run; afterwards it may grow by this share and these MB. */
const GROWTH = { share: 1.2, megabytes: 20 };
const SECRET = 'a secret of the fuzz run with 32 characters';

function residentMegabytes(pid) {
  try {
    return (
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000
    );
  } catch {
    return 0;
  }
}

/** A token for claims, signed with `secret`. */
function sign(claims, secret = SECRET) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret));
}

/** Good, expired and forged tokens; the anonymous key first. */
async function makeTokens(host) {
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
  const [requests, seed, from, connections] = ['requests', 'seed', 'from', 'connections'].map(
    (name) => {
      if (!/^\d+$/.test(values[name])) throw new Error(`--${name} must be a whole number.`);
      return Number(values[name]);
    },
  );
  const host = await startBenchHost({ JWT_SECRET: SECRET, AUTH_MAIL_INTERVAL: '0' });
  try {
    const memory = [];
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
        memory.push(residentMegabytes(host.pid));
        const seconds = Math.round((performance.now() - began) / 1000);
        console.log(`${done} requests, ${seconds} s, ${Math.round(memory.at(-1))} MB`);
      },
    });
    const settled = Math.max(...memory.slice(0, Math.ceil(memory.length / 4)));
    const end = memory.at(-1);
    if (end === 0) failures.push('The host has ended.');
    if (end > settled * GROWTH.share + GROWTH.megabytes)
      failures.push(`Memory grew from ${Math.round(settled)} MB to ${Math.round(end)} MB.`);
    console.log('Statuses:', JSON.stringify(statuses));
    for (const failure of failures) console.log(failure);
    console.log(`${requests} requests of seed ${seed}: ${failures.length} failures.`);
    return failures.length === 0 ? 0 : 1;
  } finally {
    await host.stop();
  }
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  return 2;
});
