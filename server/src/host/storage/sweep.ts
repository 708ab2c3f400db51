// Deletes unused bytes: those of deleted and replaced objects, of their renditions, and of interrupted uploads.
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { inTransaction } from '#/host/db/transaction.ts';
import type { Log } from '#/host/lib/log.ts';
import type { StorageContext } from '#/host/storage/context.ts';

const BATCH = 200;
export const SWEEP_EVERY = 60;
const LEFT_MS = 60 * 60_000;

/**
 * Deletes the bytes of versions that are due. Several processes may call it at the same time, and it can be repeated after a crash.
 * @returns the number of deleted versions
 */
export async function sweepBytes(context: StorageContext): Promise<number> {
  let swept = 0;
  for (;;) {
    const claimed = await inTransaction(context.database.pool, async (client) => {
      // After a restored backup, a row may reference a queued version again. Such a version is only removed from the queue.
      const { rows } = await client.query<{ version: string; used: boolean }>(
        `delete from storage.deleted_bytes where version in (
           select version from storage.deleted_bytes where due_at <= now()
           order by due_at limit ${BATCH} for update skip locked)
         returning version, exists (select from storage.objects o where o.version = deleted_bytes.version) as used`,
      );
      const unused = rows.filter(({ used }) => !used).map(({ version }) => version);
      await context.blobs.remove(unused);
      swept += unused.length;
      return rows.length;
    });
    if (claimed < BATCH) return swept;
  }
}

/** Deletes renditions on this host whose original has no row any longer. Another host may have deleted the original's bytes. */
export async function sweepRenditions({ database, renditions }: StorageContext): Promise<void> {
  const { rows } = await database.pool.query<{ version: string }>(
    `select version from unnest($1::text[]) as version
     where not exists (select from storage.objects o where o.version = version.version)`,
    [renditions.versions()],
  );
  renditions.remove(rows.map(({ version }) => version));
}

/** Deletes incomplete files that are more than an hour old, because the host that wrote them was killed. */
export async function removeLeftovers(context: StorageContext, now = Date.now()): Promise<void> {
  for (const folder of context.temporary)
    for (const name of await readdir(folder).catch(() => [])) {
      const file = path.join(folder, name);
      // Null if another process deleted the file.
      const written = await stat(file).catch(() => null);
      if (written && now - written.mtimeMs > LEFT_MS) await rm(file, { force: true });
    }
}

/**
 * Regularly sweeps the files on this host's disk, until the returned function is called. This is not a job of the queue, because
 * another host cannot access this disk.
 */
export function startSweepingOwn(context: StorageContext, log: Log): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const sweep = () => {
    running = Promise.all([sweepRenditions(context), removeLeftovers(context)]).catch(
      (error: Error) =>
        log.warn({ error: error.message }, 'storage: files of this host could not be swept'),
    );
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY * 1000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
