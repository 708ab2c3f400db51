// Opens the store that the settings select: the bucket if `S3_BUCKET` is set, otherwise this disk.
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';
import type { Settings } from '#/host/lib/settings.ts';
import type { BlobStore } from '#/host/storage/blob-store.ts';
import { createDiskStore } from '#/host/storage/disk-store.ts';
import { createDiskFile, type RangeFile } from '#/host/storage/range-file.ts';

// The S3 client is large, so it is loaded only if it is used.

/** The store of what people upload. */
export const openBlobStore = async (settings: Settings): Promise<BlobStore> =>
  settings.S3_BUCKET === undefined
    ? createDiskStore(path.resolve(ROOT, settings.DATA_DIR, 'storage/bytes'))
    : (await import('#/host/storage/s3-store.ts')).createS3Store(settings);

/** The file that an operator named: in the bucket or in DATA_DIR; an absolute path is one of this disk. */
export const openRangeFile = async (settings: Settings, name: string): Promise<RangeFile> =>
  settings.S3_BUCKET === undefined || path.isAbsolute(name)
    ? createDiskFile(path.resolve(ROOT, settings.DATA_DIR, name))
    : (await import('#/host/storage/s3-files.ts')).createS3File(settings, name);
