// Builds the server and the app at the end of `npm ci`, so that no start waits for it, the restart after an upgrade least of all.
// JavaScript, as scripts/start.mjs: any Node may run it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { canBuild, RUNNER } from '../server/bin/build.mjs';

if (canBuild()) {
  const { status } = spawnSync(process.execPath, [RUNNER, 'scripts/build.ts'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    stdio: 'inherit',
  });
  // The packages are in place all the same, and `npm start` builds what is not built.
  if (status !== 0) console.error('The build failed: "npm start" will try again, and say why.');
}
