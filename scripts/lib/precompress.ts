// Writes a .br and a .gz beside each file worth it. Brotli's best level is slow, so results are cached by content.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ROOT } from './freshness.ts';

const CACHE = path.join(ROOT, 'node_modules/.cache/packpark');
const TEXT = /\.(js|css|html|svg|json|webmanifest|txt|xml|wasm)$/;
/** Below this the headers weigh more than what is saved. */
const WORTH_IT = 400;

const encoders: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

async function compressed(
  bytes: Buffer,
  extension: string,
  encode: (bytes: Buffer) => Promise<Buffer>,
) {
  const key = path.join(CACHE, `${createHash('sha256').update(bytes).digest('hex')}.${extension}`);
  try {
    return await readFile(key);
  } catch {
    const small = await encode(bytes);
    // Written aside and renamed: another build may read it at the same time.
    const half = `${key}.${process.pid}`;
    await writeFile(half, small);
    await rename(half, key);
    return small;
  }
}

/** Compresses all text files below a folder, as many at once as the thread pool takes. */
export async function precompress(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(name);
      if (bytes.length < WORTH_IT) return;
      await Promise.all(
        Object.entries(encoders).map(async ([extension, encode]) => {
          const small = await compressed(bytes, extension, encode);
          if (small.length < bytes.length) await writeFile(`${name}.${extension}`, small);
        }),
      );
    }),
  );
}
