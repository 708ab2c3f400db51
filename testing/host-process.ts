// Starts the host as a separate process, as an operator would, and waits until it prints its URL.
import { spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');

export interface HostProcess {
  url: string;
  pid: number;
  /** The output so far, for the message of a failed test. */
  output(): string;
  hasEnded(): boolean;
  /** Sends a signal (default SIGTERM) and waits until the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * @param environment settings of the host, added to PORT=0 on 127.0.0.1; only PATH and HOME are inherited
 * @param script what Node runs, relative to the checkout; by default the built host with the options of `npm start`
 * @throws Error with the host's output if it ends before it listens
 */
export async function startHostProcess(
  environment: Record<string, string>,
  script = ['--max-semi-space-size=2', '--v8-pool-size=1', 'server/bin/packpark.mjs', 'start'],
): Promise<HostProcess> {
  const child = spawn(process.execPath, script, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PACKPARK_SETTINGS: '/dev/null',
      PORT: '0',
      HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += String(chunk);
      // If SITE_URL is set, the host prints it before the URL on which it listens.
      const ready = / is ready after .* open ([^\s"]+)(?: \(it listens on ([^\s")]+)\))?["\n]/.exec(
        printed,
      );
      const address = ready?.[2] ?? ready?.[1];
      if (address) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`The host ended with ${code}:\n${printed}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    output: () => printed,
    hasEnded,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      if (hasEnded()) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
  };
}
