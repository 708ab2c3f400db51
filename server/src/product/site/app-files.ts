// Serves the built app (app/dist), precompressed and with ETags. Files with a hash in their name may be cached forever.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { accepts, isFresh } from '#/host/lib/http-cache.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

interface Stored {
  bytes: Buffer;
  tag: string;
}

interface AppFiles {
  text(name: string): Promise<string | null>;
  /** Returns the response for a path such as `/assets/main-1a2b.js`; null if the file does not exist. */
  serve(request: Request, pathname: string): Promise<Response | null>;
}

/** Returns a strong ETag for the bytes as they are sent. */
export const entityTag = (bytes: Buffer | string): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

function filesBelow(folder: string): Set<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .filter((name) => !name.startsWith('.')),
    );
  } catch {
    return new Set();
  }
}

/**
 * Creates the file server. The folder is listed at the first request, because the first start builds the app while the host starts.
 * Contents are read when first needed and then cached; the whole app is a few MB.
 */
export function createAppFiles(find: () => string): AppFiles {
  let folder = '';
  let listed: Set<string> | null = null;
  const has = (name: string) => (listed ??= filesBelow((folder = find()))).has(name);
  const read = new Map<string, Promise<Stored>>();

  function load(name: string): Promise<Stored> {
    let stored = read.get(name);
    if (!stored) {
      stored = readFile(path.join(folder, name)).then((bytes) => ({
        bytes,
        tag: entityTag(bytes),
      }));
      stored.catch(() => read.delete(name));
      read.set(name, stored);
    }
    return stored;
  }

  return {
    async text(name) {
      return has(name) ? (await load(name)).bytes.toString('utf8') : null;
    },
    async serve(request, pathname) {
      const name = pathname.slice(1);
      const type = TYPES[path.extname(name)];
      if (!has(name) || type === undefined) return null;
      const encoding = ENCODINGS.find(
        (one) => has(name + one.extension) && accepts(request, one.name),
      );
      const { bytes, tag } = await load(name + (encoding?.extension ?? ''));
      const headers = new Headers({
        'content-type': type,
        'cache-control': name.startsWith('assets/')
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
        etag: tag,
        vary: 'Accept-Encoding',
      });
      if (isFresh(request, tag)) return new Response(null, { status: 304, headers });
      if (encoding) headers.set('content-encoding', encoding.name);
      headers.set('content-length', String(bytes.length));
      return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
    },
  };
}
