// The blob store on disk. File names are versions, never paths that a user chose.
import { createReadStream } from 'node:fs';
import { access, constants, copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { isVersion, StoreUnavailableError, type BlobStore } from '#/host/storage/blob-store.ts';

/** Files up to this size are read completely instead of streamed. */
const READ_AT_ONCE = 512 * 1024;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a store below `root`. Each file is synced before it is renamed to its final name, and its folder is synced afterwards.
 */
export function createDiskStore(root: string): BlobStore {
  /** The folder of incomplete files. */
  const unfinished = path.join(root, '.half');
  const place = (version: string) =>
    path.join(root, version.slice(0, 2), version.slice(2, 4), version);

  async function settle(half: string, version: string): Promise<void> {
    const target = place(version);
    await mkdir(path.dirname(target), { recursive: true });
    await rename(half, target);
    await syncFolder(path.dirname(target));
  }

  return {
    temporary: [unfinished],
    async put(version, content) {
      await mkdir(unfinished, { recursive: true });
      const half = path.join(unfinished, randomUUID());
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
      // The bytes of a version never change, so two versions can be links to the same file.
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
        throw new StoreUnavailableError(
          `the folder cannot be used (${code}), so check that it belongs to the user that Packpark runs as`,
        );
      }
    },
  };
}
