// Renditions: smaller copies of images, which are made on request and cached on disk by version.
import * as v from 'valibot';
import { type Call, type CallersStorage } from '#/host/storage/context.ts';
import { invalidRequest, noSuchKey, StorageError } from '#/host/storage/errors.ts';
import { writtenType, type Transformation } from '#/host/storage/image-job.ts';
import type { ObjectRow } from '#/host/storage/objects.ts';
import { objectHeaders, readObject } from '#/host/storage/send.ts';
import { MAX_OBJECT_BYTES } from '#/host/storage/size-limits.ts';
import { isFresh } from '#/host/lib/http-cache.ts';

/** Sizes for anonymous callers. Otherwise they could cause an unlimited number of renditions. */
const STEPS = [
  16, 32, 48, 64, 80, 100, 128, 160, 200, 240, 320, 400, 480, 640, 800, 960, 1200, 1600, 2000, 2500,
];
const QUALITIES = [20, 40, 60, 80, 100];

const whole = (low: number, high: number) =>
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(Number),
    v.integer(),
    v.minValue(low),
    v.maxValue(high),
  );

export const transformSchema = v.object({
  width: v.optional(whole(1, 2500)),
  height: v.optional(whole(1, 2500)),
  resize: v.optional(v.picklist(['cover', 'contain', 'fill']), 'cover'),
  quality: v.optional(whole(20, 100), 80),
  format: v.optional(v.picklist(['origin', 'avif', 'webp'])),
});

/**
 * Parses a transformation. The default format is WebP if the client accepts it.
 * @throws StorageError 400
 */
export function parseTransformation(values: unknown, accept: string | null): Transformation {
  const result = v.safeParse(transformSchema, values);
  if (!result.success) {
    const issue = result.issues[0];
    throw invalidRequest(`querystring/${v.getDotPath(issue) ?? ''} ${issue.message}`);
  }
  const { width = null, height = null, resize, quality, format } = result.output;
  const webp = format === undefined ? /image\/webp/.test(accept ?? '') : format !== 'origin';
  return { width, height, resize, quality, format: webp ? 'webp' : 'origin' };
}

/**
 * Returns the transformation that the caller may use. For anonymous callers, sizes and qualities are rounded up to a few values.
 * @param caller the claims; if omitted, the limits of anonymous callers do not apply
 */
export function allowedTransformation<
  How extends Pick<Transformation, 'quality'> & {
    width?: number | null | undefined;
    height?: number | null | undefined;
  },
>(how: How, caller: { role?: unknown; sub?: unknown }): How {
  if (typeof caller.sub === 'string' || caller.role === 'service_role') return how;
  const next = (steps: number[], wanted: number) => steps.find((step) => step >= wanted) ?? wanted;
  const { width, height, quality } = how;
  return {
    ...how,
    width: width && next(STEPS, width),
    height: height && next(STEPS, height),
    quality: next(QUALITIES, quality),
  };
}

export async function renderObject(
  storage: CallersStorage,
  { request, url }: Call,
  object: ObjectRow,
  how: Transformation,
): Promise<Response> {
  const { images, renditions, who } = storage;
  const { metadata, version } = object;
  if (!metadata?.mimetype.startsWith('image/') || metadata.size > MAX_OBJECT_BYTES)
    throw new StorageError(422, 'InvalidRequest', 'The object is not an image that can be read');
  if (version === null) throw noSuchKey();
  const variant = `${how.width}:${how.height}:${how.resize}:${how.quality}:${how.format}`;
  const mimetype = how.format === 'webp' ? 'image/webp' : writtenType(metadata.mimetype);
  const headers = objectHeaders(object, url, mimetype);
  const etag = `"${Buffer.from(`${version}:${variant}`).toString('base64url')}"`;
  headers.set('etag', etag);
  headers.set('vary', 'accept');
  if (isFresh(request, etag, headers.get('last-modified') ?? ''))
    return new Response(null, { status: 304, headers });
  const make = async (signal: AbortSignal) =>
    (await images.transform(() => readObject(storage, object), how, who, signal)).data;
  const data = await renditions.get(version, variant, make, request.signal);
  headers.set('content-length', String(data.byteLength));
  return new Response(request.method === 'HEAD' ? null : data, { status: 200, headers });
}
