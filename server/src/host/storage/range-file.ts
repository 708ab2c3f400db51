// The interface of a large file that an operator provides and that is read in ranges; and its implementation on the local disk.
import { open } from 'node:fs/promises';
import type { ByteRange } from '#/host/lib/byte-range.ts';

export interface FileState {
  size: number;
  modified: Date;
  /** An opaque text that changes whenever the file changes. */
  stamp: string;
}

export interface RangeFile {
  /** Milliseconds for which a state may be cached. Bucket providers charge for each request. */
  stateHolds: number;
  /**
   * Returns null if the file does not exist.
   * @throws StoreUnavailableError if the bucket cannot be reached
   */
  state(): Promise<FileState | null>;
  /** Reads a range of the file. Returns null if the file has changed since it had this stamp. */
  read(stamp: string, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | null>;
}

type Handle = Awaited<ReturnType<typeof open>>;

async function stateOf(handle: Handle): Promise<FileState | null> {
  const found = await handle.stat({ bigint: true });
  if (!found.isFile()) return null;
  return {
    size: Number(found.size),
    modified: new Date(Number(found.mtimeMs)),
    stamp: [found.dev, found.ino, found.size, found.mtimeNs].join('-'),
  };
}

export function createDiskFile(place: string): RangeFile {
  async function withHandle<T>(work: (handle: Handle) => Promise<T>): Promise<T | null> {
    const handle = await open(place, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (!handle) return null;
    try {
      return await work(handle);
    } finally {
      await handle.close();
    }
  }

  return {
    stateHolds: 0,
    state: () => withHandle(stateOf),
    read: (stamp, { start, end }) =>
      withHandle(async (handle) => {
        const bytes = new Uint8Array(end - start + 1);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        // The state is checked again after reading, because the file may have been overwritten in the meantime.
        const isSame = (await stateOf(handle))?.stamp === stamp;
        return isSame && bytesRead === bytes.length ? bytes : null;
      }),
  };
}
