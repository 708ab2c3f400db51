// GET /readyz: reports whether this host can serve requests, with the reason if it cannot.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#/host/db/database.ts';
import { DISK_FULL, freeBytes } from '#/host/lib/disk.ts';
import { json } from '#/host/lib/http.ts';
import { ROOT } from '#/host/lib/paths.ts';
import type { BlobStore } from '#/host/storage/blob-store.ts';
import type { Settings } from '#/product/settings.ts';

/** Timeout of each part of the readiness check, so that load balancers do not wait longer. */
const CHECK_TIMEOUT_MS = 3000;

/** With less free space than this, the next file of PostgreSQL may not fit. */
const MIN_FREE_BYTES = 32 * 2 ** 20;

/**
 * Creates a check that fails if `work` fails or times out. Concurrent calls share one attempt, because each attempt occupies a
 * connection of the pool.
 */
function createCheck(work: () => Promise<unknown>): () => Promise<boolean> {
  let pending: Promise<boolean> | null = null;
  return () => {
    pending ??= work()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (pending = null));
    return Promise.race([pending, delay(CHECK_TIMEOUT_MS, false, { ref: false })]);
  };
}

/** Returns a function that checks the database, the store of files and the free space, and responds with 200 or 503. */
export function createReadiness({
  settings,
  database,
  blobs,
}: {
  settings: Pick<Settings, 'DATA_DIR'>;
  database: Pick<Database, 'pool'>;
  blobs: Pick<BlobStore, 'check'>;
}): () => Promise<Response> {
  const hasDatabase = createCheck(() => database.pool.query('select 1'));
  const hasStore = createCheck(() => blobs.check());
  const hasRoom = createCheck(async () => {
    const free = await freeBytes(path.resolve(ROOT, settings.DATA_DIR)).catch(() => Infinity);
    if (free < MIN_FREE_BYTES) throw new Error(DISK_FULL);
  });

  return async () => {
    const [reachesDatabase, reachesStore, room] = await Promise.all([
      hasDatabase(),
      hasStore(),
      hasRoom(),
    ]);
    if (!reachesDatabase) return json({ status: 'the database cannot be reached' }, 503);
    if (!reachesStore) return json({ status: 'the file store cannot be reached' }, 503);
    if (!room) return json({ status: 'the disk is full' }, 503);
    return json({ status: 'ready' });
  };
}
