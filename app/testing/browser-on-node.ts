// Browser globals and a loopback server for unit tests of code that sends requests.
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { atEnd } from '../../testing/at-end.ts';
import { startStubService, type StubService } from '../../testing/stub-service.ts';

export type Respond = (
  request: Parameters<StubService['respond']>[0],
) => readonly [number, unknown] | Promise<readonly [number, unknown]>;

export type BrowserOnNode = Awaited<ReturnType<typeof startBrowserOnNode>>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An unsigned token, because only the server checks signatures. */
export const tokenOf = (claims: object): string => `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;

/** A session that does not expire, in the format in which supabase-js stores it. */
export const sessionOf = (id: string) => ({
  access_token: tokenOf({ sub: id, exp: 4_000_000_000, aal: 'aal1' }),
  refresh_token: `again-${id}`,
  token_type: 'bearer',
  expires_at: 4_000_000_000,
  expires_in: 3600,
  user: { id, email: 'dana@example.org' },
});

/**
 * Call before importing the code under test, because some modules read the globals when loaded.
 * @param withWindow for code that checks for a browser: the official client stores a session only there
 */
export async function startBrowserOnNode({ withWindow = false } = {}) {
  if (withWindow)
    vi.stubGlobal('window', {
      addEventListener: () => undefined,
      location: { href: 'http://localhost/' },
    });
  let respond: Respond = () => [404, {}];
  const requests: string[] = [];
  const { url: base, close } = await startStubService(async (request) => {
    requests.push(`${request.method} ${request.url.pathname}${request.url.search}`);
    const [status, body] = await respond(request);
    return { status, body };
  });

  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  });
  // Node has no global WebSocket before version 22, and supabase-js needs one.
  vi.stubGlobal('WebSocket', WebSocket);
  // Runs tasks one after the other, like a browser lock.
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, task: () => Promise<unknown>) => (last = last.then(task, task));
  const navigator = { onLine: true, languages: ['en'], locks: { request } };
  vi.stubGlobal('navigator', navigator);
  const time = { zone: 'Asia/Jerusalem', weekend: [5, 6] };
  const config = JSON.stringify({ supabaseUrl: base, anonKey: 'anon', siteUrl: base, time });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: config }) });
  const { loadConfig } = await import('../src/platform/config.ts');
  await loadConfig();
  atEnd(() => {
    vi.unstubAllGlobals();
    return close();
  });
  return {
    /** Requests so far, as `METHOD /path?query`. */
    requests,
    respond: (next: Respond) => {
      respond = next;
      requests.length = 0;
    },
    /** Sets navigator.onLine and fires the event; true at first. */
    goOnline: (isOnline: boolean) => {
      navigator.onLine = isOnline;
      page.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    },
  };
}
