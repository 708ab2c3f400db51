// Receives the body of an upload, raw or multipart, in a temporary file, and stops if it is too large.
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import busboy from 'busboy';
import { JsonDepthError, jsonProblem, parseJson } from '#/host/lib/json-problem.ts';
import { invalidRequest, tooLarge } from '#/host/storage/errors.ts';

export interface Received {
  /** The path of a temporary file, which the caller removes. */
  file: string;
  size: number;
  /** The type that the client declared; not verified. */
  mimetype: string;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
}

/** Maximum bytes of a multipart body in addition to its file. */
const MULTIPART_EXTRA = 64 * 1024;

function counted(limit: number): { through: Transform; size: () => number } {
  let size = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  return { through, size: () => size };
}

/** Returns a value if it is valid as a header; otherwise null. */
const safeHeader = (text: string | null | undefined): string | null =>
  text && /^[\x20-\x7e]{1,200}$/.test(text) ? text : null;

/** @throws StorageError 400 if it is nested too deeply or contains invalid Unicode */
function parseMetadata(text: string | null | undefined): Record<string, unknown> | null {
  if (!text) return null;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonDepthError) throw invalidRequest(error.message);
    return null;
  }
  const problem = jsonProblem(value);
  if (problem !== null) throw invalidRequest(problem);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

async function receiveRaw(body: Readable, headers: Headers, file: string, limit: number) {
  const { through, size } = counted(limit);
  await pipeline(body, through, createWriteStream(file));
  const encoded = headers.get('x-metadata');
  return {
    file,
    size: size(),
    mimetype: safeHeader(headers.get('content-type')) ?? 'application/octet-stream',
    cacheControl: safeHeader(headers.get('cache-control')) ?? 'no-cache',
    userMetadata: parseMetadata(encoded && Buffer.from(encoded, 'base64').toString('utf8')),
  };
}

async function receiveForm(body: Readable, headers: Headers, file: string, limit: number) {
  const fields = new Map<string, string>();
  let writing: Promise<{ size: number; mimetype: string }> | null = null;
  let parser: busboy.Busboy;
  try {
    parser = busboy({
      headers: { 'content-type': headers.get('content-type') ?? '' },
      limits: { fields: 20, fieldSize: MULTIPART_EXTRA, files: 1, parts: 30 },
    });
  } catch {
    throw invalidRequest('The multipart body is malformed');
  }
  parser.on('field', (name, value) => fields.set(name, value));
  parser.on('file', (_name, stream, info) => {
    const { through, size } = counted(limit);
    writing = pipeline(stream, through, createWriteStream(file)).then(() => ({
      size: size(),
      mimetype: safeHeader(info.mimeType) ?? 'application/octet-stream',
    }));
    // If writing fails, the rest of the body is not read. The error itself is thrown by the `await` below.
    writing.catch((error: Error) => parser.destroy(error));
  });
  await pipeline(body, parser);
  const written = await (writing as Promise<{ size: number; mimetype: string }> | null);
  if (!written) throw invalidRequest('No content provided');
  const seconds = fields.get('cacheControl');
  return {
    file,
    ...written,
    mimetype: safeHeader(fields.get('contentType')) ?? written.mimetype,
    cacheControl: seconds && /^\d{1,10}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache',
    userMetadata: parseMetadata(fields.get('metadata')),
  };
}

/**
 * Receives an upload.
 * @param limit the maximum size of the object in bytes
 * @throws StorageError 413 above the limit, 400 for a body that cannot be read
 */
export async function receiveUpload(
  request: Request,
  folder: string,
  limit: number,
): Promise<Received> {
  const { headers } = request;
  const multipart = /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '');
  const announced = Number(headers.get('content-length') ?? 0);
  if (announced > limit + (multipart ? MULTIPART_EXTRA : 0)) throw tooLarge();
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, randomUUID());
  const body = request.body
    ? Readable.fromWeb(request.body as unknown as NodeStream)
    : Readable.from([]);
  try {
    return await (multipart ? receiveForm : receiveRaw)(body, headers, file, limit);
  } catch (error) {
    await rm(file, { force: true });
    if ((error as { status?: unknown }).status !== undefined) throw error;
    // Errors of a system call, such as ENOSPC, are not the client's fault. All others mean that the body is truncated or malformed.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw invalidRequest('The body could not be read');
  }
}
