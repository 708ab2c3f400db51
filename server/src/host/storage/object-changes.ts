// Moves, copies and removes objects. Rows are changed with the caller's policies. Bytes are copied by version, or deleted later by
// the sweeper.
import * as v from 'valibot';
import type { Call, CallersStorage } from '#/host/storage/context.ts';
import { noSuchKey } from '#/host/storage/errors.ts';
import { checkBucketName, checkKey } from '#/host/storage/allowed-names.ts';
import { createObject, findObject, OBJECT_COLUMNS } from '#/host/storage/objects.ts';
import { checkFits } from '#/host/storage/upload.ts';

const relocateSchema = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.optional(v.nullable(v.string())),
  copyMetadata: v.optional(v.boolean(), true),
});

async function endsOf({ body }: Call) {
  const requested = await body(relocateSchema);
  const from = { bucket: checkBucketName(requested.bucketId), name: checkKey(requested.sourceKey) };
  const to = {
    bucket: checkBucketName(requested.destinationBucket ?? requested.bucketId),
    name: checkKey(requested.destinationKey),
  };
  return { from, to, copyMetadata: requested.copyMetadata };
}

/** Renames an object. Only its row changes, so at any time the object has exactly one of the two names. */
export async function moveObject(storage: CallersStorage, call: Call) {
  const { from, to } = await endsOf(call);
  const source = await findObject(storage, from.bucket, from.name);
  if (to.bucket !== from.bucket) await checkFits(storage, to.bucket, source.metadata);
  const { rows } = await storage.query<{ id: string }>(
    'update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2 returning id',
    [from.bucket, from.name, to.bucket, to.name],
  );
  if (!rows[0]) throw noSuchKey();
  return { message: 'Successfully moved', Id: rows[0].id, Key: `${to.bucket}/${to.name}` };
}

/** Copies an object, if policies allow that, to a name that the caller may write. */
export async function copyObject(storage: CallersStorage, call: Call) {
  const { from, to, copyMetadata } = await endsOf(call);
  const source = await findObject(storage, from.bucket, from.name, storage.queryAs('copy'));
  await checkFits(storage, to.bucket, source.metadata);
  const object = {
    ...to,
    upsert: call.upserts,
    metadata: source.metadata && { ...source.metadata, lastModified: new Date().toISOString() },
    userMetadata: copyMetadata ? source.user_metadata : null,
  };
  const id = await createObject(storage, object, async (version) => {
    if (source.version === null) throw noSuchKey();
    await storage.blobs.copy(source.version, version);
  });
  return { Id: id, Key: `${to.bucket}/${to.name}` };
}

const removeSchema = v.object({
  prefixes: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)),
});

/** Removes the named objects that the caller may read and delete; a trigger queues their bytes for the sweeper. */
export async function removeObjects({ query }: CallersStorage, { bucket, body }: Call) {
  const { prefixes } = await body(removeSchema);
  const { rows } = await query(
    `delete from storage.objects where bucket_id = $1 and name = any($2) returning ${OBJECT_COLUMNS}`,
    [bucket, prefixes],
  );
  return rows;
}
