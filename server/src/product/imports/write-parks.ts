// Fourth step of an import: writes the matched parks in batches, in one transaction.
import type pg from 'pg';
import type { Plan } from '#/product/imports/match-parks.ts';
import { statement } from '#/product/imports/statements.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** Number of parks per statement. Progress is reported after each statement. */
const BATCH = 5000;
/** Number of the advisory lock. It must be the same in all processes and in desk_undo_import. */
const IMPORT_LOCK = 7_276_003;

/**
 * Runs an import while no other import runs. Other users of the database do not have to wait.
 * @throws StartError
 */
export async function withImportLock<Result>(
  client: pg.ClientBase,
  run: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_lock($1) as free',
    [IMPORT_LOCK],
  );
  if (!rows[0]?.free)
    throw new StartError('Another import is running on this database: wait until it is done.');
  try {
    return await run();
  } finally {
    await client.query(statement('clean up')).catch(() => undefined);
    await client.query('select pg_advisory_unlock($1)', [IMPORT_LOCK]).catch(() => undefined);
  }
}

interface WriteOptions {
  status: 'approved' | 'pending';
  /** The name of the import in the list of imports. */
  file: string;
  progress(done: string): void;
}

/**
 * Writes the parks that matchParks staged.
 * @returns the ID of the import; null if nothing changed
 */
export async function writeParks(
  client: pg.ClientBase,
  { new: added, changed, last }: Plan,
  { status, file, progress }: WriteOptions,
): Promise<string | null> {
  const differs = added + changed > 0;
  const inBatches = async (what: string, names: string[], value?: string) => {
    for (let row = 0; row < last; row += BATCH) {
      for (const name of names) {
        const text = statement(name);
        await client.query(text, [row, row + BATCH, ...(text.includes('$3') ? [value] : [])]);
      }
      progress(`${what} written: ${Math.min(last, row + BATCH)} of ${last} rows`);
    }
  };
  let id: string | null = null;
  await client.query('begin');
  try {
    if (differs) {
      // Deferred, because parks may swap their IDs.
      await client.query('set constraints public.parks_source_source_ref_key deferred');
      await client.query(statement('begin changes'));
      await client.query(statement('keep before joins and releases'));
      await client.query(statement('release'));
      await inBatches('new parks', ['keep before', 'add parks', 'add texts'], status);
      const listed = [file, added, changed];
      const { rows } = await client.query<{ id: string }>(statement('list import'), listed);
      id = rows[0]?.id ?? null;
      await inBatches('changes', ['change parks', 'change texts', 'note values']);
      await client.query(statement('join'));
      await inBatches('changes', ['keep change'], id ?? undefined);
      await client.query(statement('keep joins and releases'), [id]);
    } else await inBatches('changes', ['note values']);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  if (differs) await client.query(statement('analyze'));
  return id;
}
