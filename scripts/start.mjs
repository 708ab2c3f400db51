// `npm start`: checks the machine, builds stale parts, and runs the host in the same process. This file is JavaScript, because even
// an old Node must be able to run it and print that it is too old. Operators' systemd units name this file.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** @param {string} message @returns {never} */
function stop(message) {
  console.error(message);
  process.exit(1);
}

const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const minVersion = engines.node.replace('>=', '');
const compareVersions = new Intl.Collator('en', { numeric: true }).compare;
if (compareVersions(process.versions.node, minVersion) < 0)
  stop(`Packpark needs Node ${minVersion} or newer; this is ${process.versions.node}.`);

const { build, canBuild, importCommands, staleParts } = await import('../server/bin/build.mjs');
if (!canBuild() && !existsSync(path.join(root, 'server/dist/cli.mjs')))
  stop('The packages are not installed yet: run `npm ci` first.');

const stale = await staleParts(['server', 'app']);
if (stale.length > 0) console.log(`Building the ${stale.join(' and the ')} …`);
// The host and its database start while the app is still being built.
const appBuilt = stale.includes('app') ? build('app', 'inherit') : Promise.resolve(true);
if (stale.includes('server') && !(await build('server', 'inherit')))
  stop('The build failed; see its output above.');

const { main } = await importCommands();
await main(['start', ...process.argv.slice(2)], appBuilt);
