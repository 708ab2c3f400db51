// Starts the host once on each Node version that the README names, installed from npm, and checks that every package supports the
// versions that the README claims. CI runs it before `npm test`. A version that cannot be installed is reported but does not fail.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, staleParts } from '../server/bin/build.mjs';
import { ROOT } from './lib/freshness.ts';
import { installNode, LTS, newestNode, OLDEST_DECLARED } from './lib/other-node.ts';

const TIMEOUT_MS = 60_000;

/**
 * Starts the host with a Node version on an empty data folder and stops it. Returns null, or the output if the host did not become
 * ready.
 */
async function failure(node: string): Promise<string | null> {
  const data = await mkdtemp(path.join(os.tmpdir(), 'packpark-node-'));
  await chmod(data, 0o755);
  const { PATH, HOME } = process.env;
  const host = spawn(node, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: { PATH, HOME, PORT: '0', HOST: '127.0.0.1', DATA_DIR: data },
  });
  const ended = new Promise((resolve) => host.once('close', resolve));
  let printed = '';
  const ready = new Promise<boolean>((resolve) => {
    const read = (chunk: Buffer) => {
      printed += String(chunk);
      const url = /open (http:[^\s"]+)/.exec(printed)?.[1];
      if (url)
        fetch(`${url}/readyz`).then(
          ({ ok }) => resolve(ok),
          () => resolve(false),
        );
    };
    host.stdout.on('data', read);
    host.stderr.on('data', read);
    void ended.then(() => resolve(false));
    setTimeout(() => resolve(false), TIMEOUT_MS).unref();
  });
  const isReady = await ready;
  host.kill('SIGTERM');
  await ended;
  await rm(data, { recursive: true, force: true });
  return isReady ? null : printed;
}

/**
 * Makes npm compare a Node version with the `engines` of all packages.
 * @throws Error with the first package that does not support it
 */
async function checkEngines(node: string): Promise<void> {
  const env = { ...process.env, PATH: `${path.dirname(node)}:${process.env.PATH}` };
  const args = ['ci', '--dry-run', '--engine-strict', '--ignore-scripts', '--prefer-offline'];
  await promisify(execFile)('npm', args, { cwd: ROOT, env, maxBuffer: 2 ** 24 });
}

const { engines } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  engines: { node: string };
};
/** The lowest patch release of the minimum version. */
const OLDEST = `${engines.node.replace('>=', '')}.0`;

// Builds first, so that the measured start does not include the build.
for (const part of await staleParts(['server', 'app']))
  if (!(await build(part, 'inherit'))) process.exit(1);

const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-nodes-'));
const done = new Set<string>();
try {
  for (const [name, range] of [
    ['our minimum', OLDEST],
    ['the minimum of all packages', OLDEST_DECLARED],
    ['the current LTS', `^${LTS}.0.0`],
    ['the newest Node', 'latest'],
  ] as const) {
    let version: string;
    let node: string;
    try {
      version = await newestNode(range);
      if (done.has(version)) {
        console.log(`${name} is Node ${version}, too.`);
        continue;
      }
      node = await installNode(path.join(folder, version), version);
    } catch (error) {
      console.log(`${name} could not be had: ${String(error).split('\n')[0]}`);
      continue;
    }
    done.add(version);
    if (version === OLDEST_DECLARED) {
      try {
        await checkEngines(node);
      } catch (error) {
        console.error(`Not every package supports Node ${version}:\n${String(error)}`);
        process.exitCode = 1;
      }
    }
    const printed = await failure(node);
    if (printed === null) console.log(`The host starts on ${name}, Node ${version}.`);
    else {
      console.error(`The host does not start on ${name}, Node ${version}:\n${printed}`);
      process.exitCode = 1;
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
