// Uploads: limits of the bucket, pictures decoded and cleaned, then the object made. Also the way in for our own commands.
import { open, rm, stat } from 'node:fs/promises';
import type { Claims } from '#/host/lib/tokens.ts';
import { KeyedCounter } from '#/host/limits/keyed-counter.ts';
import type { Content } from '#/host/storage/byte-store.ts';
import { GLOBAL_SIZE_LIMIT, type StorageContext } from '#/host/storage/context.ts';
import { busy, invalidMimeType, tooLarge } from '#/host/storage/errors.ts';
import { cleanImage, imageTypeOf, normalMimeType } from '#/host/storage/images.ts';
import {
  createObject,
  describe,
  findBucket,
  checkMayWrite,
  type BucketLimits,
} from '#/host/storage/objects.ts';
import { receiveUpload, type Received } from '#/host/storage/receive.ts';

const SERVICE: Claims = { role: 'service_role' };

/** Uploads that one person may have under way, each with a file on disk. */
const uploadsByPerson = new KeyedCounter(20);

function checkType(bucket: BucketLimits, mimetype: string): void {
  const allowed = bucket.allowed_mime_types;
  if (!allowed || allowed.length === 0) return;
  const matches = allowed.some(
    (type) =>
      type === '*/*' ||
      type === mimetype ||
      (type.endsWith('/*') && mimetype.startsWith(type.slice(0, -1))),
  );
  if (!matches) throw invalidMimeType(mimetype);
}

/** The type that an upload is taken for: that of an image by its bytes, whatever it is said to be. */
async function typeOf(received: Received): Promise<string> {
  const handle = await open(received.file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0);
    return imageTypeOf(buffer.subarray(0, bytesRead)) ?? normalMimeType(received.mimetype);
  } finally {
    await handle.close();
  }
}

/** Never trusts a picture: it is decoded and encoded again. */
async function accept(
  received: Received,
  type: string,
  bucket: BucketLimits,
  { trusted, who }: { trusted: boolean; who: string | null },
  signal: AbortSignal,
): Promise<{ content: Content; size: number; mimetype: string }> {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(type)) throw invalidMimeType(type);
  checkType(bucket, type);
  const drawing = type === 'image/svg+xml';
  // An SVG may contain scripts, which a browser runs.
  if (drawing && !trusted) throw invalidMimeType(type);
  if (drawing || !type.startsWith('image/'))
    return { content: { file: received.file }, size: received.size, mimetype: received.mimetype };
  const clean = await cleanImage(received.file, who, signal);
  checkType(bucket, clean.source);
  return { content: clean.data, size: clean.data.byteLength, mimetype: clean.mimetype };
}

/**
 * Takes an upload from a request.
 * @param target `ownerSub` is who the object will belong to, `claims` whose policies decide; only the
 *   `trusted` (the service key itself) may store drawings; `who` is the person or address whose uploads are counted
 */
export async function uploadObject(
  context: StorageContext,
  request: Request,
  target: {
    bucket: string;
    name: string;
    claims: Claims;
    ownerSub: unknown;
    upsert: boolean;
    trusted: boolean;
    who: string | null;
  },
): Promise<{ id: string }> {
  const { who } = target;
  if (who !== null && !uploadsByPerson.tryAcquire(who)) throw busy('uploads');
  try {
    return await takeUpload(context, request, target);
  } finally {
    if (who !== null) uploadsByPerson.release(who);
  }
}

async function takeUpload(
  context: StorageContext,
  request: Request,
  target: Parameters<typeof uploadObject>[2],
): Promise<{ id: string }> {
  const bucket = await findBucket(context, target.claims, target.bucket);
  await checkMayWrite(context, target.claims, target);
  const limit = Math.min(Number(bucket.file_size_limit ?? GLOBAL_SIZE_LIMIT), GLOBAL_SIZE_LIMIT);
  const received = await receiveUpload(request, context.incoming, limit);
  try {
    // Now that its size and type are known, and before a picture costs the work of decoding it.
    const type = await typeOf(received);
    await checkMayWrite(context, target.claims, target, { size: received.size, mimetype: type });
    const { content, size, mimetype } = await accept(
      received,
      type,
      bucket,
      target,
      request.signal,
    );
    const metadata = await describe(content, size, mimetype, received.cacheControl);
    const object = { ...target, metadata, userMetadata: received.userMetadata };
    const id = await createObject(context, target.claims, object, (version) =>
      context.bytes.put(version, content),
    );
    return { id };
  } finally {
    await rm(received.file, { force: true });
  }
}

/**
 * Stores bytes of our own (seed, published lists), replacing what was there; no policy is asked.
 * @param file `content` is bytes or a file's path
 */
export async function storeObject(
  context: StorageContext,
  file: { bucket: string; name: string; content: Content; mimetype: string; cacheControl?: string },
): Promise<{ id: string }> {
  const { content } = file;
  const size = 'file' in content ? (await stat(content.file)).size : content.byteLength;
  const metadata = await describe(
    content,
    size,
    file.mimetype,
    file.cacheControl ?? 'max-age=3600',
  );
  const object = {
    bucket: file.bucket,
    name: file.name,
    ownerSub: null,
    upsert: true,
    metadata,
    userMetadata: null,
  };
  const id = await createObject(context, SERVICE, object, (version) =>
    context.bytes.put(version, content),
  );
  return { id };
}

/** A copy or move into another bucket keeps to that bucket's limits. @throws StorageError 413 or 415 */
export async function checkFits(
  context: StorageContext,
  claims: Claims,
  bucketId: string,
  metadata: { size: number; mimetype: string } | null,
): Promise<void> {
  const bucket = await findBucket(context, claims, bucketId);
  if (!metadata) return;
  checkType(bucket, normalMimeType(metadata.mimetype));
  if (bucket.file_size_limit !== null && metadata.size > Number(bucket.file_size_limit))
    throw tooLarge();
}
