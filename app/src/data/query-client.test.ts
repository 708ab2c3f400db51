// What the query client knows of the network before any screen stands.
import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BrowserOnNode, startBrowserOnNode } from '../../testing/browser-on-node.ts';

let browser: BrowserOnNode;

beforeEach(async () => {
  vi.resetModules();
  browser = await startBrowserOnNode();
});
afterEach(() => browser.close());

test('a network that goes while the app starts is noticed before any screen asks', async () => {
  await import('#/data/query-client.ts');
  expect(onlineManager.isOnline()).toBe(true);
  browser.goOnline(false);
  expect(onlineManager.isOnline()).toBe(false);
  browser.goOnline(true);
  expect(onlineManager.isOnline()).toBe(true);
});

test('a start without a network is known at once', async () => {
  browser.goOnline(false);
  await import('#/data/query-client.ts');
  expect(onlineManager.isOnline()).toBe(false);
});
