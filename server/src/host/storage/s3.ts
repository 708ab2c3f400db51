// What may lie in an S3-compatible bucket: the bytes of objects, one large file that is read in ranges, and a folder of backups.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import type { Settings } from '#/host/lib/settings.ts';
import { isVersion, StoreUnavailableError, type ByteStore } from '#/host/storage/byte-store.ts';
import { noSuchKey } from '#/host/storage/errors.ts';
import type { RangeFile } from '#/host/storage/range-file.ts';

/** A store that does not answer is given up on, so that callers get an error instead of waiting. */
const PATIENCE = { connectionTimeout: 3000, requestTimeout: 15_000, throwOnRequestTimeout: true };

/** A part of a file, from the question to its last byte: whoever waits is a phone with an empty place in its map, and asks again. */
const PART_MS = 8000;

/** How long it may take until a file that was replaced is noticed; its bytes are never mixed. */
const STATE_HOLDS_MS = 10_000;

/** Readiness is asked every few seconds. */
const CHECK_MS = 3000;

/** What an error of the client means for the store as a whole. */
function unavailable(bucket: string, error: unknown): StoreUnavailableError {
  const { name, code, $metadata } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  if (status === undefined)
    return new StoreUnavailableError(`The S3 store cannot be reached (${code ?? name})`);
  if (name === 'NoSuchBucket' || status === 404)
    return new StoreUnavailableError(`The S3 store has no bucket "${bucket}"`);
  if (status === 401 || status === 403)
    return new StoreUnavailableError(`The S3 store refuses these keys for the bucket "${bucket}"`);
  return new StoreUnavailableError(`The S3 store answers ${status} (${name})`);
}

function openBucket(settings: Settings, requestHandler: object = PATIENCE) {
  const { S3_BUCKET: Bucket = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = settings;
  const client = new S3Client({
    ...(settings.S3_ENDPOINT === undefined
      ? {}
      : { endpoint: settings.S3_ENDPOINT, forcePathStyle: true }),
    region: settings.S3_REGION,
    requestHandler,
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    // Most stores besides Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  /** @throws StoreUnavailableError */
  const use = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw unavailable(Bucket, error);
    });
  /** Null where there is no such file, or no longer the one that was asked for. @throws StoreUnavailableError */
  const find = <T>(answer: Promise<T>): Promise<T | null> =>
    answer.catch((error: unknown) => {
      const { name, $metadata } = error as S3ServiceException;
      const isOther = $metadata?.httpStatusCode === 412;
      if (isOther || name === 'NoSuchKey' || name === 'NotFound') return null;
      throw unavailable(Bucket, error);
    });
  return { client, Bucket, use, find };
}

export function createS3Store(settings: Settings): ByteStore {
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

/** A file of the operators' in the bucket, by the name they gave it. */
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
          // A store that stops in the middle of its answer is as silent as one that gives none.
          const bytes = await Body?.transformToByteArray();
          // Not every store knows the condition.
          return bytes && ETag === stamp ? new Uint8Array(bytes) : null;
        }),
      );
    },
  };
}

/** A large file takes long, but never stands still for so long. */
const LARGE = { connectionTimeout: 3000, socketTimeout: 60_000 };

/** Files below a prefix of the bucket, such as backups. */
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
