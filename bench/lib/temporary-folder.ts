// A folder of a benchmark's own, which goes with it; every account may enter it: root's PostgreSQL runs as another one.
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { atEnd } from './at-end.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-bench-'));
  chmodSync(folder, 0o755);
  // A browser's helpers may write a moment longer: only this way of removing looks again for what has come.
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  return folder;
}
