// Validates names of buckets and objects: only the characters that storage-api allows, and no path traversal.
import { invalidKey, StorageError } from '#/host/storage/errors.ts';

const KEY = /^[\w/!\-.*'() &$@=;:+,?]{1,1024}$/;
const BUCKET = /^[\w!\-.*'() &$@=;:+,?]{1,100}$/;

/** @throws StorageError if the key contains other characters, an empty segment, or a segment `.` or `..` */
export function checkKey(key: string): string {
  const segments = key.split('/');
  if (!KEY.test(key) || segments.some((part) => part === '' || part === '.' || part === '..'))
    throw invalidKey(key);
  return key;
}

export function checkBucketName(name: string): string {
  if (!BUCKET.test(name) || name.startsWith(' ') || name.endsWith(' '))
    throw new StorageError(400, 'InvalidBucketName', 'Bucket name invalid');
  return name;
}

/**
 * Decodes the percent-encoding of a path.
 * @throws StorageError if it is malformed
 */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalidKey(path);
  }
}
