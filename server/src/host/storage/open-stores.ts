// Opens the store according to the settings: the bucket if `S3_BUCKET` is set, otherwise the local disk.
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';
import type { Settings } from '#/host/lib/host-settings.ts';
import type { BlobStore } from '#/host/storage/blob-store.ts';
import { createDiskStore } from '#/host/storage/disk-store.ts';
import { createDiskFile, type RangeFile } from '#/host/storage/range-file.ts';

// The S3 client is large, so it is loaded only if it is used.

export const openBlobStore = async (settings: Settings): Promise<BlobStore> =>
  settings.S3_BUCKET === undefined
    ? createDiskStore(path.resolve(ROOT, settings.DATA_DIR, 'storage/bytes'))
    : (await import('#/host/storage/s3-store.ts')).createS3Store(settings);

/** Opens a file of the operator in the bucket or in DATA_DIR. An absolute path is on the local disk. */
export const openRangeFile = async (settings: Settings, name: string): Promise<RangeFile> =>
  settings.S3_BUCKET === undefined || path.isAbsolute(name)
    ? createDiskFile(path.resolve(ROOT, settings.DATA_DIR, name))
    : (await import('#/host/storage/s3-files.ts')).createS3File(settings, name);
