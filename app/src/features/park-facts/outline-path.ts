// Converts the outline of a park to an SVG path in metres east and south of its north-west corner.
import { METRES_OF_DEGREE } from '#/core/distance.ts';
import { type Outline, type Ring, ringsOf } from '#/core/outline.ts';

interface OutlinePath {
  /** The `d` attribute of the path. */
  d: string;
  /** Height in metres. */
  width: number;
  height: number;
}

export function outlinePath(outline: Outline): OutlinePath {
  const rings = ringsOf(outline);
  const corners = rings.flat();
  const longs = corners.map(([long]) => long);
  const lats = corners.map(([, lat]) => lat);
  const [west, north] = [Math.min(...longs), Math.max(...lats)];
  const toEast = METRES_OF_DEGREE * Math.cos((north * Math.PI) / 180);
  const point = ([long, lat]: Ring[number]) =>
    `${((long - west) * toEast).toFixed(1)} ${((north - lat) * METRES_OF_DEGREE).toFixed(1)}`;
  return {
    d: rings.map((ring) => `M${ring.map(point).join('L')}Z`).join(''),
    width: (Math.max(...longs) - west) * toEast,
    height: (north - Math.min(...lats)) * METRES_OF_DEGREE,
  };
}
