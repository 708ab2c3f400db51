// Creates a temporary folder, which is removed after the test or test file that created it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { atEnd } from './at-end.ts';

/** Every user may read it, because PostgreSQL runs as another user if root runs the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-test-'));
  chmodSync(folder, 0o755);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
