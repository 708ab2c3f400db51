// Tests that a signal to `npm start` or `packpark start` also stops the host and its database.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { isAlive } from './lib/build-lock.ts';
import { ROOT } from './lib/freshness.ts';

/** Appended to the output when all processes have ended. */
const ENDED = '\n(all ended)';

const folder = temporaryFolder();

/** Returns the process ID of PostgreSQL's main process, from its PID file. */
async function databasePid(): Promise<number> {
  const file = await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}

/** Runs npm or npx with this data folder. Returns the process and its output so far. */
function npmStart(program: string, args: readonly string[]) {
  const { PATH, HOME } = process.env;
  const settings = { PORT: '0', HOST: '127.0.0.1', DEMO: 'false', PACKPARK_SETTINGS: '/dev/null' };
  const npm = spawn(program, args, {
    cwd: ROOT,
    env: { PATH, HOME, DATA_DIR: folder, ...settings },
    // A separate process group lets a failed test end processes that npm left running.
    detached: true,
  });
  let output = '';
  const read = (chunk: Buffer) => (output += String(chunk));
  npm.stdout.on('data', read);
  npm.stderr.on('data', read);
  // `close` is emitted when the last process that writes to the pipes has ended, because npx may end before its host.
  npm.once('close', () => (output += ENDED));
  return { npm, output: () => output };
}

test.each([
  ['SIGTERM', 'npm', ['start']],
  ['SIGINT', 'npm', ['start']],
  ['SIGTERM', 'npx', ['packpark', 'start']],
] as const)('%s to %s ends the host and the database', async (signal, program, args) => {
  const { npm, output } = npmStart(program, args);
  try {
    await expect.poll(output, { timeout: 120_000 }).toMatch(/: open http:/);
    const database = await databasePid();
    expect(isAlive(database)).toBe(true);
    npm.kill(signal);
    await expect.poll(output).toContain(ENDED);
    expect(isAlive(database)).toBe(false);
  } finally {
    if (!output().includes(ENDED)) process.kill(-(npm.pid ?? 0), 'SIGTERM');
    await expect.poll(output).toContain(ENDED);
  }
});
