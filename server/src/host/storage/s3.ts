// The byte store in an S3-compatible service, for several hosts that share one.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { SettingsError, type Settings } from '#/host/lib/settings.ts';
import { isVersion, type ByteStore } from '#/host/storage/byte-store.ts';

/** @throws SettingsError naming the setting that is missing */
export function createS3Store(settings: Settings): ByteStore {
  const { S3_BUCKET: Bucket, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (Bucket === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined)
    throw new SettingsError(
      'The setting S3_BUCKET is not enough: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set as well.',
    );
  const client = new S3Client({
    ...(settings.S3_ENDPOINT === undefined
      ? {}
      : { endpoint: settings.S3_ENDPOINT, forcePathStyle: true }),
    region: settings.S3_REGION,
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    // Most stores besides Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const keyOf = (version: string) => `objects/${version}`;

  return {
    async put(version, content) {
      const [Body, ContentLength] =
        'file' in content
          ? [createReadStream(content.file), (await stat(content.file)).size]
          : [content, content.byteLength];
      await client.send(new PutObjectCommand({ Bucket, Key: keyOf(version), Body, ContentLength }));
    },
    async copy(from, to) {
      await client.send(
        new CopyObjectCommand({ Bucket, Key: keyOf(to), CopySource: `${Bucket}/${keyOf(from)}` }),
      );
    },
    async open(version, range) {
      if (!isVersion(version)) return null;
      try {
        const { Body } = await client.send(
          new GetObjectCommand({
            Bucket,
            Key: keyOf(version),
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        );
        return (Body?.transformToWebStream() as ReadableStream<Uint8Array> | undefined) ?? null;
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return null;
        throw error;
      }
    },
    async remove(versions) {
      const Objects = versions.filter(isVersion).map((version) => ({ Key: keyOf(version) }));
      if (Objects.length > 0)
        await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    },
  };
}
