// Writes an archive entry by entry; a disk that is full ends the entry that is being added.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack } from 'tar-stream';

/** Each rejects with the reason when the archive cannot be written any more. */
export interface Archive {
  addBytes(name: string, bytes: Uint8Array): Promise<void>;
  addFile(name: string, file: string): Promise<void>;
  finish(): Promise<void>;
}

/** @param file where it goes; it holds everybody's data and the secret, so nobody else may read it */
export function createArchive(file: string): Archive {
  const pack = createPack();
  const written = pipeline(pack, createGzip(), createWriteStream(file, { mode: 0o600 }));
  // A pack whose output has failed calls no callback: what adds to it must learn of it from here.
  const failed = new Promise<never>((_resolve, reject) => written.catch(reject));
  failed.catch(() => undefined);
  const unlessFailed = (work: Promise<void>) => {
    // It may fail later, too, when no caller waits for it any more.
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
