// The query client knows the network state before any screen is mounted.
import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BrowserOnNode, startBrowserOnNode } from '../../testing/browser-on-node.ts';

let browser: BrowserOnNode;

beforeEach(async () => {
  vi.resetModules();
  browser = await startBrowserOnNode();
});
afterEach(() => void vi.useRealTimers());

test('a network lost during start-up is noticed before any query is sent', async () => {
  await import('#/data/query-client.ts');
  expect(onlineManager.isOnline()).toBe(true);
  browser.goOnline(false);
  expect(onlineManager.isOnline()).toBe(false);
  browser.goOnline(true);
  expect(onlineManager.isOnline()).toBe(true);
});

test('starting offline is detected immediately', async () => {
  browser.goOnline(false);
  await import('#/data/query-client.ts');
  expect(onlineManager.isOnline()).toBe(false);
});

test('data is fresh for 24 hours and is kept for 24 hours after its last use', async () => {
  // Without a window, the query client would behave as on a server.
  vi.stubGlobal('window', new EventTarget());
  vi.useFakeTimers();
  const day = 24 * 60 * 60 * 1000;
  const { queryClient } = await import('#/data/query-client.ts');
  let asked = 0;
  const ask = () => queryClient.fetchQuery({ queryKey: ['answer'], queryFn: () => (asked += 1) });
  await ask();
  vi.advanceTimersByTime(day - 1);
  await ask();
  expect(asked).toBe(1);
  vi.advanceTimersByTime(1);
  await ask();
  expect(asked).toBe(2);
  vi.advanceTimersByTime(day - 1);
  expect(queryClient.getQueryData(['answer'])).toBe(2);
  vi.advanceTimersByTime(1);
  expect(queryClient.getQueryData(['answer'])).toBeUndefined();
});
