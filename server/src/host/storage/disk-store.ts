// The store of bytes in a folder on disk, and the choice between it and S3. Files are named by version, never by a user's path.
import { createReadStream } from 'node:fs';
import { access, constants, copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { ROOT } from '#/host/lib/paths.ts';
import type { Settings } from '#/host/lib/settings.ts';
import { isVersion, StoreUnavailableError, type ByteStore } from '#/host/storage/byte-store.ts';

/** Up to this size a file is read at once: one answer instead of a stream. */
const READ_AT_ONCE = 512 * 1024;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Where the disk's store keeps files until they are whole; a crash leaves them there. */
export const halfWritten = (root: string) => path.join(root, '.half');

/** The store on disk under `root`: fsync before the final name, the folder's entry after it. */
function createDiskStore(root: string): ByteStore {
  const place = (version: string) =>
    path.join(root, version.slice(0, 2), version.slice(2, 4), version);

  async function settle(half: string, version: string): Promise<void> {
    const target = place(version);
    await mkdir(path.dirname(target), { recursive: true });
    await rename(half, target);
    await syncFolder(path.dirname(target));
  }

  return {
    async put(version, content) {
      await mkdir(halfWritten(root), { recursive: true });
      const half = path.join(halfWritten(root), randomUUID());
      try {
        if ('file' in content) await copyFile(content.file, half);
        const handle = await open(half, 'file' in content ? 'r+' : 'w');
        try {
          if (!('file' in content)) await handle.writeFile(content);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await settle(half, version);
      } catch (error) {
        await rm(half, { force: true });
        throw error;
      }
    },
    async copy(from, to) {
      // Bytes never change under their version, so two names may share them.
      const target = place(to);
      await mkdir(path.dirname(target), { recursive: true });
      await link(place(from), target);
      await syncFolder(path.dirname(target));
    },
    async open(version, range) {
      if (!isVersion(version)) return null;
      const handle = await open(place(version), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (!handle) return null;
      const { size } = await handle.stat();
      const { start, end } = range ?? { start: 0, end: size - 1 };
      const length = Math.max(0, end - start + 1);
      if (length <= READ_AT_ONCE) {
        try {
          const buffer = new Uint8Array(length);
          const { bytesRead } = await handle.read(buffer, 0, length, start);
          return buffer.subarray(0, bytesRead);
        } finally {
          await handle.close();
        }
      }
      await handle.close();
      return Readable.toWeb(
        createReadStream(place(version), { start, end }),
      ) as unknown as ReadableStream<Uint8Array>;
    },
    async remove(versions) {
      await Promise.all(
        versions.filter(isVersion).map((version) => rm(place(version), { force: true })),
      );
    },
    async check() {
      try {
        await mkdir(root, { recursive: true });
        await access(root, constants.R_OK | constants.W_OK);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new StoreUnavailableError(`The folder of files cannot be used (${code})`);
      }
    },
  };
}

/** The store that the settings ask for: S3 where `S3_BUCKET` is set, else a folder of DATA_DIR. */
export async function createObjectStore(settings: Settings): Promise<ByteStore> {
  if (settings.S3_BUCKET === undefined)
    return createDiskStore(path.resolve(ROOT, settings.DATA_DIR, 'storage/bytes'));
  // The S3 client is large; only those who use it pay for loading it.
  const { createS3Store } = await import('#/host/storage/s3.ts');
  return createS3Store(settings);
}
