// Sends an object: conditional requests, ranges, caching, download names, and compressed texts.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readByteRange } from '#/host/lib/byte-range.ts';
import { encoded } from '#/host/lib/compress.ts';
import { codingFor, isFresh } from '#/host/lib/http-cache.ts';
import type { Call, CallersStorage, StorageContext } from '#/host/storage/context.ts';
import { noSuchKey, StorageError } from '#/host/storage/errors.ts';
import { findObject, type ObjectRow } from '#/host/storage/objects.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /^(application\/(json|geo\+json|xml)|text\/)/;
/** Above this size, the best compression would take longer than users wait. */
const BEST_UP_TO = 1024 * 1024;

/** Headers that prevent uploaded content, whatever its type, from running scripts on this site. */
const PASSIVE = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'none',
};

function disposition(url: URL): string | null {
  const name = url.searchParams.get('download');
  if (name === null) return null;
  return name === ''
    ? 'attachment'
    : `attachment; filename=${encodeURIComponent(name)}; filename*=UTF-8''${encodeURIComponent(name)};`;
}

/** Returns the headers of an object's response, except its length. */
export function objectHeaders(object: ObjectRow, url: URL, mimetype?: string): Headers {
  const metadata = object.metadata;
  const headers = new Headers({
    ...PASSIVE,
    'content-type': mimetype ?? metadata?.mimetype ?? 'application/octet-stream',
    'cache-control': metadata?.cacheControl ?? 'no-cache',
    'last-modified': new Date(metadata?.lastModified ?? object.updated_at).toUTCString(),
  });
  const attachment = disposition(url);
  if (attachment !== null) headers.set('content-disposition', attachment);
  return headers;
}

async function wholeBytes(
  context: StorageContext,
  version: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = await context.blobs.open(version);
  if (!body) throw noSuchKey();
  return body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer());
}

/** Reads an object into memory. Call it only for small objects. */
export async function readObject(context: StorageContext, object: ObjectRow) {
  if (object.version === null) throw noSuchKey();
  return wholeBytes(context, object.version);
}

/** Compresses a text as far as possible, which takes seconds for a large one. Until then, responses are compressed quickly. */
async function compressed(
  context: StorageContext,
  version: string,
  size: number,
  coding: 'br' | 'gzip',
): Promise<Uint8Array<ArrayBuffer>> {
  const { renditions } = context;
  const isReady = renditions.has(version, coding);
  const best = renditions.get(version, coding, async () => {
    const bytes = await wholeBytes(context, version);
    if (coding === 'gzip') return new Uint8Array(await zip(bytes, { level: 9 }));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: size <= BEST_UP_TO ? 11 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: size,
    };
    return new Uint8Array(await brotli(bytes, { params }));
  });
  if (isReady) return best;
  // If this fails, the quick compression fails for the same reason, or the next request tries again.
  best.catch(() => undefined);
  return renditions.get(
    version,
    `${coding} quick`,
    async () => new Uint8Array(await encoded(await wholeBytes(context, version), coding)),
  );
}

/** Responds to GET or HEAD with an object. The caller's right to read it has been checked. */
export async function sendObject(
  context: StorageContext,
  { request, url }: Call,
  object: ObjectRow,
): Promise<Response> {
  const { version, metadata } = object;
  if (version === null) throw noSuchKey();
  const headers = objectHeaders(object, url);
  const etag = metadata?.eTag ?? `"${version}"`;
  headers.set('etag', etag);
  headers.set('accept-ranges', 'bytes');
  if (isFresh(request, etag, headers.get('last-modified') ?? ''))
    return new Response(null, { status: 304, headers });
  const size = metadata?.size ?? 0;
  const range = readByteRange(request.headers.get('range'), size);
  if (range === 'unsatisfiable')
    throw new StorageError(416, 'InvalidRange', 'invalid range provided');
  const text = TEXT.test(metadata?.mimetype ?? '') && size > 1024;
  if (text) headers.set('vary', 'accept-encoding');
  if (request.method === 'HEAD') {
    headers.set('content-length', String(size));
    return new Response(null, { status: 200, headers });
  }
  if (range) {
    const body = await context.blobs.open(version, range);
    if (!body) throw noSuchKey();
    headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`);
    headers.set('content-length', String(range.end - range.start + 1));
    return new Response(body, { status: 206, headers });
  }
  const coding = text ? codingFor(request) : null;
  if (coding) {
    const body = await compressed(context, version, size, coding);
    headers.set('content-encoding', coding);
    headers.set('content-length', String(body.byteLength));
    return new Response(body, { status: 200, headers });
  }
  const body = await context.blobs.open(version);
  if (!body) throw noSuchKey();
  headers.set('content-length', String(size));
  return new Response(body, { status: 200, headers });
}

/** Returns the public metadata of an object that the caller may read. */
export async function describeObject(storage: CallersStorage, { bucket, name }: Call) {
  const object = await findObject(storage, bucket, name);
  const { metadata } = object;
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata?.size ?? null,
    content_type: metadata?.mimetype ?? null,
    cache_control: metadata?.cacheControl ?? null,
    etag: metadata?.eTag ?? null,
    metadata: object.user_metadata ?? {},
    last_modified: object.updated_at,
    created_at: object.created_at,
  };
}
