// The blob store in an S3-compatible bucket.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { Settings } from '#/host/lib/host-settings.ts';
import { isVersion, type BlobStore } from '#/host/storage/blob-store.ts';
import { noSuchKey } from '#/host/storage/errors.ts';
import { openBucket } from '#/host/storage/s3-bucket.ts';

/** Short, because readiness is checked every few seconds. */
const CHECK_MS = 3000;

export function createS3Store(settings: Settings): BlobStore {
  const { client, Bucket, use, find } = openBucket(settings);
  const keyOf = (version: string) => `objects/${version}`;

  return {
    temporary: [],
    async put(version, content) {
      const [Body, ContentLength] =
        'file' in content
          ? [createReadStream(content.file), (await stat(content.file)).size]
          : [content, content.byteLength];
      await use(
        client.send(new PutObjectCommand({ Bucket, Key: keyOf(version), Body, ContentLength })),
      );
    },
    async copy(from, to) {
      const copied = await find(
        client.send(
          new CopyObjectCommand({ Bucket, Key: keyOf(to), CopySource: `${Bucket}/${keyOf(from)}` }),
        ),
      );
      if (!copied) throw noSuchKey();
    },
    async open(version, range) {
      if (!isVersion(version)) return null;
      const found = await find(
        client.send(
          new GetObjectCommand({
            Bucket,
            Key: keyOf(version),
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        ),
      );
      return (
        (found?.Body?.transformToWebStream() as ReadableStream<Uint8Array> | undefined) ?? null
      );
    },
    async remove(versions) {
      const Objects = versions.filter(isVersion).map((version) => ({ Key: keyOf(version) }));
      if (Objects.length > 0)
        await use(
          client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
        );
    },
    async check() {
      const abortSignal = AbortSignal.timeout(CHECK_MS);
      await use(client.send(new HeadBucketCommand({ Bucket }), { abortSignal }));
    },
  };
}
