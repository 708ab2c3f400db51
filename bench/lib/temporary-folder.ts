// Creates a temporary folder for a benchmark. Every user may enter it, because PostgreSQL runs as another user if root runs the
// benchmark.
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { atEnd } from './at-end.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-bench-'));
  chmodSync(folder, 0o755);
  // Retries are needed, because processes of the browser may still be writing.
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  return folder;
}
