// Reads and writes rows of storage.objects with the caller's role, so that row-level security applies.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { Content } from '#/host/storage/blob-store.ts';
import { ownerOf, type CallersStorage } from '#/host/storage/context.ts';
import { checkKey } from '#/host/storage/allowed-names.ts';
import { noSuchBucket, noSuchKey, StorageError } from '#/host/storage/errors.ts';

interface ObjectMetadata {
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: number;
}

export interface ObjectRow {
  id: string;
  name: string;
  bucket_id: string;
  owner: string | null;
  owner_id: string | null;
  version: string | null;
  created_at: Date;
  updated_at: Date;
  last_accessed_at: Date;
  metadata: ObjectMetadata | null;
  user_metadata: Record<string, unknown> | null;
}

export interface BucketLimits {
  public: boolean;
  file_size_limit: string | null;
  allowed_mime_types: string[] | null;
}

export const OBJECT_COLUMNS =
  'id, name, bucket_id, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata';

/**
 * Finds a bucket, without policies.
 * @throws StorageError 404
 */
export async function findBucket(
  { queryUnchecked }: CallersStorage,
  id: string,
): Promise<BucketLimits> {
  const { rows } = await queryUnchecked<BucketLimits>(
    'select public, file_size_limit, allowed_mime_types from storage.buckets where id = $1',
    [id],
  );
  if (!rows[0]) throw noSuchBucket();
  return rows[0];
}

const FIND = `select ${OBJECT_COLUMNS} from storage.objects where bucket_id = $1 and name = $2`;

/**
 * Finds an object that the caller may read.
 * @param query `queryUnchecked` to bypass policies
 * @throws StorageError 404
 */
export async function findObject(
  storage: CallersStorage,
  bucket: string,
  name: string,
  query = storage.query,
): Promise<ObjectRow> {
  const { rows } = await query<ObjectRow>(FIND, [bucket, checkKey(name)]);
  if (!rows[0]) throw noSuchKey();
  return rows[0];
}

/**
 * Finds an object of a public bucket, without policies. For private buckets the error is the same as for missing ones.
 * @throws StorageError 404
 */
export async function findPublicObject(
  { queryUnchecked }: CallersStorage,
  bucket: string,
  name: string,
): Promise<ObjectRow> {
  const { rows } = await queryUnchecked<ObjectRow>(
    `select o.* from storage.buckets b left join (${FIND}) o on true where b.id = $1 and b.public`,
    [bucket, checkKey(name)],
  );
  if (!rows[0]) throw noSuchBucket();
  // Without an object, all its columns are null.
  if ((rows[0].id as string | null) === null) throw noSuchKey();
  return rows[0];
}

interface NewObject {
  bucket: string;
  name: string;
  upsert: boolean;
  metadata: ObjectMetadata | null;
  userMetadata: Record<string, unknown> | null;
}

/** Inserts the row. It has no RETURNING clause, because a caller may be allowed to write but not to read. */
async function writeRow(
  client: pg.PoolClient,
  sub: unknown,
  object: Omit<NewObject, 'metadata'> & { metadata: Partial<ObjectMetadata> | null },
  version: string,
): Promise<string> {
  const id = randomUUID();
  const { owner, ownerId } = ownerOf(sub);
  const { rows } = await client.query<{ id: string }>(
    `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8)` +
      (object.upsert
        ? ` on conflict (bucket_id, name) do update set version = excluded.version, owner = excluded.owner,
            owner_id = excluded.owner_id, metadata = excluded.metadata, user_metadata = excluded.user_metadata
            returning id`
        : ''),
    [id, object.bucket, object.name, owner, ownerId, version, object.metadata, object.userMetadata],
  );
  return rows[0]?.id ?? id;
}

class DryRunOver extends Error {}

/**
 * Checks with row-level security whether the caller may write this object, before its bytes are stored.
 * @param metadata the properties of the file that are already known
 * @throws errors of PostgreSQL
 */
export async function checkMayWrite(
  { claims, transaction }: CallersStorage,
  object: Omit<NewObject, 'metadata' | 'userMetadata'>,
  metadata: Pick<ObjectMetadata, 'size' | 'mimetype'> | null = null,
): Promise<void> {
  const probe = { ...object, metadata, userMetadata: null };
  const trial = transaction(async (client) => {
    await writeRow(client, claims.sub, probe, randomUUID());
    throw new DryRunOver();
  });
  await trial.catch((error: unknown) => {
    if (!(error instanceof DryRunOver)) throw error;
  });
}

async function md5(content: Content): Promise<string> {
  const hash = createHash('md5');
  if ('file' in content) await pipeline(createReadStream(content.file), hash);
  else hash.update(content);
  return hash.digest('hex');
}

/** Returns the metadata that storage-api stores with an object. */
export const metadataOf = async (
  content: Content,
  size: number,
  mimetype: string,
  cacheControl: string,
): Promise<ObjectMetadata> => ({
  eTag: `"${await md5(content)}"`,
  size,
  mimetype,
  cacheControl,
  lastModified: new Date().toISOString(),
  contentLength: size,
  httpStatusCode: 200,
});

interface PlacedObject extends NewObject {
  /** Writes the object's bytes under a new version. */
  place(version: string): Promise<void>;
}

/**
 * Creates objects, all or none. Their versions are first queued for the sweeper in `storage.deleted_bytes`, then the bytes are
 * written, and then the rows that reference them. So after a failure at any point, every row has its bytes, and the sweeper deletes
 * unused bytes.
 * @returns the IDs of the objects
 */
export async function createObjects(
  { claims, database, transaction }: CallersStorage,
  objects: readonly PlacedObject[],
): Promise<string[]> {
  const all = objects.map((object) => ({ object, version: randomUUID() }));
  const versions = all.map(({ version }) => version);
  await database.pool.query(
    `insert into storage.deleted_bytes (version, due_at)
     select version, now() + interval '1 hour' from unnest($1::text[]) version`,
    [versions],
  );
  try {
    // Each write ends before an error is thrown, so none is still in progress when the sweeper deletes the bytes.
    const placed = await Promise.allSettled(
      all.map(({ object, version }) => object.place(version)),
    );
    for (const each of placed) if (each.status === 'rejected') throw each.reason;
    return await transaction(async (client) => {
      const ids: string[] = [];
      for (const { object, version } of all)
        ids.push(await writeRow(client, claims.sub, object, version));
      const { rows } = await client.query<{ in_time: boolean }>(
        'select storage.keep_bytes(version) as in_time from unnest($1::text[]) version',
        [versions],
      );
      if (!rows.every((row) => row.in_time))
        throw new StorageError(423, 'ResourceLocked', 'The upload took too long, try again');
      return ids;
    });
  } catch (error) {
    await database.pool
      .query('update storage.deleted_bytes set due_at = now() where version = any ($1)', [versions])
      .catch(() => undefined);
    throw error;
  }
}

export async function createObject(
  storage: CallersStorage,
  object: NewObject,
  place: PlacedObject['place'],
): Promise<string> {
  const [id = ''] = await createObjects(storage, [{ ...object, place }]);
  return id;
}
