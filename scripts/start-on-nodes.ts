// Starts the host once on the current LTS and once on the newest Node, from npm's platform packages; for CI, beside `npm test`.
// A Node that cannot be had is said and is no failure; a host that does not start on it is one.
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, staleParts } from '../server/bin/build.mjs';
import { ROOT } from './lib/freshness.ts';

/** Node's release schedule has no machine-readable form in the registry: raise it each October. */
const LTS = 26;
const TIMEOUT_MS = 60_000;
/** Of npm's packages that hold nothing but Node's own binary. */
const PACKAGE = `node-${os.platform()}-${os.arch()}`;

const npm = async (folder: string, ...args: string[]) => {
  const options = { cwd: folder, timeout: TIMEOUT_MS };
  const { stdout } = await promisify(execFile)('npm', args, options);
  return stdout;
};

/** The newest version of a major, or of all where none is given. */
async function newest(folder: string, major?: number): Promise<string> {
  const range = `${PACKAGE}@${major === undefined ? 'latest' : `^${major}.0.0`}`;
  const found: unknown = JSON.parse(await npm(folder, 'view', range, 'version', '--json'));
  const byNumber = new Intl.Collator('en', { numeric: true }).compare;
  const version = [found].flat().map(String).sort(byNumber).at(-1);
  if (version === undefined) throw new Error(`There is no ${range}.`);
  return version;
}

/** The path of that Node's binary, below `folder`. */
async function install(folder: string, version: string): Promise<string> {
  await npm(folder, 'install', '--prefix', folder, '--no-save', `${PACKAGE}@${version}`);
  return path.join(folder, 'node_modules', PACKAGE, 'bin/node');
}

/** Starts the host with a Node on an empty data folder and stops it; what it printed when it did not become ready, else null. */
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
      const url = /open (http:\S+)/.exec(printed)?.[1];
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

// The build's time is not the start's.
for (const part of await staleParts(['server', 'app']))
  if (!(await build(part, 'inherit'))) process.exit(1);

const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-nodes-'));
const done = new Set<string>();
try {
  for (const [name, major] of [
    ['the current LTS', LTS],
    ['the newest Node', undefined],
  ] as const) {
    let version: string;
    let node: string;
    try {
      version = await newest(folder, major);
      if (done.has(version)) {
        console.log(`${name} is Node ${version}, too.`);
        continue;
      }
      node = await install(folder, version);
    } catch (error) {
      console.log(`${name} could not be had: ${String(error).split('\n')[0]}`);
      continue;
    }
    done.add(version);
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
