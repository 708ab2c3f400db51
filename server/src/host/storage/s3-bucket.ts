// Opens the S3-compatible bucket of the settings and converts its errors.
import { S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import type { Settings } from '#/host/lib/host-settings.ts';
import { StoreSettingsError, StoreUnavailableError } from '#/host/storage/blob-store.ts';

/** With these timeouts, callers receive an error when the store does not respond. */
const PATIENCE = { connectionTimeout: 3000, requestTimeout: 15_000, throwOnRequestTimeout: true };

/** Describes an error of the S3 client that makes the whole store unavailable. */
function unavailable(bucket: string, error: unknown): StoreUnavailableError {
  const { name, code, $metadata } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  if (status === undefined)
    return new StoreUnavailableError(`The S3 store cannot be reached (${code ?? name})`);
  if (name === 'NoSuchBucket' || status === 404)
    return new StoreSettingsError(`The S3 store has no bucket "${bucket}"`);
  if (status === 401 || status === 403)
    return new StoreSettingsError(`The S3 store rejects these keys for the bucket "${bucket}"`);
  return new StoreUnavailableError(`The S3 store returned ${status} (${name})`);
}

/** @param requestHandler timeouts of the S3 client */
export function openBucket(settings: Settings, requestHandler: object = PATIENCE) {
  const { S3_BUCKET: Bucket = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = settings;
  const client = new S3Client({
    ...(settings.S3_ENDPOINT === undefined
      ? {}
      : { endpoint: settings.S3_ENDPOINT, forcePathStyle: true }),
    region: settings.S3_REGION,
    requestHandler,
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    // Most S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  /** @throws StoreUnavailableError */
  const use = <T>(result: Promise<T>): Promise<T> =>
    result.catch((error: unknown) => {
      throw unavailable(Bucket, error);
    });
  /**
   * Returns null if the file does not exist or has changed.
   * @throws StoreUnavailableError
   */
  const find = <T>(result: Promise<T>): Promise<T | null> =>
    result.catch((error: unknown) => {
      const { name, $metadata } = error as S3ServiceException;
      const isOther = $metadata?.httpStatusCode === 412;
      if (isOther || name === 'NoSuchKey' || name === 'NotFound') return null;
      throw unavailable(Bucket, error);
    });
  return { client, Bucket, use, find };
}
