#!/usr/bin/env node
// `npx packpark <command>`: builds the server where it is stale, then runs the command.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
// A deployed copy may come without the bundler; then what was built is what runs.
if (existsSync(path.join(root, 'node_modules/rolldown'))) {
  const { isFresh } = await import('../../scripts/lib/freshness.mjs');
  if (!isFresh('server')) {
    const built = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs'), 'server'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (built.status !== 0) process.exit(1);
  }
}
const { main } = await import('../dist/cli.mjs');
await main(process.argv.slice(2));
