// Handles uploads: checks the limits of the bucket, re-encodes images, and creates the object. Commands also use it.
import { open, rm, stat } from 'node:fs/promises';
import type { Content } from '#/host/storage/blob-store.ts';
import { storageFor, type CallersStorage, type StorageContext } from '#/host/storage/context.ts';
import { busy, invalidMimeType, tooLarge } from '#/host/storage/errors.ts';
import { imageTypeOf, normalMimeType } from '#/host/storage/images.ts';
import {
  createObject,
  createObjects,
  metadataOf,
  findBucket,
  checkMayWrite,
  type BucketLimits,
} from '#/host/storage/objects.ts';
import { receiveUpload, type Received } from '#/host/storage/receive.ts';
import { MAX_OBJECT_BYTES } from '#/host/storage/size-limits.ts';

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

/** Returns the media type of an upload. For images the magic bytes determine it, whatever type the client sent. */
async function typeOf(received: Received): Promise<string> {
  const handle = await open(received.file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0);
    return imageTypeOf(buffer.subarray(0, bytesRead)) ?? normalMimeType(received.mimetype);
  } finally {
    await handle.close();
  }
}

/** Images are untrusted, so they are decoded and re-encoded. */
async function accept(
  { images, who }: CallersStorage,
  received: Received,
  { type, bucket, trusted }: { type: string; bucket: BucketLimits; trusted: boolean },
  signal: AbortSignal,
): Promise<{ content: Content; size: number; mimetype: string }> {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(type)) throw invalidMimeType(type);
  checkType(bucket, type);
  const drawing = type === 'image/svg+xml';
  // An SVG may contain scripts, which browsers execute.
  if (drawing && !trusted) throw invalidMimeType(type);
  if (drawing || !type.startsWith('image/'))
    return { content: { file: received.file }, size: received.size, mimetype: received.mimetype };
  const clean = await images.clean(received.file, who, signal);
  checkType(bucket, clean.source);
  return { content: clean.data, size: clean.data.byteLength, mimetype: clean.mimetype };
}

interface Target {
  bucket: string;
  name: string;
  upsert: boolean;
  /** True if SVG is allowed, as for callers with the service key. */
  trusted: boolean;
}

/**
 * Receives an upload. The caller becomes the owner of the object.
 * @returns the object's ID
 */
export async function uploadObject(
  storage: CallersStorage,
  request: Request,
  target: Target,
): Promise<string> {
  const { who, uploads } = storage;
  if (who !== null && !uploads.tryAcquire(who)) throw busy('uploads');
  try {
    return await takeUpload(storage, request, target);
  } finally {
    if (who !== null) uploads.release(who);
  }
}

async function takeUpload(
  storage: CallersStorage,
  request: Request,
  { trusted, ...target }: Target,
): Promise<string> {
  const bucket = await findBucket(storage, target.bucket);
  await checkMayWrite(storage, target);
  const limit = Math.min(Number(bucket.file_size_limit ?? MAX_OBJECT_BYTES), MAX_OBJECT_BYTES);
  const received = await receiveUpload(request, storage.incoming, limit);
  try {
    // Permission is checked when size and type are known, but before an image is decoded.
    const type = await typeOf(received);
    await checkMayWrite(storage, target, { size: received.size, mimetype: type });
    const as = { type, bucket, trusted };
    const { content, size, mimetype } = await accept(storage, received, as, request.signal);
    const metadata = await metadataOf(content, size, mimetype, received.cacheControl);
    const object = { ...target, metadata, userMetadata: received.userMetadata };
    return await createObject(storage, object, (version) => storage.blobs.put(version, content));
  } finally {
    await rm(received.file, { force: true });
  }
}

export interface StoredFile {
  bucket: string;
  name: string;
  /** The bytes or a file's path. */
  content: Content;
  mimetype: string;
  cacheControl?: string;
}

/**
 * Stores files of the site itself (the demo photos) without policies, all or none, and replaces existing ones.
 * @returns the IDs of the objects
 */
export async function storeObjects(
  context: StorageContext,
  files: readonly StoredFile[],
): Promise<string[]> {
  const storage = storageFor(context, { role: 'service_role' }, '');
  const objects = files.map(async (file) => {
    const { bucket, name, content, mimetype, cacheControl = 'max-age=3600' } = file;
    const size = 'file' in content ? (await stat(content.file)).size : content.byteLength;
    return {
      bucket,
      name,
      upsert: true,
      metadata: await metadataOf(content, size, mimetype, cacheControl),
      userMetadata: null,
      place: (version: string) => storage.blobs.put(version, content),
    };
  });
  return createObjects(storage, await Promise.all(objects));
}

/**
 * Checks the limits of the target bucket before an object is copied or moved.
 * @throws StorageError 413 or 415
 */
export async function checkFits(
  storage: CallersStorage,
  bucketId: string,
  metadata: { size: number; mimetype: string } | null,
): Promise<void> {
  const bucket = await findBucket(storage, bucketId);
  if (!metadata) return;
  checkType(bucket, normalMimeType(metadata.mimetype));
  if (bucket.file_size_limit !== null && metadata.size > Number(bucket.file_size_limit))
    throw tooLarge();
}
