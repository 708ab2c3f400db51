// Which pictures are tiles of the map, and which are not.
import { expect, test } from 'vitest';
import { isTile } from '#/offline/service-worker/tiles.ts';

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
