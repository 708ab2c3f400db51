// Tiles of an area, and the surroundings of a park.
import { METRES_OF_DEGREE, type LatLong } from '#/core/distance.ts';
import type { TilePlace } from '#/map/vector/renderer-protocol.ts';
import type { Area } from '#/map/vector/offline-map.ts';

/** The length of a walk from a park and back. */
const SURROUNDINGS_METRES = 1200;

export function areaAround({ lat, long }: LatLong): Area {
  const north = SURROUNDINGS_METRES / METRES_OF_DEGREE;
  const east = north / Math.cos((lat * Math.PI) / 180);
  return { west: long - east, south: lat - north, east: long + east, north: lat + north };
}

const column = (long: number, zoom: number): number => Math.floor(((long + 180) / 360) * 2 ** zoom);

function row(lat: number, zoom: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom);
}

/**
 * The distinct tiles of the areas at a map's zoom levels.
 * @param most null is returned if there are more, so a country's tiles are not enumerated
 */
export function tilesOf(
  areas: readonly Area[],
  zooms: { min: number; max: number },
  most: number,
): TilePlace[] | null {
  const found = new Map<string, TilePlace>();
  for (const { west, south, east, north } of areas)
    for (let z = zooms.min; z <= zooms.max; z++) {
      const [left, right] = [column(west, z), column(east, z)];
      const [top, bottom] = [row(north, z), row(south, z)];
      if ((right - left + 1) * (bottom - top + 1) > most) return null;
      for (let x = left; x <= right; x++)
        for (let y = top; y <= bottom; y++) found.set(`${z}/${x}/${y}`, { z, x, y });
      if (found.size > most) return null;
    }
  return [...found.values()];
}
