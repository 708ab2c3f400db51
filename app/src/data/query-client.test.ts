import { onlineManager } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';

const page = new EventTarget();

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('window', page);
  vi.stubGlobal('navigator', { onLine: true });
});

test('a network that goes while the app starts is noticed before any screen asks', async () => {
  await import('#/data/query-client.ts');
  expect(onlineManager.isOnline()).toBe(true);
  page.dispatchEvent(new Event('offline'));
  expect(onlineManager.isOnline()).toBe(false);
  page.dispatchEvent(new Event('online'));
  expect(onlineManager.isOnline()).toBe(true);
});
