// The interface of blob stores. It is implemented on disk and on S3.
import type { ByteRange } from '#/host/lib/byte-range.ts';
import { isUuid } from '#/host/lib/uuid.ts';

export type Content = Uint8Array<ArrayBuffer> | { file: string };

/** Stores bytes by version: a UUID that is never reused. */
export interface BlobStore {
  /** When it has resolved, the bytes survive a crash. */
  put(version: string, content: Content): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Opens all bytes of a version, or a range of them; null if the version does not exist. */
  open(
    version: string,
    range?: ByteRange,
  ): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null>;
  remove(versions: string[]): Promise<void>;
  /**
   * Resolves if the store can be read and written now.
   * @throws StoreUnavailableError
   */
  check(): Promise<void>;
  /** Folders that may contain unused files after a crash. */
  temporary: string[];
}

/** The store is unavailable. `message` explains this to operators and contains no secrets. */
export class StoreUnavailableError extends Error {}

/** The store responds but rejects the bucket or the keys in the settings. */
export class StoreSettingsError extends StoreUnavailableError {}

/** Returns true if the text can be a version that this host generated. Rows that were inserted manually may contain other texts. */
export const isVersion = (text: string | null): text is string => isUuid(text ?? '');
