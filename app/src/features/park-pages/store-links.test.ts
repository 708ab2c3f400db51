// Tests which app stores are offered on a device.
import { expect, it } from 'vitest';
import { storesFor } from '#/features/park-pages/store-links.ts';

const stores = { apple: 'https://apple.example/app', google: 'https://google.example/app' };

it.each([
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 5, ['google']],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)', 5, ['apple']],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, ['apple']],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, ['apple', 'google']],
  ['Mozilla/5.0 (X11; Linux x86_64)', 0, ['apple', 'google']],
] as const)('%s with %i touch points', (agent, touchPoints, names) => {
  expect(storesFor({ stores }, agent, touchPoints)).toEqual(
    names.map((store) => ({ store, url: stores[store] })),
  );
});

it('stores without a URL are omitted', () => {
  const apple = { store: 'apple', url: stores.apple };
  expect(storesFor({ stores: { ...stores, google: null } }, 'Linux', 0)).toEqual([apple]);
  expect(storesFor({}, 'Linux', 0)).toEqual([]);
});
