// What `npm start` and `npx packpark` ask before they run what is built: is it stale, and build it. JavaScript, because
// the oldest Node runs it as it is: a TypeScript runner would cost each start time and the host memory.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** The TypeScript runner of all scripts: what Node gets before the script's name. */
export const RUNNER = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');

/** @param {string} file below server/dist, which need not be there when types are checked */
const importBuilt = (file) => import(pathToFileURL(path.join(root, 'server/dist', file)).href);

/** Whether this copy can build: a release comes without the bundler and the sources; then what was built is what runs. */
export const canBuild = () => existsSync(path.join(root, 'node_modules/rolldown'));

/**
 * Which of the parts no longer match their sources; a build without the check in it is older than the check.
 * @param {('server' | 'app')[]} parts
 */
export async function staleParts(parts) {
  if (!canBuild()) return [];
  if (!existsSync(path.join(root, 'server/dist/freshness.mjs'))) return parts;
  /** @type {typeof import('../../scripts/lib/freshness.ts')} */
  const { isFresh } = await importBuilt('freshness.mjs');
  return parts.filter((part) => !isFresh(part));
}

/**
 * Builds one part in its own process, because the bundler's memory must not become the host's. A second process then goes on
 * compressing the app.
 * @param {'server' | 'app'} part
 * @param {'inherit' | 'ignore'} stdout where the build's messages go when it succeeds
 * @returns {Promise<boolean>} whether the part can be used
 */
export function build(part, stdout) {
  /** @param {string[]} options */
  const run = (...options) =>
    spawn(process.execPath, [RUNNER, 'scripts/build.ts', part, ...options], {
      cwd: root,
      stdio: ['ignore', stdout, 'inherit'],
    });
  return new Promise((resolve) => {
    run('--usable').once('exit', (code) => {
      if (code === 0 && part === 'app') run().unref();
      resolve(code === 0);
    });
  });
}

/** @returns {Promise<typeof import('../src/cli/main.ts')>} the built commands */
export const importCommands = () => importBuilt('cli.mjs');
