// If the official client fails to load at start-up, the user stays logged in and can log out.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type * as SessionModule from '#/data/session/session.ts';
import {
  type BrowserOnNode,
  sessionOf,
  startBrowserOnNode,
} from '../../../testing/browser-on-node.ts';

const ID = '5d0b6f6e-6d55-4a3f-9d3e-0f4c1d0f4a11';

let browser: BrowserOnNode;
let session: typeof SessionModule;

beforeEach(async () => {
  vi.resetModules();
  browser = await startBrowserOnNode();
  // Creating the client fails without WebSocket.
  vi.stubGlobal('WebSocket', undefined);
  vi.spyOn(console, 'warn').mockReturnValue();
  localStorage.setItem('packpark-session', JSON.stringify(sessionOf(ID)));
  browser.respond(() => [200, { id: ID, name: 'Dana' }]);
  session = await import('#/data/session/session.ts');
  session.startSession();
  await vi.waitFor(
    () => expect(session.getSession()).toMatchObject({ status: 'in', userId: ID, user: null }),
    20_000,
  );
});
afterEach(() => void vi.restoreAllMocks());

test('once online, the client is loaded and its events are followed', async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  browser.goOnline(true);
  await vi.waitFor(() => expect(session.getSession().user?.name).toBe('Dana'), 20_000);
  const { loadClient } = await import('#/data/supabase.ts');
  await (await loadClient()).auth.signOut({ scope: 'local' });
  await vi.waitFor(() => expect(session.getSession().status).toBe('out'), 20_000);
});

test('logging out ends the session on this device', async () => {
  await session.signOut();
  expect(session.getSession()).toMatchObject({ status: 'out', userId: null });
  expect(localStorage.getItem('packpark-session')).toBeNull();
});
