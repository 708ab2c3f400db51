// Loaders return cached data, the server's response, or 503 'Offline'.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { loadOrOffline } from '#/data/load-or-offline.ts';

const KEY = ['parks', 7];
let asked = 0;
const options = {
  queryKey: KEY,
  queryFn: () => {
    asked += 1;
    return Promise.resolve('from the server');
  },
};

const goOnline = (onLine: boolean) => vi.stubGlobal('navigator', { onLine });
goOnline(true);

afterEach(() => {
  goOnline(true);
  asked = 0;
});

test('when offline, cached data is returned without a request; if nothing is cached, the error is 503', async () => {
  const client = new QueryClient();
  goOnline(false);
  await expect(loadOrOffline(client, options)).rejects.toMatchObject({
    key: 'errors.offline',
    status: 503,
  });
  client.setQueryData(KEY, 'kept');
  expect(await loadOrOffline(client, options)).toBe('kept');
  expect(asked).toBe(0);
});

test("when online, the server's rejection is thrown without a retry", async () => {
  expect(await loadOrOffline(new QueryClient(), options)).toBe('from the server');
  const refused = new Error('no');
  const failing = () => {
    asked += 1;
    return Promise.reject(refused);
  };
  asked = 0;
  await expect(loadOrOffline(new QueryClient(), { queryKey: KEY, queryFn: failing })).rejects.toBe(
    refused,
  );
  expect(asked).toBe(1);
});

test('a fetch cancelled because the session ended is repeated', async () => {
  const client = new QueryClient();
  const queryFn = vi.fn(() => Promise.resolve('from the server'));
  queryFn.mockReturnValueOnce(new Promise(() => undefined));
  const answer = loadOrOffline(client, { queryKey: KEY, queryFn });
  await client.resetQueries();
  await client.resetQueries();
  expect(await answer).toBe('from the server');
});
