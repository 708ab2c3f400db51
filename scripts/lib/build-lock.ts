// A lock that lets only one process at a time build a part, because several tests and commands may find it stale at the same time.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT, type Part } from './freshness.ts';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

export function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Tries to take the lock. If its process is dead, removes the lock, so that the next attempt succeeds. */
function take(file: string) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
  } catch (error) {
    // Another process may have released the lock in the meantime.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return false;
}

/** Runs `work` while no other process works on the same part. If the process that holds the lock is dead, takes over its lock. */
export async function withBuildLock<Result>(
  part: Part,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = path.join(ROOT, 'node_modules/.cache/packpark');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${part}.lock`);
  while (!take(file)) await delay(50);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
