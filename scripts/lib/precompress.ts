// Writes a .br and a .gz beside each file worth it. Brotli's best level is slow, so its results are cached by content, and a
// first start serves what a quick one makes until they are there.
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

export type Effort = 'quick' | 'best';

const BROTLI_QUALITY: Record<Effort, number> = { quick: 5, best: constants.BROTLI_MAX_QUALITY };

const encoders: Record<string, (bytes: Buffer, effort: Effort) => Promise<Buffer>> = {
  br: (bytes, effort) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** Written aside and renamed: another build, or a host that serves it, may read it at the same time. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const half = `${file}.${process.pid}`;
  await writeFile(half, bytes);
  await rename(half, file);
}

/** The compressed bytes: the best ones where they are known from an earlier build. */
async function compressed(bytes: Buffer, extension: string, effort: Effort): Promise<Buffer> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const key = path.join(CACHE, `${hash}.${extension}`);
  try {
    return await readFile(key);
  } catch {
    const small = await (encoders[extension] as (typeof encoders)['br'])(bytes, effort);
    if (effort === 'best') await writeWhole(key, small);
    return small;
  }
}

/** Compresses all text files below a folder, as many at once as the thread pool takes. */
export async function precompress(folder: string, effort: Effort): Promise<void> {
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
        Object.keys(encoders).map(async (extension) => {
          const small = await compressed(bytes, extension, effort);
          if (small.length < bytes.length) await writeWhole(`${name}.${extension}`, small);
        }),
      );
    }),
  );
}
