// Recognises map tiles and applies the site's caching rules to them.
import { expect, test, vi } from 'vitest';
import { isTile, updateTileRules, handleImage } from '#/offline/service-worker/tiles.ts';

const OSM = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

test.each([
  ['https://tile.openstreetmap.org/16/39144/26590.png', OSM, true],
  ['https://a.tiles.example/16/1/2@2x.png', 'https://{s}.tiles.example/{z}/{x}/{y}@2x.png', true],
  ['https://tile.openstreetmap.org/copyright.png', OSM, false],
  ['https://tileXopenstreetmap.org/16/1/2.png', OSM, false],
  ['https://evil.example/?https://tile.openstreetmap.org/16/1/2.png', OSM, false],
])('%s of %s: %s', (address, template, expected) => {
  expect(isTile(address, template)).toBe(expected);
});

test('a tile that arrives after the site has forbidden caching is not cached', async () => {
  const kept = new Map<string, Response>();
  vi.stubGlobal('caches', {
    open: async () => ({
      match: async (url: string) => kept.get(url),
      put: async (url: string, tile: Response) => kept.set(url, tile),
    }),
    delete: async () => kept.clear(),
  });
  let come = (_tile: Response) => {};
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (come = resolve)));
  const config = (keep: boolean) => Response.json({ tiles: { url: OSM, keep } });
  const request = new Request('https://tile.openstreetmap.org/16/39144/26590.png');
  await updateTileRules(config(true));
  const shown = handleImage(request, async () => config(true));
  await new Promise((done) => setTimeout(done));
  await updateTileRules(config(false));
  come(new Response('a tile'));
  expect(await (await shown).text()).toBe('a tile');
  expect(kept.size).toBe(0);
});
