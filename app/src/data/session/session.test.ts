// Logging out ends the session on all devices. If the server rejects that, the user is still logged out on this device.
import { beforeEach, expect, test, vi } from 'vitest';
import { sessionOf, startBrowserOnNode } from '../../../testing/browser-on-node.ts';

const ID = '5d0b6f6e-6d55-4a3f-9d3e-0f4c1d0f4a11';
const SESSION = sessionOf(ID);

const browser = await startBrowserOnNode();
const session = await import('#/data/session/session.ts');
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  return () => vi.restoreAllMocks();
});

/** Logs a user in. @param logout the server's status for a logout of each scope */
async function loggedIn(logout: Record<string, number>): Promise<void> {
  browser.respond(({ url }) => {
    if (url.pathname === '/auth/v1/user') return [200, { id: ID, email: 'dana@example.org' }];
    if (url.pathname === '/auth/v1/logout')
      return [logout[url.searchParams.get('scope') ?? ''] ?? 500, { message: 'no' }];
    return [200, { id: ID, name: 'Dana' }];
  });
  const { loadClient } = await import('#/data/supabase.ts');
  const client = await loadClient();
  await session.watchSession();
  await client.auth.setSession(SESSION);
  await vi.waitFor(() => expect(session.getSession().user?.name).toBe('Dana'), 20_000);
}

const logouts = () =>
  browser.requests
    .filter((line) => line.includes('/logout'))
    .map((line) => line.split('scope=')[1]);

test('a logout ends the sessions on all devices', async () => {
  await loggedIn({ global: 204 });
  await session.signOut();
  expect(logouts()).toEqual(['global']);
  expect(session.getSession()).toMatchObject({ status: 'out', userId: null, ended: null });
});

test.each([401, 403, 404])('status %d means that the session had already ended', async (status) => {
  await loggedIn({ global: status });
  await session.signOut();
  expect(logouts()).toEqual(['global']);
  expect(session.getSession().status).toBe('out');
});

test('if the server cannot end it everywhere, it ends on this device', async () => {
  await loggedIn({ global: 500, local: 204 });
  await session.signOut();
  expect(logouts()).toEqual(['global', 'local']);
  expect(session.getSession().status).toBe('out');
});

test('if the server ends nothing, the user is logged out on this device', async () => {
  await loggedIn({});
  await session.signOut();
  expect(logouts()).toEqual(['global', 'local']);
  expect(session.getSession().status).toBe('out');
});

test('a user without a user record is logged out', async () => {
  await loggedIn({ global: 204 });
  browser.respond(({ url }) =>
    url.pathname === '/auth/v1/logout' ? [204, null] : [406, { code: 'PGRST116', message: 'none' }],
  );
  expect(await session.fetchOwnUser()).toBe(false);
  expect(logouts()).toEqual(['global']);
  expect(session.getSession()).toMatchObject({ status: 'out', ended: 'userMissing' });
});

test('a user whose session a new second factor has ended learns the reason', async () => {
  await loggedIn({ global: 403 });
  browser.respond(({ url }) =>
    url.pathname.startsWith('/auth/v1/')
      ? [403, { error_code: 'insufficient_aal', message: 'ended' }]
      : [401, { code: 'PGRST301', message: 'ended' }],
  );
  expect(await session.fetchOwnUser()).toBe(false);
  await vi.waitFor(() =>
    expect(session.getSession()).toMatchObject({ ended: 'secondFactor', lostBy: ID }),
  );
});

test('a record that changes while it is read is read again', async () => {
  await loggedIn({ global: 204 });
  let language = 'he';
  browser.respond(async ({ method }) => {
    if (method === 'PATCH') return [204, null];
    const read = { id: ID, language };
    if (language === 'he') {
      language = 'en';
      await session.saveOwnUser({ language: 'en' });
    }
    return [200, read];
  });
  const seen: unknown[] = [];
  const stop = session.subscribeSession(() => seen.push(session.getSession().user?.language));
  await session.fetchOwnUser();
  stop();
  await session.signOut();
  expect(seen).toEqual(['en', 'en']);
});

test('after a login in another tab, no request is sent before its session can be read here', async () => {
  await loggedIn({ global: 204 });
  await session.signOut();
  browser.respond(({ url }) =>
    url.pathname === '/auth/v1/user' ? [200, { id: ID }] : [200, { id: ID, name: 'Dana' }],
  );
  const { loadClient } = await import('#/data/supabase.ts');
  const { auth } = await loadClient();
  // Simulates the client's handling of a message from another tab, because Node has no tabs.
  const told = auth as unknown as {
    _notifyAllSubscribers: (event: string, session: object, broadcast: boolean) => Promise<void>;
  };
  const looked = vi.spyOn(auth, 'getSession');
  await told._notifyAllSubscribers('SIGNED_IN', SESSION, false);
  await vi.waitFor(() => expect(looked).toHaveResolved(), 20_000);
  await auth.setSession(SESSION);
  await vi.waitFor(() => expect(session.getSession().user?.name).toBe('Dana'), 20_000);
  // The first request must be the logged-in user's. As a visitor's it would be rejected, which would end the session in all tabs.
  expect(browser.requests[0]).toBe('GET /auth/v1/user');
});
