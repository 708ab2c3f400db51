// If the server rejects the stored session at start-up, the user is notified, and cached data is deleted before anyone else logs
// in.
import { expect, test, vi } from 'vitest';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import { sessionOf, startBrowserOnNode } from '../../../testing/browser-on-node.ts';

const ID = '5d0b6f6e-6d55-4a3f-9d3e-0f4c1d0f4a11';

const browser = await startBrowserOnNode({ withWindow: true });

test('a session that is rejected at the start has expired, and its cached data is deleted', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  browser.respond(() => [
    400,
    { code: 'refresh_token_not_found', message: 'Invalid Refresh Token: Refresh Token Not Found' },
  ]);
  localStorage.setItem(SESSION_KEY, JSON.stringify({ ...sessionOf(ID), expires_at: 1000 }));
  const { queryClient } = await import('#/data/query-client.ts');
  const { getSession, startSession } = await import('#/data/session/session.ts');
  // Simulates data restored from the query cache.
  queryClient.setQueryData(['friends'], ['Secret friend']);
  startSession();
  await vi.waitFor(() => expect(getSession().status).toBe('out'), 20_000);
  expect(getSession().ended).toBe('expired');
  expect(queryClient.getQueryData(['friends'])).toBeUndefined();
  expect(localStorage.getItem(SESSION_KEY)).toBeNull();
});
