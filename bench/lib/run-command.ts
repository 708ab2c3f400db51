// Runs one of the operators' commands for a benchmark, and watches how much memory its process takes.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ROOT } from './server-code.ts';

/** How often the memory is read, in ms: its highest mark is the kernel's own. */
const WATCH_MS = 50;

export interface Ran {
  seconds: number;
  /** The highest resident set of the command's own process; PostgreSQL's is apart. */
  megabytes: number;
}

/** Runs `packpark`. @param environment its settings @throws where it fails */
export function runPackpark(
  parameters: string[],
  environment: Record<string, string>,
): Promise<Ran> {
  const began = performance.now();
  const child = spawn(process.execPath, ['server/bin/packpark.mjs', ...parameters], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PACKPARK_SETTINGS: '/dev/null',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let kilobytes = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      kilobytes = Math.max(kilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended.
    }
  }, WATCH_MS);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      clearInterval(watch);
      if (code !== 0) reject(new Error(`packpark ${parameters[0]} ended with ${code}`));
      else resolve({ seconds: (performance.now() - began) / 1000, megabytes: kilobytes / 1000 });
    });
  });
}
