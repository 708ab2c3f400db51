// Moving, copying and removing objects: the rows change as the caller; bytes are copied by version or left to the sweeper.
import * as v from 'valibot';
import type { Claims } from '#/host/lib/tokens.ts';
import type { StorageContext } from '#/host/storage/context.ts';
import { noSuchKey } from '#/host/storage/errors.ts';
import { checkBucketName, checkKey } from '#/host/storage/keys.ts';
import {
  createObject,
  findObject,
  OBJECT_COLUMNS,
  type ObjectRow,
} from '#/host/storage/objects.ts';
import { checkFits } from '#/host/storage/upload.ts';

export const relocateSchema = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.optional(v.nullable(v.string())),
  copyMetadata: v.optional(v.boolean(), true),
});

type Relocation = v.InferOutput<typeof relocateSchema>;

function ends(query: Relocation) {
  const from = { bucket: checkBucketName(query.bucketId), name: checkKey(query.sourceKey) };
  const to = {
    bucket: checkBucketName(query.destinationBucket ?? query.bucketId),
    name: checkKey(query.destinationKey),
  };
  return { from, to };
}

/** Renames an object: one row changes and no byte moves, so at every moment the object has one of both names. */
export async function moveObject(context: StorageContext, claims: Claims, query: Relocation) {
  const { from, to } = ends(query);
  const source = await findObject(context, claims, from.bucket, from.name);
  if (to.bucket !== from.bucket) await checkFits(context, claims, to.bucket, source.metadata);
  const { rows } = await context.database.asCaller(claims, (client) =>
    client.query<{ id: string }>(
      'update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2 returning id',
      [from.bucket, from.name, to.bucket, to.name],
    ),
  );
  if (!rows[0]) throw noSuchKey();
  return { message: 'Successfully moved', Id: rows[0].id, Key: `${to.bucket}/${to.name}` };
}

/** Copies an object that the caller may read to where the caller may write. */
export async function copyObject(
  context: StorageContext,
  claims: Claims,
  query: Relocation,
  upsert: boolean,
) {
  const { from, to } = ends(query);
  const source = await findObject(context, claims, from.bucket, from.name);
  await checkFits(context, claims, to.bucket, source.metadata);
  const object = {
    ...to,
    ownerSub: claims.sub,
    upsert,
    metadata: source.metadata && { ...source.metadata, lastModified: new Date().toISOString() },
    userMetadata: query.copyMetadata ? source.user_metadata : null,
  };
  const id = await createObject(context, claims, object, async (version) => {
    if (source.version === null) throw noSuchKey();
    await context.bytes.copy(source.version, version);
  });
  return { Id: id, Key: `${to.bucket}/${to.name}` };
}

export const removeSchema = v.object({
  prefixes: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)),
});

/** Removes those of the named objects that the caller may see and delete; a trigger queues their bytes. */
export async function removeObjects(
  context: StorageContext,
  claims: Claims,
  bucket: string,
  names: string[],
): Promise<ObjectRow[]> {
  const { rows } = await context.database.asCaller(claims, (client) =>
    client.query<ObjectRow>(
      `delete from storage.objects where bucket_id = $1 and name = any($2) returning ${OBJECT_COLUMNS}`,
      [bucket, names],
    ),
  );
  return rows;
}
