// The operator's files in the bucket: a large file that is read in ranges, and the folder of backups.
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
 * Timeout for reading one range completely. While the map waits, it shows an empty tile; after an error it requests the tile again.
 */
const PART_MS = 8000;

/** A replaced file is noticed after at most this time. Old and new bytes are never mixed. */
const STATE_HOLDS_MS = 10_000;

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
          // The body is read here, so that a stalled body is handled like a missing response.
          const bytes = await Body?.transformToByteArray();
          // The ETag is also compared here, because not every store supports the condition in the request.
          return bytes && ETag === stamp ? new Uint8Array(bytes) : null;
        }),
      );
    },
  };
}

/** Timeouts for large files. The total time is unlimited, but the transfer fails if no byte arrives for this long. */
const LARGE = { connectionTimeout: 3000, socketTimeout: 60_000 };

/** Opens the files whose names start with a prefix, such as backups. */
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
