// For unit tests of what asks the server: the few globals of a browser that such code reads, and a server on loopback that answers it.
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { atEnd } from '../../testing/at-end.ts';
import { startStubService, type StubService } from '../../testing/stub-service.ts';

export type Answer = (
  request: Parameters<StubService['answer']>[0],
) => readonly [number, unknown] | Promise<readonly [number, unknown]>;

export type BrowserOnNode = Awaited<ReturnType<typeof startBrowserOnNode>>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** With these claims, and signed by nobody: only a server would look. */
export const tokenOf = (claims: object): string => `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;

/** One that lasts, as the official client stores it. */
export const sessionOf = (id: string) => ({
  access_token: tokenOf({ sub: id, exp: 4_000_000_000, aal: 'aal1' }),
  refresh_token: `again-${id}`,
  token_type: 'bearer',
  expires_at: 4_000_000_000,
  expires_in: 3600,
  user: { id, email: 'dana@example.org' },
});

/**
 * Call it before the code under test is imported, for some of it reads the globals at once.
 * @param withWindow for what asks whether it runs in a browser: the official client keeps a session only there
 */
export async function startBrowserOnNode({ withWindow = false } = {}) {
  if (withWindow)
    vi.stubGlobal('window', {
      addEventListener: () => undefined,
      location: { href: 'http://localhost/' },
    });
  let how: Answer = () => [404, {}];
  const asked: string[] = [];
  const { url: base, close } = await startStubService(async (request) => {
    asked.push(`${request.method} ${request.url.pathname}${request.url.search}`);
    const [status, body] = await how(request);
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
  // Node has one from version 22 on, and the official client is not made without.
  vi.stubGlobal('WebSocket', WebSocket);
  // One after the other, as a browser gives a lock.
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
    /** What was asked for so far, as `METHOD /path?query`. */
    asked,
    answer: (next: Answer) => {
      how = next;
      asked.length = 0;
    },
    /** Whether the device believes that it has a network; at first it does. */
    goOnline: (isOnline: boolean) => {
      navigator.onLine = isOnline;
      page.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    },
  };
}
