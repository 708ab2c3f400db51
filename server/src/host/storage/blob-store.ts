// The interface of blob stores, implemented on disk and on S3.
import type { ByteRange } from '#/host/lib/byte-range.ts';
import { isUuid } from '#/host/lib/uuid.ts';

export type Content = Uint8Array<ArrayBuffer> | { file: string };

/** Bytes under a version (a uuid that is never used twice). */
export interface BlobStore {
  /** Durable when resolved: a later crash loses nothing. */
  put(version: string, content: Content): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** All bytes or a range of them; null when there are none under this version. */
  open(
    version: string,
    range?: ByteRange,
  ): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null>;
  remove(versions: string[]): Promise<void>;
  /** Resolves when bytes can be read and written now. @throws StoreUnavailableError */
  check(): Promise<void>;
  /** Folders in which a crash may leave unused files. */
  temporary: string[];
}

/** The store is unavailable; `message` explains it to operators without secrets. */
export class StoreUnavailableError extends Error {}

/** The store answers, but rejects the bucket or the keys of the settings. */
export class StoreSettingsError extends StoreUnavailableError {}

/** True for a name that we gave; rows written by hand may carry others. */
export const isVersion = (text: string | null): text is string => isUuid(text ?? '');
