// Starts the host as a process of its own, the way an operator does, and waits until it says where it listens.
import { spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * @param environment settings of the host, added to PORT=0 on 127.0.0.1; of this process's own it gets only PATH and HOME
 * @param script what Node runs, from the checkout: the built host unless given
 * @returns {url, pid, output(), stop(signal)}
 * @throws with what the host printed when it ends before it listens
 */
export async function startHostProcess(environment, script = ['server/bin/packpark.mjs', 'start']) {
  const child = spawn(process.execPath, script, {
    cwd: ROOT,
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
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      printed += String(chunk);
      const listening = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(printed);
      if (listening) resolve(listening[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`The host ended with ${code}:\n${printed}`)));
  });
  return {
    url,
    pid: child.pid,
    output: () => printed,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
  };
}
