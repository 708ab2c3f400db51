// Detects stale builds and rebuilds them before `npm start` and `npx packpark` run. It is JavaScript because the oldest supported
// Node runs it directly; a TypeScript runner would cost time at each start and memory in the host.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** The TypeScript runner of all scripts, passed to Node before the script's name. */
export const RUNNER = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');

/** @param {string} file below server/dist; it may not exist yet when TypeScript checks types */
const importBuilt = (file) => import(pathToFileURL(path.join(root, 'server/dist', file)).href);

/**
 * Returns true if this checkout can build. A release archive contains neither the bundler nor the sources, so it runs the build
 * that it contains.
 */
export const canBuild = () => existsSync(path.join(root, 'node_modules/rolldown'));

/**
 * Returns the parts whose build is missing or older than their sources.
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
 * Builds one part in a separate process, so that the bundler does not use the host's memory.
 * @param {'server' | 'app'} part
 * @param {'inherit' | 'ignore'} stdout the destination of the build's output
 * @returns {Promise<boolean>} true if the build succeeded
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
