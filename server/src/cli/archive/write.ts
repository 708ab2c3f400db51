// Writes a backup archive (tar, gzip) entry by entry. If the disk is full, adding an entry fails.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack } from 'tar-stream';

/** All methods reject if the archive can no longer be written. */
export interface Archive {
  addBytes(name: string, bytes: Uint8Array): Promise<void>;
  addFile(name: string, file: string): Promise<void>;
  finish(): Promise<void>;
}

/** @param file the archive's path; only its owner may read it, because it contains all data and the secret */
export function createArchive(file: string): Archive {
  const pack = createPack();
  const written = pipeline(pack, createGzip(), createWriteStream(file, { mode: 0o600 }));
  // tar-stream calls no callback after its output has failed, so each method also waits for the failure of the output.
  const failed = new Promise<never>((_resolve, reject) => written.catch(reject));
  failed.catch(() => undefined);
  const unlessFailed = (work: Promise<void>) => {
    // The work may fail after the race is decided. No caller waits for it then, so the failure is ignored.
    work.catch(() => undefined);
    return Promise.race([work, failed]);
  };
  return {
    addBytes: (name, bytes) =>
      unlessFailed(
        new Promise((resolve, reject) => {
          pack.entry({ name, mode: 0o600 }, Buffer.from(bytes), (error) =>
            error ? reject(error) : resolve(),
          );
        }),
      ),
    async addFile(name, source) {
      const { size } = await stat(source);
      if (pack.destroyed) return failed;
      const entry = pack.entry({ name, size, mode: 0o600 });
      await unlessFailed(pipeline(createReadStream(source), entry));
    },
    async finish() {
      pack.finalize();
      await written;
    },
  };
}
