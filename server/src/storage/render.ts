// Smaller copies of pictures on request, kept on disk by version, so that each is made once.
import * as v from 'valibot';
import type { StorageContext } from '#/storage/context.ts';
import { invalidRequest, StorageError } from '#/storage/errors.ts';
import { transformImage, type Transformation } from '#/storage/images.ts';
import type { ObjectRow } from '#/storage/objects.ts';
import { isFresh, objectHeaders, readObject } from '#/storage/send.ts';

/** More than any phone's photo; larger objects are sent as they are or not at all. */
const MAX_SOURCE = 50 * 1024 * 1024;

const side = v.optional(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(Number),
    v.integer(),
    v.minValue(1),
    v.maxValue(2500),
  ),
);

export const transformSchema = v.object({
  width: side,
  height: side,
  resize: v.optional(v.picklist(['cover', 'contain', 'fill']), 'cover'),
  quality: v.optional(
    v.pipe(
      v.union([v.string(), v.number()]),
      v.transform(Number),
      v.integer(),
      v.minValue(20),
      v.maxValue(100),
    ),
    80,
  ),
  format: v.optional(v.picklist(['origin', 'avif', 'webp'])),
});

/** Reads a transformation; where no format is asked for, WebP for those who take it. @throws StorageError 400 */
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

/** Answers with the transformed picture. */
export async function renderObject(
  context: StorageContext,
  request: Request,
  object: ObjectRow,
  how: Transformation,
): Promise<Response> {
  const { metadata, version } = object;
  if (!metadata?.mimetype.startsWith('image/') || metadata.size > MAX_SOURCE)
    throw new StorageError(422, 'InvalidRequest', 'The object is not an image that can be read');
  const name = `${version}:${how.width}:${how.height}:${how.resize}:${how.quality}:${how.format}`;
  const mimetype = how.format === 'webp' ? 'image/webp' : metadata.mimetype;
  const headers = objectHeaders(object, new URL(request.url), mimetype);
  const etag = `"${Buffer.from(name).toString('base64url')}"`;
  headers.set('etag', etag);
  headers.set('vary', 'accept');
  if (isFresh(request, etag, headers.get('last-modified') ?? ''))
    return new Response(null, { status: 304, headers });
  const data = await context.derived.get(name, async () => {
    const made = await transformImage(() => readObject(context, object), how);
    return made.data;
  });
  headers.set('content-length', String(data.byteLength));
  return new Response(request.method === 'HEAD' ? null : data, { status: 200, headers });
}
