// Starts the built host as a process of its own, the way an operator does, and waits until it says where it listens.
import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

export interface RunningHost {
  url: string;
  /** What it has printed so far, for the message of a failed test. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * @param environment settings of the host, added to PORT=0 on 127.0.0.1
 * @throws with what the host printed when it ends before it listens
 */
export async function startRunningHost(environment: Record<string, string>): Promise<RunningHost> {
  const child = spawn(process.execPath, ['server/bin/packpark.mjs', 'start'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    function read(chunk: unknown): void {
      printed += String(chunk);
      const listening = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(printed);
      if (listening) resolve(listening[0]);
    }
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`The host ended with ${code}:\n${printed}`)));
  });
  return {
    url,
    output: () => printed,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
  };
}
