// Writes a .br and a .gz file next to each file that compresses well. Brotli's best level is slow, so its results are cached by
// content. Until they exist, quickly compressed files are served.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ROOT } from './freshness.ts';

const CACHE = path.join(ROOT, 'node_modules/.cache/packpark');
const TEXT = /\.(js|css|html|svg|json|webmanifest|txt|xml|wasm)$/;
/** Bytes. For smaller files, the additional headers cost more than compression saves. */
const WORTH_IT = 400;

type Effort = 'quick' | 'best';

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

/** Writes a temporary file and renames it, because another build or a running host may read the file at the same time. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const half = `${file}.${process.pid}`;
  await writeFile(half, bytes);
  await rename(half, file);
}

/** Compresses bytes. Uses the cached result of the best level if there is one. */
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

/** Compresses all text files below a folder. The thread pool limits the number of concurrent compressions. */
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
