// Installs other versions of Node from npm packages that contain only Node's binary.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './freshness.ts';

/** The current LTS. The registry does not publish Node's release schedule, so raise this each October. */
export const LTS = 26;
/** The oldest version that all packages declare as supported, including those for building and testing. */
export const OLDEST_DECLARED = '22.13.0';
const TIMEOUT_MS = 60_000;
const PACKAGE = `node-${os.platform()}-${os.arch()}`;

const npm = async (folder: string, ...args: string[]) => {
  const options = { cwd: folder, timeout: TIMEOUT_MS };
  const { stdout } = await promisify(execFile)('npm', args, options);
  return stdout;
};

/**
 * Returns the newest version in a range.
 * @param range a version such as 22.13.0, a range such as ^26.0.0, or the tag latest
 * @throws Error if the registry cannot be reached or has no such version
 */
export async function newestNode(range: string): Promise<string> {
  const found: unknown = JSON.parse(
    await npm(os.tmpdir(), 'view', `${PACKAGE}@${range}`, 'version', '--json'),
  );
  const byNumber = new Intl.Collator('en', { numeric: true }).compare;
  const version = [found].flat().map(String).sort(byNumber).at(-1);
  if (version === undefined) throw new Error(`There is no ${PACKAGE}@${range}.`);
  return version;
}

/**
 * Installs a version of Node below `folder`.
 * @returns the path of its binary
 * @throws Error if it cannot be installed
 */
export async function installNode(folder: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await npm(folder, 'install', '--prefix', folder, '--no-save', `${PACKAGE}@${version}`);
  return path.join(folder, 'node_modules', PACKAGE, 'bin/node');
}

/**
 * Returns the running Node if it is new enough, otherwise the current LTS, which is downloaded once.
 * @param major the minimum major version that a command needs
 */
export async function nodeFor(major: number): Promise<string> {
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath;
  const folder = path.join(ROOT, 'node_modules/.cache', `node-${LTS}`);
  const binary = path.join(folder, 'node_modules', PACKAGE, 'bin/node');
  return existsSync(binary) ? binary : installNode(folder, `^${LTS}.0.0`);
}
