// A park that was never opened on this device, without a network: shows the data of the list file.
import { QueryClient } from '@tanstack/react-query';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { loadPark } from '#/entities/parks/load-park.ts';
import { parkQueryOptions, parkTranslation } from '#/entities/parks/park.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';

const LONG_LAWN = {
  id: 7,
  name: 'The Long Lawn',
  city: 'Haifa',
  address: '1 Long St',
  location: { lat: 32.1, long: 34.8 },
  rank: null,
  known: { size: 'medium', facts: { lit: 'yes' } },
};

let client: QueryClient;
const shown = () => client.getQueryState(parkQueryOptions(7).queryKey);
beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: false });
  client = new QueryClient();
  client.setQueryData(parkKeys.list('en'), [LONG_LAWN]);
});
afterAll(() => vi.unstubAllGlobals());

test('shows names, location and facts, and the photo if a card has shown it', async () => {
  const photo = '7/primary/lawn.webp';
  client.setQueryData(parkKeys.card(7), { photo, busyHours: [] });
  await loadPark(client, 7);
  const park = shown()?.data;
  const names = { name: 'The Long Lawn', city: 'Haifa' };
  expect(park && parkTranslation(park, 'he')).toMatchObject(names);
  expect(park).toMatchObject({ lat: 32.1, long: 34.8, size: null, park_photos: [], listed: true });
  expect(park).toMatchObject({ size_label: 'medium', shade: null, facts: { lit: 'yes' } });
  expect(park).toMatchObject({ primary_photo: photo });
  // The park is marked as stale, so that it is refetched at every opportunity and never stored on the device.
  expect(shown()?.dataUpdatedAt).toBe(0);
});

test('a park that is not in the list is 503, offline', async () => {
  await expect(loadPark(client, 8)).rejects.toMatchObject({ key: 'errors.offline', status: 503 });
});

test('leaves a cached park unchanged', async () => {
  const seen = { id: 7, park_translations: [], status: 'approved' };
  client.setQueryData(parkKeys.park(7), seen);
  await loadPark(client, 7);
  expect(shown()?.data).toEqual(seen);
});
