// Errors in the format of storage-api: the body contains the actual status, and the response has the legacy status 400 for most
// errors.
import { isDiskFull } from '#/host/lib/disk.ts';
import { json } from '#/host/lib/http.ts';
import { AcquireTimeoutError, FullError, AbortedError } from '#/host/limits/fair-semaphore.ts';
import { StoreUnavailableError } from '#/host/storage/blob-store.ts';

/**
 * An error for the caller. `status` is the actual status, `error` the short name that clients compare, and `code` the name that
 * newer clients compare. `cause` is only logged.
 */
export class StorageError extends Error {
  readonly status: number;
  readonly error: string;
  readonly code: string | undefined;
  constructor(
    status: number,
    error: string,
    message: string,
    options?: ErrorOptions & { code?: string },
  ) {
    super(message, options);
    this.code = options?.code;
    this.status = status;
    this.error = error;
  }
}

export const noSuchBucket = () =>
  new StorageError(404, 'Bucket not found', 'Bucket not found', { code: 'NoSuchBucket' });
export const noSuchKey = () =>
  new StorageError(404, 'not_found', 'Object not found', { code: 'NoSuchKey' });
export const invalidKey = (key: string) =>
  new StorageError(400, 'InvalidKey', `Invalid key: ${key.slice(0, 200)}`);
export const invalidRequest = (message: string) => new StorageError(400, 'InvalidRequest', message);
export const invalidMimeType = (type: string) =>
  new StorageError(415, 'invalid_mime_type', `mime type ${type.slice(0, 100)} is not supported`);
export const tooLarge = () =>
  new StorageError(413, 'Payload too large', 'The object exceeded the maximum allowed size');
export const duplicate = () => new StorageError(409, 'Duplicate', 'The resource already exists');
export const unauthorized = (message: string) => new StorageError(403, 'Unauthorized', message);
export const busy = (what: 'images' | 'uploads', options?: ErrorOptions) =>
  new StorageError(429, 'TooManyRequests', `Too many ${what} at once, try again later`, options);

const databaseTimeout = () =>
  new StorageError(544, 'DatabaseTimeout', 'The connection to the database timed out');

/** Returns the error response if a limit of this host, its disk or its blob store was reached; otherwise null. */
function fromHost(error: Error & { code?: unknown }): StorageError | null {
  if (error instanceof AcquireTimeoutError) return databaseTimeout();
  if (error instanceof FullError) return busy('images');
  // The client disconnected. Proxies also log this status.
  if (error instanceof AbortedError)
    return new StorageError(499, 'ClientClosedRequest', 'The client closed the connection');
  if (error instanceof StoreUnavailableError)
    return new StorageError(
      503,
      'StorageUnavailable',
      'The file store cannot be reached right now',
    );
  return isDiskFull(error)
    ? new StorageError(507, 'InsufficientStorage', 'There is no room left to store files')
    : null;
}

/** Returns the error for a failure in PostgreSQL; null if clients must not see it. */
function fromDatabase(error: { code?: unknown; message: string }): StorageError | null {
  const code = typeof error.code === 'string' ? error.code : '';
  if (code === '42501') return unauthorized('new row violates row-level security policy');
  if (code === '23505') return duplicate();
  if (code === '23503')
    return new StorageError(404, 'InvalidRequest', 'The related resource does not exist');
  if (code === '55P03' || code === '40001' || code === '40P01')
    return new StorageError(423, 'ResourceLocked', 'The resource is locked');
  if (code === '57014') return databaseTimeout();
  // Class 54: the body is nested too deeply, or a value is too long for an index.
  if (code.startsWith('54')) return invalidRequest('The request is too large or nested too deep');
  // The schema raises PTnnn to set the response status nnn.
  if (code === 'PT413') return tooLarge();
  if (code === 'PT415') return new StorageError(415, 'invalid_mime_type', error.message);
  // Triggers raise P0001 with a message for the caller. Classes 22 and 23 mean that a column does not accept a value.
  if (code === 'P0001') return invalidRequest(error.message);
  if (/^2[23]/.test(code)) return invalidRequest('The request has a value that cannot be stored');
  return null;
}

/** Statuses that are also the HTTP status: limits of size and type, ranges, rate limits and server errors. Others become 400. */
const KEPT = [413, 415, 416, 429, 499, 503, 507, 544];

/** Returns the error response in storage-api's format; null if clients must not see the error. */
export function errorResponse(error: unknown): Response | null {
  const shown =
    error instanceof StorageError
      ? error
      : error instanceof Error
        ? (fromHost(error) ?? fromDatabase(error))
        : null;
  if (!shown) return null;
  const onTheWire = KEPT.includes(shown.status) ? shown.status : 400;
  return json(
    {
      statusCode: String(shown.status),
      ...(shown.code && { code: shown.code }),
      error: shown.error,
      message: shown.message,
    },
    onTheWire,
    onTheWire === 503 ? { 'retry-after': '5' } : {},
  );
}
