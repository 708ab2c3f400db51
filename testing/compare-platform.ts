#!/usr/bin/env node
// Puts a host of its own and a Supabase URL through the same client scenario, and prints where they answer differently.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runScenario } from './client-scenario.ts';
import { startHostProcess, type HostProcess } from './host-process.ts';
import { compareRuns } from './result-differences.ts';

/** A loopback port without a listener: the host of this comparison asks no outside service. */
const NO_SERVICE = 'http://127.0.0.1:9';

const HELP = `
Usage: npx jiti testing/compare-platform.ts --url URL --key ANON_KEY [--mail-domain DOMAIN] [--json]

Runs one scenario of the official client (accounts, rows, rpc, files, functions, realtime) against a host that it
starts for itself and against URL, and prints each difference of shapes, statuses, codes and messages. Ids, times and
tokens are not compared. Exits with 0 when there is none, 1 when there are some, 2 when it cannot be run.

URL must run this project's supabase/ folder and let people sign up without confirming their email. The scenario
makes two accounts there and deletes them at its end.

  --url          such as https://<ref>.supabase.co
  --key          its anonymous key
  --mail-domain  of the two invented addresses (example.com; a platform may refuse that one)
  --json         print both runs' normalised results as they are, for a closer look
  --help         this text
`;

/** Starts the built host on a free port and an empty data folder; resolves with {url, key, stop()}. */
async function startOwnHost() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-compare-'));
  chmodSync(folder, 0o755);
  let host: HostProcess | null = null;
  async function stop() {
    await host?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    host = await startHostProcess({
      DATA_DIR: folder,
      DEMO: 'false',
      WEATHER_URL: NO_SERVICE,
      GEOCODER_URL: NO_SERVICE,
    });
    const { anonKey } = await (await fetch(`${host.url}/config.json`)).json();
    return { url: host.url, key: anonKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      'mail-domain': { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(HELP.trim());
    return 0;
  }
  if (!values.url || !values.key || !URL.canParse(values.url))
    throw new Error('Give --url and --key; --help says which.');
  const mailDomain = values['mail-domain'] ?? 'example.com';
  const host = await startOwnHost();
  try {
    const ours = await runScenario({ url: host.url, key: host.key, mailDomain });
    const url = values.url.replace(/\/+$/, '');
    const theirs = await runScenario({ url, key: values.key, mailDomain });
    if (values.json) console.log(JSON.stringify({ ours, theirs }, null, 2));
    const lines = compareRuns(ours, theirs);
    for (const line of lines) console.log(line);
    console.log(`${ours.results.length} steps, ${lines.length} differences.`);
    return lines.length === 0 ? 0 : 1;
  } finally {
    await host.stop();
  }
}

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message);
  return 2;
});
