// A cache folder of limited size for data that is derived from an object: smaller images and compressed texts.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const MAX_BYTES = 256 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;
type Make = (signal: AbortSignal) => Promise<Bytes>;

/** A rendition in progress, and the number of callers that wait for it. */
interface Making {
  work: Promise<Bytes>;
  callers: number;
  abandoned: AbortController;
}

/** A file name starts with the version, so the renditions of a deleted original can be found. */
const FILE = /^([0-9a-f-]{36})\.[0-9a-f]{32}$/;
const versionOf = (file: string): string => FILE.exec(file)?.[1] ?? '';

/** Opens the cache in a folder. When the cache is full, the least recently used files are deleted. */
export function createRenditionCache(folder: string) {
  const making = new Map<string, Making>();
  const sizes = new LRUCache<string, number>({
    maxSize: MAX_BYTES,
    sizeCalculation: (size) => Math.max(1, size),
    dispose: (_size, file, reason) => {
      if (reason === 'evict') rmSync(path.join(folder, file), { force: true });
    },
  });
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) {
    // Other names belong to files that were incomplete when the host ended.
    if (!FILE.test(file)) rmSync(path.join(folder, file), { force: true });
    else sizes.set(file, statSync(path.join(folder, file)).size);
  }

  async function obtain(file: string, make: () => Promise<Bytes>): Promise<Bytes> {
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

  function start(file: string, make: Make): Making {
    const abandoned = new AbortController();
    const work = obtain(file, () => make(abandoned.signal)).finally(() => making.delete(file));
    const current: Making = { work, callers: 0, abandoned };
    making.set(file, current);
    return current;
  }

  const fileOf = (version: string, variant: string): string =>
    `${version}.${createHash('sha256').update(variant).digest('hex').slice(0, 32)}`;

  /**
   * Returns the cached bytes of a version's variant, or calls `make`. Concurrent requests share one call.
   * @param make receives a signal that is aborted when all its callers have disconnected
   * @param signal aborted when this caller disconnects
   */
  async function get(
    version: string,
    variant: string,
    make: Make,
    signal?: AbortSignal,
  ): Promise<Bytes> {
    const file = fileOf(version, variant);
    const current = making.get(file) ?? start(file, make);
    const leave = () => {
      current.callers -= 1;
      if (current.callers === 0) current.abandoned.abort();
    };
    current.callers += 1;
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await current.work;
    } catch (error) {
      // The shared work was aborted because all earlier callers disconnected, so this caller starts it again.
      if (current.abandoned.signal.aborted && signal?.aborted !== true)
        return await get(version, variant, make, signal);
      throw error;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  return {
    get,
    has: (version: string, variant: string): boolean => sizes.has(fileOf(version, variant)),
    /** Resolves when nothing is being made. Responses may have been sent before, so the host waits for this when it stops. */
    async settled(): Promise<void> {
      await Promise.allSettled([...making.values()].map(({ work }) => work));
    },
    versions: (): string[] => [...new Set([...sizes.keys()].map(versionOf))],
    remove(versions: readonly string[]): void {
      const gone = new Set(versions);
      for (const file of [...sizes.keys()])
        if (gone.has(versionOf(file))) {
          sizes.delete(file);
          rmSync(path.join(folder, file), { force: true });
        }
    },
  };
}

export type RenditionCache = ReturnType<typeof createRenditionCache>;
