// `npm start`: checks the machine, builds what is stale, and hands over to the host. Plain JavaScript for any Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  stop(`Packpark needs Node 20.19 or newer; this is ${process.versions.node}.`);
if (!existsSync(path.join(root, 'node_modules/pg')))
  stop('The packages are not installed yet: run `npm ci` first.');

const { isFresh, PARTS } = await import('./lib/freshness.mjs');

/** Builds one part in a process of its own, so that the bundler's memory is not the host's; tells whether it worked. */
function build(part) {
  const child = spawn(process.execPath, [path.join(root, 'scripts/build.mjs'), part], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)));
}

const stale = Object.keys(PARTS).filter((part) => !isFresh(part));
if (stale.length > 0) console.log(`Building the ${stale.join(' and the ')} …`);
if (stale.includes('server') && !(await build('server')))
  stop('The build failed; what it said stands above.');
// The database comes up while the app is still being built.
const appBuilt = stale.includes('app') ? build('app') : Promise.resolve(true);

const { main } = await import('../server/dist/cli.mjs');
await main(['start', ...process.argv.slice(2)], appBuilt);
