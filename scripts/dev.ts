// `npm run dev`: starts Vite's dev server with hot reload for the app, and the host, which is rebuilt and restarted when its
// sources change.
import { spawn, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { build } from '../server/bin/build.mjs';
import { ROOT } from './lib/freshness.ts';

const DEBOUNCE_MS = 200;
/** Sources of the host. Vite watches those of the app. */
const WATCHED = ['server/src', 'supabase/functions', 'supabase/migrations'];

const run = (...args: string[]) => spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

let host: ChildProcess | null = null;
let stopping = false;

async function stopHost() {
  if (!host || host.exitCode !== null || host.signalCode !== null) return;
  const gone = ended(host);
  host.kill('SIGTERM');
  await gone;
}

async function startHost() {
  const built = await build('server', 'inherit');
  if (stopping || !built) return;
  await stopHost();
  host = run('server/bin/packpark.mjs', 'start');
}

let timer: NodeJS.Timeout | undefined;
let working = startHost();
for (const folder of WATCHED)
  watch(path.join(ROOT, folder), { recursive: true }, (_event, name) => {
    if (/\.test\.ts$/.test(name ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(startHost);
    }, DEBOUNCE_MS);
  });

let vite: ChildProcess | null = null;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    vite?.kill('SIGTERM');
    void working.then(stopHost).then(() => process.exit(0));
  });
await working;
if (!stopping) vite = run('node_modules/vite/bin/vite.js', 'app');
