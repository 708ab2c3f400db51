// Tests the request of the user search and its behaviour on failure.
import { expect, test, vi } from 'vitest';
import { startBrowserOnNode } from '../../../../testing/browser-on-node.ts';

const browser = await startBrowserOnNode();

test('the user search returns users with their dogs', async () => {
  const { searchUsers } = await import('#/features/users/queries/search-users.ts');
  const users = [{ id: 'a', name: 'Noa', dogs: [{ id: 'b', name: 'Zaatar', breed: 'mixed' }] }];
  browser.respond(() => [200, users]);
  expect(await searchUsers('zaatar')).toEqual({ users, failed: false });
  expect(browser.requests).toEqual(['POST /rest/v1/rpc/search_users_with_dogs']);
});

test.each([
  [500, { code: 'XX000', message: 'out of biscuits' }],
  [403, { code: '42501', message: 'permission denied' }],
])('status %d: returns an empty, failed result and logs it', async (status, body) => {
  const { searchUsers } = await import('#/features/users/queries/search-users.ts');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  browser.respond(() => [status, body]);
  expect(await searchUsers('zaatar')).toEqual({ users: [], failed: true });
  expect(browser.requests).toHaveLength(1);
  expect(warn).toHaveBeenCalledWith('The search failed:', expect.anything());
  warn.mockRestore();
});
