// The operator's files in the bucket: a large file that is read in ranges, and a folder of backups.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { Settings } from '#/host/lib/host-settings.ts';
import type { RangeFile } from '#/host/storage/range-file.ts';
import { openBucket } from '#/host/storage/s3-bucket.ts';

/**
 * Timeout of a part of a file, up to its last byte. The map of the caller shows an empty tile while it waits, and requests the part
 * again after an error.
 */
const PART_MS = 8000;

/** The time until a replaced file is noticed. Old and new bytes are never mixed. */
const STATE_HOLDS_MS = 10_000;

/** Opens an operator's file in the bucket by its name. */
export function createS3File(settings: Settings, Key: string): RangeFile {
  const { client, Bucket, find } = openBucket(settings);
  const limits = () => ({ abortSignal: AbortSignal.timeout(PART_MS) });

  return {
    stateHolds: STATE_HOLDS_MS,
    async state() {
      const found = await find(client.send(new HeadObjectCommand({ Bucket, Key }), limits()));
      return (
        found && {
          size: found.ContentLength ?? 0,
          modified: found.LastModified ?? new Date(0),
          stamp: found.ETag ?? '',
        }
      );
    },
    read(stamp, { start, end }) {
      const Range = `bytes=${start}-${end}`;
      const command = new GetObjectCommand({ Bucket, Key, Range, IfMatch: stamp });
      return find(
        client.send(command, limits()).then(async ({ Body, ETag }) => {
          // Reads the body here, so that a body that stalls is handled like a missing response.
          const bytes = await Body?.transformToByteArray();
          // The ETag is compared here too, because not every store supports the condition in the request.
          return bytes && ETag === stamp ? new Uint8Array(bytes) : null;
        }),
      );
    },
  };
}

/** The transfer of a large file may take longer than this in total, but fails if no byte arrives for this long. */
const LARGE = { connectionTimeout: 3000, socketTimeout: 60_000 };

/** Opens the files below a prefix of the bucket, such as backups. */
export function createS3Folder(settings: Settings, prefix: string) {
  const { client, Bucket, use } = openBucket(settings, LARGE);
  return {
    async list(): Promise<{ name: string; bytes: number }[]> {
      const files: { name: string; bytes: number }[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await use(
          client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken })),
        );
        for (const { Key = '', Size = 0 } of page.Contents ?? [])
          files.push({ name: Key.slice(prefix.length), bytes: Size });
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
      return files.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async put(name: string, file: string): Promise<void> {
      const Body = createReadStream(file);
      const ContentLength = (await stat(file)).size;
      await use(
        client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body, ContentLength })),
      );
    },
    async get(name: string, file: string): Promise<void> {
      const { Body } = await use(client.send(new GetObjectCommand({ Bucket, Key: prefix + name })));
      const handle = await open(file, 'wx', 0o600);
      await pipeline(Body as Readable, handle.createWriteStream());
    },
    async remove(names: readonly string[]): Promise<void> {
      const Objects = names.map((name) => ({ Key: prefix + name }));
      await use(client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } })));
    },
  };
}
