// The cached value is returned first, and refreshed in the background.
import { expect, test, vi } from 'vitest';
import { staleWhileRevalidate } from '#/offline/stale-while-revalidate.ts';

const nothing = () => Promise.resolve(undefined);
const old = () => Promise.resolve('old');

test('the cached value is returned and refreshed for the next time', async () => {
  const fetchAndCache = vi.fn(() => Promise.resolve('new'));
  const renewals: Promise<unknown>[] = [];
  const answer = await staleWhileRevalidate(old, fetchAndCache, (one) => renewals.push(one));
  expect(answer).toBe('old');
  expect(fetchAndCache).toHaveBeenCalledOnce();
  expect(await Promise.all(renewals)).toEqual(['new']);
});

test('a failed refresh leaves the cached value in place', async () => {
  const fails = () => Promise.reject(new TypeError('Failed to fetch'));
  const renewals: Promise<unknown>[] = [];
  expect(await staleWhileRevalidate(old, fails, (one) => renewals.push(one))).toBe('old');
  expect(await Promise.all(renewals)).toEqual([undefined]);
});

test('without a cached value, or with an unreadable cache, the network decides', async () => {
  const broken = () => Promise.reject(new Error('No disk'));
  expect(await staleWhileRevalidate(nothing, () => Promise.resolve('new'))).toBe('new');
  expect(await staleWhileRevalidate(broken, () => Promise.resolve('new'))).toBe('new');
  const fails = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(staleWhileRevalidate(nothing, fails)).rejects.toThrow('Failed to fetch');
});
