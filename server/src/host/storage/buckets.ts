// Lists, creates, changes, empties and deletes buckets. The policies of storage.buckets apply.
import * as v from 'valibot';
import { ownerOf, type Call, type CallersStorage } from '#/host/storage/context.ts';
import { invalidRequest, noSuchBucket, StorageError } from '#/host/storage/errors.ts';
import { checkBucketName } from '#/host/storage/allowed-names.ts';

const COLUMNS =
  'id, name, owner, public, type, file_size_limit::float8 as file_size_limit, allowed_mime_types, created_at, updated_at';

const UNITS: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

const limits = {
  public: v.optional(v.boolean(), false),
  file_size_limit: v.optional(v.nullable(v.union([v.number(), v.string()]))),
  allowed_mime_types: v.optional(
    v.nullable(
      v.array(v.pipe(v.string(), v.regex(/^([\w.+-]+|\*)\/([\w.+-]+|\*)$/, 'is not a mime type'))),
    ),
  ),
};

const createBucketSchema = v.object({
  id: v.optional(v.string()),
  name: v.string(),
  ...limits,
});
const updateBucketSchema = v.object(limits);

const whole = (low: number, high: number) =>
  v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(low), v.maxValue(high));

const listBucketsSchema = v.object({
  limit: v.optional(whole(1, 1000), '100'),
  offset: v.optional(whole(0, 1e6), '0'),
  search: v.optional(v.string(), ''),
  sortColumn: v.optional(v.picklist(['id', 'name', 'created_at', 'updated_at']), 'name'),
  sortOrder: v.optional(v.picklist(['asc', 'desc']), 'asc'),
});

/** Parses a size such as `20MB` into bytes. @throws StorageError 400 */
function parseSize(size: number | string | null | undefined): number | null {
  if (size === null || size === undefined) return null;
  const match = /^(\d{1,12}(?:\.\d{1,3})?)(gb|mb|kb|b)?$/i.exec(String(size));
  if (!match) throw invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  return Math.floor(Number(match[1]) * (UNITS[(match[2] ?? 'b').toLowerCase()] ?? 1));
}

export async function listBuckets({ query }: CallersStorage, { url }: Call) {
  const requested = v.safeParse(listBucketsSchema, Object.fromEntries(url.searchParams));
  if (!requested.success) throw invalidRequest(`querystring ${requested.issues[0].message}`);
  const { limit, offset, search, sortColumn, sortOrder } = requested.output;
  const { rows } = await query(
    `select ${COLUMNS} from storage.buckets where lower(id) ^@ lower($3)
     order by ${sortColumn} ${sortOrder} limit $1 offset $2`,
    [limit, offset, search],
  );
  return rows;
}

export async function getBucket({ query }: CallersStorage, { bucket }: Call) {
  const { rows } = await query(`select ${COLUMNS} from storage.buckets where id = $1`, [bucket]);
  if (!rows[0]) throw noSuchBucket();
  return rows[0];
}

export async function createBucket({ claims, query }: CallersStorage, { body }: Call) {
  const bucket = await body(createBucketSchema);
  const id = checkBucketName(bucket.id ?? bucket.name);
  const size = parseSize(bucket.file_size_limit);
  const { owner, ownerId } = ownerOf(claims.sub);
  await query(
    `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, bucket.name, owner, ownerId, bucket.public, size, bucket.allowed_mime_types ?? null],
  );
  return { name: id };
}

export async function updateBucket({ query }: CallersStorage, { bucket, body }: Call) {
  const { public: isPublic, file_size_limit, allowed_mime_types } = await body(updateBucketSchema);
  const size = parseSize(file_size_limit);
  const { rowCount } = await query(
    `update storage.buckets set public = $2, updated_at = now(),
       file_size_limit = case when $3 then $4 else file_size_limit end,
       allowed_mime_types = case when $5 then $6 else allowed_mime_types end
     where id = $1`,
    [
      bucket,
      isPublic,
      file_size_limit !== undefined,
      size,
      allowed_mime_types !== undefined,
      allowed_mime_types ?? null,
    ],
  );
  if (rowCount === 0) throw noSuchBucket();
  return { message: 'Successfully updated' };
}

export async function emptyBucket(storage: CallersStorage, call: Call) {
  await getBucket(storage, call);
  await storage.query('delete from storage.objects where bucket_id = $1', [call.bucket]);
  return { message: 'Successfully emptied' };
}

/** @throws StorageError 404, 409 if the bucket is not empty */
export async function deleteBucket(storage: CallersStorage, call: Call) {
  await getBucket(storage, call);
  try {
    const { rowCount } = await storage.query('delete from storage.buckets where id = $1', [
      call.bucket,
    ]);
    if (rowCount === 0) throw noSuchBucket();
  } catch (error) {
    if ((error as { code?: unknown }).code !== '23503') throw error;
    throw new StorageError(409, 'InvalidRequest', 'The bucket you tried to delete is not empty');
  }
  return { message: 'Successfully deleted' };
}
