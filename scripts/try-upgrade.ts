// Tries the upgrade of docs/deploy.md: two release folders, a link, a running host with data; forward, and back again.
// Needs a built checkout (npm run build); makes everything in a temporary folder, and removes it.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

const ROOT = path.resolve(import.meta.dirname, '..');
const PASSWORD = 'a long enough password';

const site = mkdtempSync(path.join(os.tmpdir(), 'packpark-upgrade-'));
chmodSync(site, 0o755);
const [app, data] = [path.join(site, 'app'), path.join(site, 'data')];
const environment = {
  PATH: process.env.PATH,
  PACKPARK_SETTINGS: path.join(site, 'packpark.env'),
};
writeFileSync(
  environment.PACKPARK_SETTINGS,
  `PORT=0\nHOST=127.0.0.1\nDEMO=false\nDATA_DIR=${data}\n`,
);

function step(sentence: string): void {
  console.log(`${process.uptime().toFixed(1).padStart(6)} s  ${sentence}`);
}

function check(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(`Not so: ${sentence}`);
  step(sentence);
}

/** A release: this checkout's built files; the second one brings a migration. */
function makeRelease(name: string): void {
  const folder = path.join(site, 'releases', name);
  mkdirSync(folder, { recursive: true });
  const entries = readdirSync(ROOT).filter(
    (entry) => !/^(\.git|node_modules|test-results)$/.test(entry),
  );
  execFileSync('cp', ['-a', ...entries.map((entry) => path.join(ROOT, entry)), folder]);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
}

/** Leads the link to a release, in one step, as `ln -sfn` does. */
function link(name: string): void {
  execFileSync('ln', ['-sfn', `releases/${name}`, app]);
}

async function start(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: app, env: environment });
  let printed = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += String(chunk);
      const url = /open (http:\S+)/.exec(printed)?.[1];
      if (url) resolve({ url, child });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(printed)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}

/** Runs a command of the release in `folder`. @throws where it fails */
function packpark(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['server/bin/packpark.mjs', ...args],
    { cwd: folder, env: environment, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout.trim();
}

async function person(url: string) {
  const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
  return createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  }).auth;
}
const canSignUp = async (url: string, email: string) =>
  !(
    await (
      await person(url)
    ).signUp({
      email,
      password: PASSWORD,
      options: { data: { full_name: 'Somebody', age_confirmed: true } },
    })
  ).error;
const canLogIn = async (url: string, email: string) =>
  !(await (await person(url)).signInWithPassword({ email, password: PASSWORD })).error;

const running = new Set<ChildProcess>();
async function startRelease() {
  const host = await start();
  running.add(host.child);
  return host;
}

async function tryUpgrade(): Promise<void> {
  makeRelease('first');
  link('first');
  const first = await startRelease();
  check(
    await canSignUp(first.url, 'before@example.test'),
    'somebody signs up at the first release',
  );

  makeRelease('second');
  const migration = path.join(site, 'releases/second/supabase/migrations/20991231000000_next.sql');
  writeFileSync(migration, 'create table private.of_the_second_release ();\n');
  const unsaved = spawnSync(process.execPath, ['server/bin/packpark.mjs', 'upgrade-check'], {
    cwd: path.join(site, 'releases/second'),
    env: environment,
  });
  check(unsaved.status === 1, 'the second release does not take over without a backup');
  console.log(packpark(app, 'backup'));
  console.log(packpark(path.join(site, 'releases/second'), 'upgrade-check'));
  link('second');
  check(
    await canSignUp(first.url, 'meanwhile@example.test'),
    'somebody signs up while the next release is prepared and linked',
  );
  await stop(first.child);
  const began = performance.now();
  const second = await startRelease();
  step(
    `the second release is ready ${Math.round(performance.now() - began)} ms after the stop of the first`,
  );
  check(await canLogIn(second.url, 'before@example.test'), 'who was there before logs in');
  check(await canLogIn(second.url, 'meanwhile@example.test'), 'who came meanwhile logs in');
  await stop(second.child);

  link('first');
  const refused = await startRelease().then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
  check(/newer Packpark/.test(refused), 'the first release refuses the newer database');
  const [archive = ''] = readdirSync(path.join(data, 'backups'));
  console.log(packpark(app, 'restore', path.join(data, 'backups', archive), '--replace'));
  const back = await startRelease();
  check(
    await canLogIn(back.url, 'before@example.test'),
    'who was there before logs in after the way back',
  );
  check(
    !(await canLogIn(back.url, 'meanwhile@example.test')),
    'what came after the backup is not there',
  );
  await stop(back.child);
}

try {
  await tryUpgrade();
  console.log('The upgrade and the way back work.');
} finally {
  for (const child of running) if (child.exitCode === null) await stop(child);
  rmSync(site, { recursive: true, force: true });
}
