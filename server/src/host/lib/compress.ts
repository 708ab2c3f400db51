// Compresses responses that are sent only once, with brotli or gzip as the client accepts.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { codingFor } from '#/host/lib/http-cache.ts';

/** Shorter bodies need only a few packets without compression. */
export const COMPRESS_FROM_BYTES = 4096;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Quality 4 saves half as many bytes as the slowest quality, in a small part of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export const encoded = (bytes: Uint8Array | ArrayBuffer, coding: 'br' | 'gzip'): Promise<Buffer> =>
  coding === 'br' ? brotli(bytes, BROTLI) : zip(bytes);

/**
 * Compresses a response with a coding that the client accepts. Its ETag becomes weak, because the bytes differ. Never use it for
 * bodies that contain both a secret and text chosen by an attacker (BREACH).
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  if (headers.has('content-encoding') || /no-transform/i.test(headers.get('cache-control') ?? ''))
    return response;
  headers.append('vary', 'Accept-Encoding');
  const coding = codingFor(request);
  if (coding === undefined) return response;
  const bytes = await response.arrayBuffer();
  headers.set('content-encoding', coding);
  headers.delete('content-length');
  const etag = headers.get('etag');
  if (etag !== null && !etag.startsWith('W/')) headers.set('etag', `W/${etag}`);
  return new Response(new Uint8Array(await encoded(bytes, coding)), { status, headers });
}
