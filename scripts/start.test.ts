// Whoever stops `npm start` or `npx packpark start` by a signal to npm stops the host and its database, too.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-start-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

/** The database server's process, from the file that PostgreSQL itself keeps while it runs. */
async function databasePid(): Promise<number> {
  const file = await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}

/** Runs npm or npx on this folder; resolves when the host says where it listens. */
function npmStart(program: string, args: string[]) {
  const { PATH, HOME } = process.env;
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    DEMO: 'false',
    PACKPARK_SETTINGS: '/dev/null',
  };
  const npm = spawn(program, args, {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    // A process group of its own, so that a failed test can end what npm has left behind.
    detached: true,
  });
  let printed = '';
  return new Promise<{ npm: typeof npm; url: string }>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += String(chunk);
      const url = /open (http:\S+)/.exec(printed)?.[1];
      if (url) resolve({ npm, url });
    };
    npm.stdout.on('data', read);
    npm.stderr.on('data', read);
    npm.once('close', (code) => reject(new Error(`${program} ended with ${code}:\n${printed}`)));
  });
}

test.each([
  ['SIGTERM', 'npm', ['start']],
  ['SIGINT', 'npm', ['start']],
  ['SIGTERM', 'npx', ['packpark', 'start']],
] as const)('%s to %s ends the host and the database', async (signal, program, args) => {
  const { npm, url } = await npmStart(program, [...args]);
  const database = await databasePid();
  expect(isAlive(database)).toBe(true);
  npm.kill(signal);
  try {
    await expect.poll(() => answers(url)).toBe(false);
    await expect.poll(() => isAlive(database)).toBe(false);
  } finally {
    if (isAlive(database)) process.kill(-(npm.pid ?? 0), 'SIGTERM');
    await expect.poll(() => isAlive(database)).toBe(false);
  }
});
