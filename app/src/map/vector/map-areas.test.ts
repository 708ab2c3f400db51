// Tiles of an area, and how they are combined into few requests.
import type { Header } from 'pmtiles';
import { expect, test } from 'vitest';
import { inRequests, measureAreas } from '#/map/vector/save-area.ts';
import { areaAround, tilesOf } from '#/map/vector/map-areas.ts';
import { MAX_OFFLINE_MAP_BYTES } from '#/offline/cache-limits.ts';

const PARK = { lat: 32.1, long: 34.81 };

test("a park's surroundings extend about one walk to each side, and its tiles cover them at every zoom", () => {
  const area = areaAround(PARK);
  expect((area.north - area.south) * 111.2).toBeCloseTo(2.4, 1);
  const tiles = tilesOf([area], { min: 4, max: 15 }, 1000) ?? [];
  expect(new Set(tiles.map(({ z }) => z)).size).toBe(12);
  expect(tiles.filter(({ z }) => z === 4)).toEqual([{ z: 4, x: 9, y: 6 }]);
  expect(tiles).toContainEqual({ z: 15, x: 19552, y: 13296 });
  expect(tiles.length).toBeLessThan(40);
});

test('overlapping areas share their common tiles', () => {
  const alone = tilesOf([areaAround(PARK)], { min: 4, max: 15 }, 1000) ?? [];
  const both = tilesOf([areaAround(PARK), areaAround(PARK)], { min: 4, max: 15 }, 1000);
  expect(both).toEqual(alone);
});

test('the area of a country is rejected without listing its tiles', () => {
  const country = { west: 34.2, south: 29.5, east: 35.9, north: 33.4 };
  expect(tilesOf([country], { min: 0, max: 15 }, 6000)).toBeNull();
});

test('an area above the quota is rejected before any tile is fetched', async () => {
  const areas = [areaAround(PARK)];
  const tiles = tilesOf(areas, { min: 4, max: 15 }, 1000)?.length ?? 0;
  const measure = (length: number) =>
    measureAreas(
      {
        header: async () => ({ minZoom: 4, maxZoom: 15 }) as Header,
        locate: async () => ({ offset: 0, length }),
      },
      areas,
    );
  const most = Math.floor(MAX_OFFLINE_MAP_BYTES / tiles);
  expect(await measure(most)).toBe(most * tiles);
  expect(await measure(most + 1)).toBeNull();
});

test("adjacent tiles are fetched together, including small gaps, up to the host's limit", () => {
  const place = { z: 15, x: 0, y: 0 };
  const tile = (offset: number, length: number) => ({ place, offset, length });
  const requests = inRequests([
    tile(0, 1000),
    tile(2000, 1000),
    tile(200_000, 1000),
    tile(201_000, 500_000),
    tile(701_000, 100_000),
  ]);
  expect(requests.map((each) => each.map(({ offset }) => offset))).toEqual([
    [0, 2000],
    [200_000, 201_000],
    [701_000],
  ]);
});
