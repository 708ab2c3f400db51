// A shared cache for responses that a database function marks as public (`Cache-Control: public, s-maxage=…`). It works like a
// caching proxy in front of the host.
import { LRUCache } from 'lru-cache';
import { codingFor, isFresh } from '#/host/lib/http-cache.ts';

/** Maximum total size of cached bodies. Each content coding of a response counts separately. */
const MAX_BYTES = 8_000_000;

interface Stored {
  status: number;
  headers: [name: string, value: string][];
  body: Uint8Array<ArrayBuffer>;
  /** Milliseconds of a monotonic clock. */
  madeAt: number;
}

interface ResponseSource<Read> {
  /** Reads the request, before the caller gets a permit. */
  read(): Promise<Read>;
  /** Calls `work` when the caller has a permit. */
  admit(work: () => Promise<Response>): Promise<Response>;
  make(read: Read): Promise<Response>;
}

/** Returns true if the response depends only on the URL. */
const isPlain = ({ method, headers }: Request): boolean =>
  method === 'GET' &&
  ['*/*', 'application/json', null].includes(headers.get('accept')) &&
  [null, 'public'].includes(headers.get('accept-profile')) &&
  !headers.has('prefer') &&
  !headers.has('range');

/** Returns the cache key of a request. It does not contain the API key, which does not change the response. */
function keyOf(request: Request, url: URL): string {
  const parameters = new URLSearchParams(url.search);
  parameters.delete('apikey');
  const coding = codingFor(request) ?? '';
  return `${coding} ${url.pathname}?${parameters}`;
}

function sharedSeconds({ status, headers }: Response): number {
  const control = headers.get('cache-control') ?? '';
  const seconds = /\bs-maxage=(\d{1,6})\b/.exec(control)?.[1];
  return status === 200 && /\bpublic\b/.test(control) ? Number(seconds ?? 0) : 0;
}

function handOut(request: Request, { status, headers, body, madeAt }: Stored): Response {
  const all = new Headers(headers);
  const age = Math.floor((performance.now() - madeAt) / 1000);
  if (age > 0) all.set('age', String(age));
  const etag = all.get('etag');
  return etag !== null && isFresh(request, etag.replace(/^W\//, ''))
    ? new Response(null, { status: 304, headers: all })
    : new Response(body, { status, headers: all });
}

export function createSharedResponses() {
  const stored = new LRUCache<string, Stored>({
    maxSize: MAX_BYTES,
    // Without this option, the cache reuses a timestamp for a millisecond.
    ttlResolution: 0,
    // An entry needs about 500 bytes in addition to its body.
    sizeCalculation: ({ body }) => body.byteLength + 500,
  });
  const publicPaths = new LRUCache<string, true>({ max: 100 });
  const underWay = new Map<string, Promise<Stored | null>>();

  async function store(request: Request, url: URL, response: Response): Promise<Stored | null> {
    const seconds = sharedSeconds(response);
    if (seconds === 0) return null;
    publicPaths.set(url.pathname, true);
    const entry: Stored = {
      status: response.status,
      // Content-Range is removed to save traffic: it is useless without a total, and ten thousand viewers would download it four
      // times a minute.
      headers: [...response.headers].filter(([name]) => name !== 'content-range'),
      body: new Uint8Array(await response.arrayBuffer()),
      madeAt: performance.now(),
    };
    stored.set(keyOf(request, url), entry, { ttl: seconds * 1000 });
    return entry;
  }

  const find = (key: string | null) =>
    key === null ? undefined : (stored.get(key) ?? underWay.get(key));

  /** Registers a response that is being created, so that identical requests wait for it. */
  function note(key: string, making: Promise<{ entry: Stored | null }>): void {
    const entry = making.then(
      (made) => made.entry,
      () => null,
    );
    underWay.set(key, entry);
    void entry.finally(() => underWay.delete(key));
  }

  return {
    /**
     * Returns the cached response, or calls `make` when the caller has a permit and caches the result if it is public. If a path
     * had a public response earlier, identical concurrent requests wait for the first one. They never wait for a request without a
     * permit, because the waiting requests could hold all permits, which would be a deadlock.
     */
    async respond<Read>(
      request: Request,
      url: URL,
      { read, admit, make }: ResponseSource<Read>,
    ): Promise<Response> {
      const isShared = isPlain(request);
      // Most paths never have a public response, so computing a key would be useless.
      const key = isShared && publicPaths.has(url.pathname) ? keyOf(request, url) : null;
      const known = await find(key);
      if (known) return handOut(request, known);
      const input = await read();
      return admit(async () => {
        // An identical request may have started while this one waited for a permit.
        const others = find(key);
        const theirs = others && (await others);
        if (theirs) return handOut(request, theirs);
        // No other code runs between here and `note`, so only one request creates the response.
        const making = make(input).then(async (response) => ({
          response,
          entry: isShared ? await store(request, url, response) : null,
        }));
        if (key !== null) note(key, making);
        const { response, entry } = await making;
        return entry ? handOut(request, entry) : response;
      });
    },
  };
}
