// Runs the built command line as a separate process, as an operator would, with a temporary data folder.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished, vi } from 'vitest';
import { runningServer } from '#/host/db/cluster-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

type Environment = Record<string, string>;

interface Who {
  /** The user that runs the command; by default the user of this process. */
  uid?: number;
  gid?: number;
}

interface FinishedCommand {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  pid: number;
  url: string;
  output(): string;
  config(): Promise<{ anonKey: string; pushKey: string; map: object | null }>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Creates a data folder. After the test it is removed, including a PostgreSQL that a killed host left running. */
export function temporaryData(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-cli-'));
  chmodSync(folder, 0o755);
  onTestFinished(async () => {
    try {
      killServer(folder, 'SIGQUIT');
    } catch {
      // The server has already stopped.
    }
    await vi.waitFor(() => rmSync(folder, { recursive: true, force: true }), 20_000);
  });
  return folder;
}

/**
 * Sends a signal to the PostgreSQL of a data folder.
 * @throws Error if none is running, because PID 0 would signal our own processes
 */
export function killServer(folder: string, signal: NodeJS.Signals): void {
  const running = runningServer(path.join(folder, 'postgres'));
  if (!running) throw new Error('No PostgreSQL runs on this data');
  process.kill(running.pid, signal);
}

/** Returns a data folder with a migrated database. It is copied, because creating one would take most of a test's time. */
export function migratedData(): string {
  const folder = temporaryData();
  // cp preserves the owners of files; Node's copy does not.
  execFileSync('cp', ['-a', `${inject('migratedData')}/.`, folder]);
  return folder;
}

const launch = (args: string[], environment: Environment, who: Who): ChildProcess =>
  spawn(process.execPath, [path.join(ROOT, 'server/bin/packpark.mjs'), ...args], {
    cwd: '/',
    env: {
      PATH: process.env.PATH,
      // The settings file of the machine that runs the tests is ignored.
      PACKPARK_SETTINGS: '/dev/null',
      PORT: '0',
      HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...who,
  });

export function runCli(
  args: string[],
  environment: Environment = {},
  who: Who = {},
): Promise<FinishedCommand> {
  const child = launch(args, environment, who);
  onTestFinished(() => void child.kill('SIGKILL'));
  const finished = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (finished.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (finished.stderr += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...finished })));
}

/** Runs `start` until it prints its URL. It is killed after the test if it is still running. */
export async function startCli(environment: Environment, who: Who = {}): Promise<RunningCommand> {
  const child = launch(['start'], environment, who);
  let printed = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await ended;
  });
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown) => {
      printed += String(chunk);
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
      if (found) resolve(found[0]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', (code) => reject(new Error(`start ended with ${code}:\n${printed}`)));
  });
  return {
    pid: child.pid ?? 0,
    url,
    output: () => printed,
    config: async () => (await fetch(`${url}/config.json`)).json(),
    async end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
