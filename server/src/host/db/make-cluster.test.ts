// Tests that failing to create the embedded PostgreSQL's data folder is reported and leaves nothing behind.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeDataHome } from '#/host/db/data-home.ts';
import { makeCluster } from '#/host/db/make-cluster.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

test('the reason is reported even if it arrives after initdb has exited', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'bin'));
  // A fake initdb that prints its message only after its process has exited.
  writeFileSync(
    path.join(folder, 'bin/initdb'),
    '#!/bin/sh\n(while kill -0 $$; do :; done 2>/dev/null; echo "the disk is full" >&2) &\nexit 1\n',
    { mode: 0o755 },
  );
  await expect(makeCluster(folder, makeDataHome(path.join(folder, 'data')))).rejects.toThrow(
    'PostgreSQL could not make its data folder: the disk is full',
  );
  expect(readdirSync(path.join(folder, 'data'))).toEqual([]);
});
