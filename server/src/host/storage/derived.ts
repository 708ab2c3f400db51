// A bounded folder of what can be made again from an object's version: smaller pictures, compressed texts.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const MAX_BYTES = 256 * 1024 * 1024;

export interface DerivedCache {
  /** The cached bytes of `name`, else what `make` returns; concurrent requests share one call. */
  get(name: string, make: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>>;
}

/** Opens the cache in a folder; the least recently used files go first when it is full. */
export function createDerivedCache(folder: string): DerivedCache {
  const making = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const sizes = new LRUCache<string, number>({
    maxSize: MAX_BYTES,
    sizeCalculation: (size) => Math.max(1, size),
    dispose: (_size, file, reason) => {
      if (reason === 'evict') rmSync(path.join(folder, file), { force: true });
    },
  });
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) {
    // A dot begins a file that was being written when the host ended.
    if (file.startsWith('.')) rmSync(path.join(folder, file), { force: true });
    else sizes.set(file, statSync(path.join(folder, file)).size);
  }

  async function obtain(
    file: string,
    make: () => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    if (sizes.get(file) !== undefined) {
      const cached = await readFile(path.join(folder, file)).catch(() => null);
      if (cached) return new Uint8Array(cached.buffer, cached.byteOffset, cached.byteLength);
    }
    const made = await make();
    const half = path.join(folder, `.${randomUUID()}`);
    await writeFile(half, made);
    await rename(half, path.join(folder, file));
    sizes.set(file, made.byteLength);
    return made;
  }

  return {
    get(name, make) {
      const file = createHash('sha256').update(name).digest('hex');
      const known = making.get(file);
      if (known) return known;
      const work = obtain(file, make).finally(() => making.delete(file));
      making.set(file, work);
      return work;
    },
  };
}
