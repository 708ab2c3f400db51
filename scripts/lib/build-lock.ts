// Lets one process build a part at a time: tests and commands may all find it stale at once.
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

/** Whether the lock is ours now; one whose holder died is opened for the next try. */
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
    // Given back in this very moment.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return false;
}

/** Runs `work` while no other process does so for the same part; a lock whose process died is taken over. */
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
